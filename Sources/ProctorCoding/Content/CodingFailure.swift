/// Why bytes could not be coded or decoded, in a sentence for a person.
public struct CodingFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What tests and clients tell apart.
    public enum Kind: String, Sendable, CaseIterable {
        /// Not what the format allows at this place.
        case corrupt
        /// The content is not the one that the checksum was made of.
        case checksum
        /// The content is longer or shorter than the format says.
        case length
        /// The coded bytes end before the format does.
        case truncated
        /// Bytes stand behind the end of the format.
        case trailing
        /// The format allows it, this decoder has no use for it: a dictionary, another method.
        case unsupported
        /// More than the bound of the caller.
        case tooLarge
        /// What was asked for is not possible, like a level that the coding does not have.
        case usage
        /// The library got no memory.
        case memory
    }

    /// Which of the ways it is.
    public let kind: Kind
    /// Coded bytes that were taken before, from the first one; 0 where nothing is decoded.
    public let offset: Int
    /// Lower case, with what was expected.
    public let sentence: String

    /// Made of its parts; the offset stays out of the sentence.
    public init(_ kind: Kind, _ sentence: String, offset: Int = 0) {
        self.kind = kind
        self.offset = offset
        self.sentence = sentence
    }

    /// `gzip: the CRC of the content is wrong (at byte 27)`.
    public var description: String { kind == .usage ? sentence : "\(sentence) (at byte \(offset))" }

    /// The same at another place.
    func at(_ offset: Int) -> CodingFailure { CodingFailure(kind, sentence, offset: offset) }
}
