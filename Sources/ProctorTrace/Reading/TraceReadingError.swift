public import ProctorBase

/// A line of a trace that is no event; the lines behind it can still be read.
public struct TraceReadingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The byte that could not be understood.
    public let location: SourceLocation
    /// What was expected there, and what to do about it.
    public let sentence: String

    /// For whoever reads traces and wants more of them than their form.
    public init(location: SourceLocation, sentence: String) {
        self.location = location
        self.sentence = sentence
    }

    /// As compilers say it: place, then sentence.
    public var description: String { "\(location): \(sentence)" }
}

/// What is wrong inside a line.
struct LineFault: Error {
    /// From the first byte of the line.
    let offset: Int
    let sentence: String
    /// Nothing is wrong but that the line ends too early: whoever wrote it was interrupted.
    let isEnd: Bool

    init(_ offset: Int, _ sentence: String, isEnd: Bool = false) {
        self.offset = offset
        self.sentence = sentence
        self.isEnd = isEnd
    }
}
