/// Eight bytes at a time, the first in the lowest place, for code that meets most of its bytes in passing.
package enum ByteWords {
    /// The bytes from `index` on; the caller has seen that there are eight.
    @inlinable
    @inline(__always)
    package static func load(_ bytes: borrowing Span<UInt8>, at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= bytes.count &- 8, "eight bytes from \(index) on of \(bytes.count)")
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt64(
                littleEndian: UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
    }

    /// Up to eight bytes from `index` on, with zeros behind them.
    @inlinable
    @inline(__always)
    package static func load(_ bytes: borrowing Span<UInt8>, at index: Int, count: Int) -> UInt64 {
        if count >= 8 { return load(bytes, at: index) }
        if index <= bytes.count &- 8 { return load(bytes, at: index) & (1 << UInt64(8 * count) &- 1) }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
        return word
    }

    /// How many bytes of a word come before the first that ends or interrupts a text of JSON: `"`, `\` or a control character.
    @inlinable
    @inline(__always)
    package static func plainTextCount(_ word: UInt64) -> Int {
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The lowest bit found is exact; those above may be borrowed from it.
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- 0x20 &* ones) & ~word)
        return (found & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
    }
}
