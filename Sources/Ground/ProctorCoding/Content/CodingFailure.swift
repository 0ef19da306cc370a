/// Why bytes could not be coded or decoded, in a sentence for a person.
package struct CodingFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        /// The format does not permit these bytes at this place.
        case corrupt
        case checksum
        case length
        case truncated
        case trailing
        /// The format permits it, but this decoder does not support it: a dictionary, another method.
        case unsupported
        /// More bytes than the caller's bound.
        case tooLarge
        /// The request itself is invalid, such as a level that the coding does not have.
        case usage
        case memory
    }

    package let kind: Kind
    /// The number of coded bytes before the failure; 0 if nothing is decoded.
    package let offset: Int
    /// In lower case, with the expected value.
    package let sentence: String

    /// The sentence must not name the offset.
    package init(_ kind: Kind, _ sentence: String, offset: Int = 0) {
        (self.kind, self.offset, self.sentence) = (kind, offset, sentence)
    }

    /// `gzip: the CRC of the content is wrong (at byte 27)`.
    package var description: String { kind == .usage ? sentence : "\(sentence) (at byte \(offset))" }

    func at(_ offset: Int) -> CodingFailure { CodingFailure(kind, sentence, offset: offset) }
}
