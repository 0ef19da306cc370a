import ProctorBase

/// Reads the events of a trace as its bytes come: JSON lines of a recorder, or a log that names delegate methods.
///
/// A pure state machine in constant memory; how the bytes were cut into pieces makes no difference.
/// Docs/judging/traces.md describes both formats.
public struct TraceReader {
    /// The name of the file in errors.
    public let file: String
    /// The most bytes a line may have.
    package let lineByteLimit: Int
    /// Whether unknown facts of the header, misspelt facts, values of a wrong type and unknown errors are refused.
    let isStrict: Bool
    /// The header; nil before the first line, and for a trace without one.
    public private(set) var header: TraceHeader?
    /// The format; nil until the first line that is not blank.
    public private(set) var format: TraceFormat?
    /// The number of lines that ended so far, blank ones included.
    package private(set) var lineCount = 0
    /// The number of events so far.
    package private(set) var eventCount = 0
    /// Whether the last line is incomplete, as a client leaves it that trapped while writing.
    package private(set) var isCut = false
    /// The number of lines without an event: lines of a log without a method, and methods without an event.
    package private(set) var skippedLineCount = 0
    /// The number of the first line without an event, from 1.
    package private(set) var firstSkippedLine: Int?
    /// The first word of a skipped line that is nearly the name of a method.
    package internal(set) var misspelling: Misspelling?

    var cache = TextCache()
    var families = LaneFamilies()
    /// Whether a later line may change the family of the last event.
    private(set) var isLastFamilyOpen = false
    var isRefused = false
    /// How many words have been compared with all names, which is slow.
    var comparedWordCount = 0
    private var kept: [UInt8] = []
    /// Whether the bytes that come next belong to a line that was refused as too long.
    package private(set) var isDiscarding = false
    private var lastSequence = 0

    /// A word that resembles a method's name and is none.
    package struct Misspelling: Sendable, Equatable {
        /// The number of the line, from 1.
        package let line: Int
        /// The word, as it stands in the line.
        package let word: String
        /// The nearest name of a method.
        package let nearest: String
    }

    /// Makes a reader that refuses a line of more than `lineByteLimit` bytes, 1 MiB by default.
    public init(file: String = "trace", lineByteLimit: Int = 1 << 20) {
        self.init(file: file, lineByteLimit: lineByteLimit, isStrict: false)
    }

    init(file: String, lineByteLimit: Int = 1 << 20, isStrict: Bool) {
        self.file = file
        self.lineByteLimit = max(1, lineByteLimit)
        self.isStrict = isStrict
    }

    /// Takes bytes of `input` from `offset` on, up to the end of the next event's line; nil when all are taken.
    ///
    /// An error is about one line, and the reader continues behind it; behind a refused header it returns nothing.
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

    /// Says that no more bytes follow; the last line may lack its line feed.
    public mutating func finish() throws(TraceReadingError) -> TraceEvent? {
        if kept.isEmpty { return nil }
        return try readKept(isEnded: false)
    }

    /// Whether `ns` may be compared with the server's times.
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

/// The format of a trace, which its first line shows.
public enum TraceFormat: Sendable, Equatable {
    /// An object of JSON on each line.
    case jsonLines
    /// Lines for people, some of which have the name of a delegate method.
    case log
}
