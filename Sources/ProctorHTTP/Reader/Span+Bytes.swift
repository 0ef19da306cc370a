import ProctorBase

/// Comparing and finding: what needs a pointer, or is much faster with one.
extension Span<UInt8> {
    /// Whether these bytes are `text`, letter case counted.
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in indices where unsafe self[index] != expected[index] { return false }
            return true
        }
    }

    /// Whether these bytes are `lowercased` once their ASCII capitals are made small.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in indices where unsafe self[index].asciiLowercased != expected[index].asciiLowercased {
                return false
            }
            return true
        }
    }

    /// Whether both are the same once their ASCII capitals are made small.
    func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard other.count == count else { return false }
        for index in indices where self[index].asciiLowercased != other[index].asciiLowercased { return false }
        return true
    }

    /// The first LF at or behind `start`, else `count`; eight bytes at a time, since most of a head is passed over so.
    func indexOfLineFeed(from start: Int) -> Int {
        var index = start
        unsafe withUnsafeBytes { bytes in
            while bytes.count - index >= 8 {
                // A byte of `other` is zero where LF stands. Only the lowest bit found is sure, and it is used.
                let other =
                    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    ^ 0x0A0A_0A0A_0A0A_0A0A
                let found = (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080
                if found != 0 {
                    index += found.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while unsafe index < bytes.count && bytes[index] != .lineFeed { index += 1 }
        }
        return index
    }
}

/// Bytes as a person can read them in a message.
enum ByteQuote {
    /// The bytes in double quotes, escaped, cut after 48 bytes.
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
