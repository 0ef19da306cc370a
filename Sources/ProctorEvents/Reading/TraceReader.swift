import ProctorBase

/// Reads the events of a trace as its bytes come: JSON lines of a recorder, or a log that names delegate methods.
///
/// A pure state machine in constant memory; how the bytes were cut into pieces makes no difference.
/// Docs/trace-format.md describes both formats.
public struct TraceReader {
    /// What errors call the file.
    public let file: String
    /// The most bytes a line may have.
    public let lineByteLimit: Int
    /// nil before the first line, and for a trace without one.
    public private(set) var header: TraceHeader?
    /// nil until the first line that is not blank.
    public private(set) var format: TraceFormat?
    /// Lines that ended so far, blank ones included.
    public private(set) var lineCount = 0
    /// Events given so far.
    public private(set) var eventCount = 0
    /// Whether the last line was broken off, as a client leaves it that trapped while it wrote.
    public private(set) var isCut = false
    /// Lines without an event: all of a log that name no method, and methods that stand for no event.
    public private(set) var skippedLineCount = 0
    /// The first of them, from 1.
    public private(set) var firstSkippedLine: Int?
    /// The first word of a skipped line that is nearly the name of a method.
    public internal(set) var misspelling: Misspelling?

    var cache = TextCache()
    var families = LaneFamilies()
    /// Whether a later line may change the family of the event given last.
    private(set) var isLastFamilyOpen = false
    /// Whether the rest of the file is passed over.
    var isRefused = false
    /// How many words have been compared with all names, which takes long.
    var comparedWordCount = 0
    private var kept: [UInt8] = []
    private var isDiscarding = false
    private var lastSequence = 0

    /// A word that looks like a method's name and is none.
    public struct Misspelling: Sendable, Equatable {
        /// From 1.
        public let line: Int
        /// As it stands there.
        public let word: String
        /// What was probably meant.
        public let nearest: String
    }

    /// A line of more than 1 MiB is refused, unless something else is said.
    public init(file: String = "trace", lineByteLimit: Int = 1 << 20) {
        self.file = file
        self.lineByteLimit = max(1, lineByteLimit)
    }

    /// Takes bytes of `input` from `offset` on, up to the end of the next event's line; nil when all are taken.
    ///
    /// What was thrown is about one line, and reading goes on behind it; behind a header that is refused comes nothing.
    public mutating func next(
        _ input: Span<UInt8>, at offset: inout Int
    ) throws(TraceReadingError) -> TraceEvent? {
        while offset < input.count {
            let start = offset
            let end = ByteSearch.first(0x0A, in: input, from: start)
            offset = min(end + 1, input.count)
            if isDiscarding {
                if end < input.count {
                    isDiscarding = false
                    lineCount += 1
                }
                continue
            }
            guard kept.count + (end - start) <= lineByteLimit else {
                throw tooLong(isEnded: end < input.count)
            }
            if end == input.count {
                kept.append(input.extracting(start..<end))
            } else if kept.isEmpty {
                if let event = try read(input.extracting(start..<end), isEnded: true) { return event }
            } else {
                kept.append(input.extracting(start..<end))
                if let event = try readKept(isEnded: true) { return event }
            }
        }
        return nil
    }

    /// Says that there are no more bytes; the last line may lack its line feed.
    public mutating func end() throws(TraceReadingError) -> TraceEvent? {
        if kept.isEmpty { return nil }
        return try readKept(isEnded: false)
    }

    /// Whether `ns` may be compared with the server's.
    var isMonotonic: Bool { header?.isMonotonic ?? true }

    // MARK: Lines

    private mutating func tooLong(isEnded: Bool) -> TraceReadingError {
        kept.removeAll()
        isDiscarding = !isEnded
        let line = lineCount + 1
        if isEnded { lineCount = line }
        return TraceReadingError(
            location: SourceLocation(file: file, line: line, column: 1),
            sentence: "the line is longer than \(lineByteLimit) bytes; long bodies don't belong into a trace")
    }

    private mutating func readKept(isEnded: Bool) throws(TraceReadingError) -> TraceEvent? {
        var line: [UInt8] = []
        swap(&line, &kept)
        defer {
            line.removeAll(keepingCapacity: true)
            swap(&line, &kept)
        }
        return try read(line.span, isEnded: isEnded)
    }

    private mutating func read(
        _ line: borrowing Span<UInt8>, isEnded: Bool
    ) throws(TraceReadingError) -> TraceEvent? {
        lineCount += 1
        if isRefused { return nil }
        var start = 0
        if lineCount == 1, line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF { start = 3 }
        while start < line.count, line[start] == 0x20 || line[start] == 0x09 || line[start] == 0x0D { start += 1 }
        guard start < line.count else { return nil }
        let isFirst = format == nil
        let format = format ?? (line[start] == UInt8(ascii: "{") ? .jsonLines : .log)
        self.format = format
        do throws(LineFault) {
            switch format {
            case .log: return skippable(plainEvent(line, from: start))
            case .jsonLines:
                if isFirst, try isHeader(line, from: start) {
                    isRefused = true
                    header = try readHeader(line, from: start)
                    isRefused = false
                    return nil
                }
                return skippable(try jsonEvent(line, from: start))
            }
        } catch {
            if error.isEnd, !isEnded {
                isCut = true
                return nil
            }
            throw TraceReadingError(
                location: SourceLocation(file: file, line: lineCount, column: error.offset + 1),
                sentence: error.sentence)
        }
    }

    private mutating func skippable(_ event: TraceEvent?) -> TraceEvent? {
        if event == nil {
            skippedLineCount += 1
            firstSkippedLine = firstSkippedLine ?? lineCount
        }
        return event
    }

    // MARK: Events

    /// Resolves a method, whose name stays among the facts.
    mutating func resolved(
        _ line: inout EventLine, _ method: MethodName, spelled spelling: String
    ) -> (EventName, String?)? {
        let hasResponse = method.meaning == .receiving && families.hasResponse(task: line.task ?? 0)
        guard let resolved = line.resolve(method, hasResponse: hasResponse) else { return nil }
        if !line.has(.sel) { line.facts.append(EventFact(.sel, .text(spelling))) }
        return resolved
    }

    /// Gives the event its number and the family of its lane.
    mutating func placed(
        _ event: consuming TraceEvent, _ sequence: Int?, said: CallbackFamily?, method: MethodName?
    ) -> TraceEvent {
        eventCount += 1
        let (next, overflow) = lastSequence.addingReportingOverflow(1)
        lastSequence = sequence ?? (overflow ? lastSequence : next)
        event.sequence = lastSequence
        isLastFamilyOpen = families.place(&event, said: said, method: method)
        return event
    }
}

/// How a trace is written, which its first line tells.
public enum TraceFormat: Sendable, Equatable {
    /// An object of JSON on each line.
    case jsonLines
    /// Lines for people, some of which hold the name of a delegate method.
    case log
}
