internal import ProctorBase
import ProctorEvents
internal import ProctorGrading
import ProctorServer

/// How many bytes and lines of a trace are read for one assignment; an adapter that writes more is killed.
struct TraceBounds: Sendable {
    var byteCount = 32 << 20
    /// Each event is one line.
    ///
    /// Recorders write up to 100,000 events, each with an end of its callback.
    var lineCount = 200_000
}

/// Reads an adapter's trace while the adapter writes it: keeps the events, and reports those that replies wait for.
///
/// When an adapter writes its lines late, each wait lasts to its limit, and the verdict is the same. Safe from any
/// thread.
final class IncomingTrace: Sendable {
    private let id: CaseID
    /// Names of events that replies wait for.
    private let names: [String]?
    private let run: Run
    private let bounds: TraceBounds
    /// The number of steps that earlier processes have performed.
    private let earlierSteps: Int
    private let keepsText: Bool
    private let state: Locked<State>

    fileprivate struct State {
        var collector: TraceCollector
        var byteCount = 0
        var firstLine: [UInt8] = []
        var isFirstLine = true
        /// The trace as it was written; empty unless the text is kept.
        var text: [UInt8] = []
        /// The first line that is no event, or the limit that the trace has passed.
        var fault: AdapterFault?
        /// The limit that the trace has passed, half a sentence.
        var excess: String?
        /// nil until the header has named the lanes that the client reports.
        var awaited: AwaitedEvents?
    }

    /// `awaited` are the names of events that replies of `run` wait for.
    init(
        of id: CaseID, awaited: [String]?, in run: Run, keepsText: Bool, bounds: TraceBounds = TraceBounds(),
        earlierSteps: Int = 0
    ) {
        (self.id, self.earlierSteps) = (id, earlierSteps)
        names = awaited
        (self.run, self.bounds, self.keepsText) = (run, bounds, keepsText)
        state = Locked(State(collector: TraceCollector(file: "trace of \(id)", isStrict: true)))
    }

    /// Appends the next bytes of standard output, split anywhere; returns false when a limit is passed and no more are
    /// read.
    func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        let (events, lanes, goesOn) = state.withLock { $0.append(Array(bytes), names, bounds, keepsText: keepsText) }
        // For a client that reports only results, replies do not wait the full time.
        if let lanes, AwaitedEvents.canBeReported(in: lanes) { run.expectsReports = true }
        for event in events { run.reached(event: event.name, task: event.task &+ earlierSteps) }
        return goesOn
    }

    /// The complete reading; `isWhole`: the adapter exited with 0, so its trace must have a header and be complete.
    func finish(isWhole: Bool) -> Reading { state.withLock { $0.finish(isWhole: isWhole) } }

    struct Reading {
        var events: [TraceEvent] = []
        var header: TraceHeader?
        var text: [UInt8] = []
        /// The fault of the trace; nil when all of it is valid.
        var fault: AdapterFault?
    }

    /// Bytes of the first line that are kept for an error.
    fileprivate static let firstLineByteCount = 400
}

extension IncomingTrace.State {
    /// Returns the awaited events in these bytes, the client's lanes when the bytes contain its header, and whether
    /// more are read.
    fileprivate mutating func append(
        _ bytes: [UInt8], _ names: [String]?, _ bounds: TraceBounds, keepsText: Bool
    ) -> (awaited: [TraceEvent], lanes: [Lane]?, goesOn: Bool) {
        guard excess == nil else { return ([], nil, false) }
        byteCount += bytes.count
        if keepsText { text += bytes }
        takeFirstLine(bytes)
        var events: [TraceEvent] = []
        let wasHeaded = collector.reader.header != nil
        var offset = 0
        while offset < bytes.count {
            do throws(TraceReadingError) {
                guard let event = try collector.next(bytes.span, at: &offset) else { continue }
                if awaited == nil {
                    awaited = AwaitedEvents(names, lanes: collector.reader.header?.lanes ?? Lane.allCases)
                }
                if awaited?.contains(event) == true { events.append(event) }
            } catch {
                // The next lines may be valid, and replies wait for their events.
                fault = fault ?? AdapterFault(error)
                collector.discardEvents()
            }
        }
        noteExcess(bounds)
        return (events, wasHeaded ? nil : collector.reader.header?.lanes, excess == nil)
    }

    private mutating func takeFirstLine(_ bytes: [UInt8]) {
        guard isFirstLine else { return }
        let line = bytes.prefix { $0 != 0x0A }
        isFirstLine = line.count == bytes.count
        firstLine += line.prefix(IncomingTrace.firstLineByteCount - firstLine.count)
    }

    private mutating func noteExcess(_ bounds: TraceBounds) {
        let lineCount = collector.reader.lineCount
        if collector.reader.isDiscarding {
            excess = "a line with more than \(collector.reader.lineByteLimit) bytes"
        } else if byteCount > bounds.byteCount {
            excess = "more than \(bounds.byteCount) bytes of a trace"
        } else if lineCount > bounds.lineCount {
            excess = "more than \(bounds.lineCount) lines of a trace"
        }
        guard let excess else { return }
        let line = collector.reader.isDiscarding ? lineCount + 1 : lineCount
        let hasHeader = collector.reader.header != nil
        let former = (fault ?? (hasHeader ? nil : faultWithoutHeader)).map { "; before that, \($0)" } ?? ""
        fault = AdapterFault(
            "the adapter wrote \(excess) for one assignment, and was ended: leave out what is no event, and bodies of more "
                + "than 640 KiB\(former)", line: line)
        collector.discardEvents()
    }

    fileprivate mutating func finish(isWhole: Bool) -> IncomingTrace.Reading {
        var reading = IncomingTrace.Reading(text: text, fault: fault)
        // A client whose trace is too long has started.
        if excess != nil { reading.header = collector.reader.header }
        if fault == nil {
            do throws(TraceReadingError) {
                let trace = try collector.finish()
                (reading.events, reading.header) = (trace.events, trace.header)
                if isWhole, trace.isCut {
                    reading.fault = AdapterFault(
                        "it breaks off, and the adapter exited with 0; flush each line", line: trace.lineCount)
                }
            } catch {
                reading.fault = AdapterFault(error)
            }
        }
        if isWhole, reading.header == nil, reading.fault == nil { reading.fault = faultWithoutHeader }
        return reading
    }

    private var faultWithoutHeader: AdapterFault {
        guard byteCount > 0 else { return AdapterFault("the adapter wrote no trace on standard output") }
        return AdapterFault(
            "the adapter's first line is no header of a trace: '\(EscapedText.escape(firstLine[...], limit: 80))'; nothing "
                + "else may stand on its standard output", line: 1)
    }
}

extension AdapterFault {
    fileprivate init(_ error: TraceReadingError) {
        self.init("column \(error.location.column): \(error.sentence)", line: error.location.line)
    }
}
