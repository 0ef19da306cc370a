public import ProctorBase

package struct Trace: Sendable, Equatable {
    package let header: TraceHeader?
    /// nil for a file without any line.
    package let format: TraceFormat?
    /// In the order of the file, each with the family of its lane where the trace states it anywhere.
    package let events: [TraceEvent]
    package let isCut: Bool
    /// Blank lines included, and the last one where it lacks its line feed.
    package let lineCount: Int
    package let skippedLineCount: Int
    /// The number of the first one, from 1.
    package let firstSkippedLine: Int?
    /// A word in a skipped line that is nearly the name of a method.
    package let misspelling: TraceReader.Misspelling?

    /// The lanes that the client can report; all lanes without a header.
    package var lanes: [Lane] { header?.lanes ?? Lane.allCases }

    /// Reads a file from its bytes, up to the first line that is no event; errors use the name `file`.
    ///
    /// `isStrict` also refuses what the author of an adapter has misspelt: facts, types of facts, names of errors.
    package init(_ bytes: [UInt8], file: String = "trace", isStrict: Bool = false) throws(TraceReadingError) {
        var collector = TraceCollector(file: file, isStrict: isStrict)
        var offset = 0
        while try collector.next(bytes.span, at: &offset) != nil {}
        self = try collector.finish()
    }

    /// Reads a file that `nextPiece` hands over, the bytes of one call behind those of another; false at its end.
    ///
    /// Reading counts the steps of ``TraceCollector/read(_:within:)``.
    package init(
        file: String, within budget: WorkBudget, nextPiece: (_ take: (Span<UInt8>) throws -> Void) throws -> Bool
    ) throws {
        var collector = TraceCollector(file: file)
        while try nextPiece({ piece in try collector.read(piece, within: budget) }) {}
        self = try collector.finish()
    }

    /// Makes the trace of a reader that has read all.
    init(_ events: [TraceEvent], of reader: TraceReader) {
        header = reader.header
        lineCount = reader.lineCount
        format = reader.format
        self.events = events
        isCut = reader.isCut
        skippedLineCount = reader.skippedLineCount
        firstSkippedLine = reader.firstSkippedLine
        misspelling = reader.misspelling
    }
}

/// A line of a trace that is no event; the reader can continue behind it.
public struct TraceReadingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The byte that the reader could not understand.
    public let location: SourceLocation
    /// What the reader expected there, and how to correct it.
    public let sentence: String

    /// For other readers of traces, which check the content of events.
    public init(location: SourceLocation, sentence: String) {
        (self.location, self.sentence) = (location, sentence)
    }

    /// The place, then the sentence, as compilers write them.
    public var description: String { "\(location): \(sentence)" }
}
