/// An integer of 62 bits in 1, 2, 4 or 8 bytes, whose first two bits tell how many (RFC 9000 §16).
package enum VariableInteger {
    package static let largest: UInt64 = 1 << 62 - 1

    /// The fewest bytes that an integer of at most ``largest`` needs.
    package static func byteCount(of value: UInt64) -> Int {
        value < 1 << 6 ? 1 : value < 1 << 14 ? 2 : value < 1 << 30 ? 4 : 8
    }

    /// Writes an integer in the fewest bytes, or in `width` bytes of 1, 2, 4 or 8; bits that have no room are lost.
    package static func append(_ value: UInt64, width: Int? = nil, to bytes: inout [UInt8]) {
        let count = width ?? byteCount(of: value)
        let form: UInt64 = count == 1 ? 0 : count == 2 ? 1 : count == 4 ? 2 : 3
        let bits = UInt64(8 * count)
        let word = value & (1 << (bits - 2) - 1) | form << (bits - 2)
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: word >> (bits - 8 * UInt64(index + 1))))
        }
    }

    /// The number of bytes that an integer has whose first byte this is.
    @inlinable package static func width(first byte: UInt8) -> Int { 1 << Int(byte >> 6) }

    /// Reads the integer at `position` and moves `position` behind it; nil if the bytes end within it.
    @inlinable package static func read(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> UInt64? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        let count = width(first: first)
        guard count <= bytes.count - position else { return nil }
        var value = UInt64(first & 0x3F)
        for index in position + 1..<position + count { value = value << 8 | UInt64(bytes[index]) }
        position += count
        return value
    }

    /// Reads the integer at `position` and moves `position` behind it; nil if the bytes end within it.
    @inlinable package static func read(_ bytes: some RandomAccessCollection<UInt8>, at position: inout Int) -> UInt64?
    {
        let start = bytes.index(bytes.startIndex, offsetBy: min(position, bytes.count))
        guard start < bytes.endIndex else { return nil }
        let count = width(first: bytes[start])
        let integer = bytes[start...].prefix(count)
        guard integer.count == count else { return nil }
        position += count
        var value: UInt64 = 0
        for byte in integer { value = value << 8 | UInt64(byte) }
        return value & (1 << UInt64(8 * count - 2) - 1)
    }
}
