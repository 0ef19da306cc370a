public import ProctorBase

/// A whole trace in memory.
public struct Trace: Sendable, Equatable {
    /// nil where the file has none.
    public let header: TraceHeader?
    /// How it was written; nil for a file without any line.
    public let format: TraceFormat?
    /// In the order of the file, each with its lane's family where the trace tells it anywhere.
    public let events: [TraceEvent]
    /// Whether the last line was broken off.
    public let isCut: Bool
    /// Lines of a log that name no method.
    public let skippedLineCount: Int
    /// The first of them, from 1.
    public let firstSkippedLine: Int?
    /// A word in one of them that is nearly the name of a method.
    public let misspelling: TraceReader.Misspelling?

    /// What the client can report: all lanes, when nothing is said.
    public var lanes: [Lane] { header?.lanes ?? Lane.allCases }

    /// Reads a file from its bytes, up to the first line that is no event; `file` is what errors call it.
    public init(_ bytes: [UInt8], file: String = "trace") throws(TraceReadingError) {
        var reader = TraceReader(file: file)
        var events: [TraceEvent] = []
        var open: [Int] = []
        var offset = 0
        while let event = try reader.next(bytes.span, at: &offset) {
            if reader.isLastFamilyOpen { open.append(events.count) }
            events.append(event)
        }
        if let event = try reader.end() {
            if reader.isLastFamilyOpen { open.append(events.count) }
            events.append(event)
        }
        for index in open { events[index].family = reader.families.family(of: events[index]) }
        header = reader.header
        format = reader.format
        self.events = events
        isCut = reader.isCut
        skippedLineCount = reader.skippedLineCount
        firstSkippedLine = reader.firstSkippedLine
        misspelling = reader.misspelling
    }
}

/// A line of a trace that is no event; the lines behind it can still be read.
public struct TraceReadingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The byte that could not be understood.
    public let location: SourceLocation
    /// What was expected there, and what to do about it.
    public let sentence: String

    /// For other readers of traces, which check more than the form.
    public init(location: SourceLocation, sentence: String) {
        self.location = location
        self.sentence = sentence
    }

    /// As compilers say it: place, then sentence.
    public var description: String { "\(location): \(sentence)" }
}
