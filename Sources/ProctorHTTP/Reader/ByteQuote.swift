import ProctorBase

/// Bytes as a person can read them in a message.
enum ByteQuote {
    /// In double quotes, escaped, cut after 48 bytes.
    static func quote(_ bytes: [UInt8]) -> String { "\"\(EscapedText.of(bytes, limit: longest))\"" }

    /// The same cut after 200 bytes, for what must be compared by eye: a hash, a target.
    static func quoteLong(_ bytes: [UInt8]) -> String { "\"\(EscapedText.of(bytes))\"" }

    static let longest = 48
}

extension Span<UInt8> {
    /// The first bytes of a range, as many as a message shows.
    func excerpt(_ range: Range<Int>) -> [UInt8] {
        extracting(range.lowerBound..<Swift.min(range.upperBound, range.lowerBound + ByteQuote.longest)).array
    }
}
