/// Finds a range of bytes in a fixed set of words without making a string.
///
/// An open-addressing table. The hash covers the first and the last eight bytes of a word and its length.
package final class ByteTable: Sendable {
    private struct Entry: Sendable {
        /// nil for an empty slot.
        var index: Int?
        var count = -1
        var head: UInt64 = 0
        var tail: UInt64 = 0
        /// All bytes of a word that is longer than 16 bytes, else empty.
        var rest: [UInt8] = []
    }

    /// A power of two, more than twice the number of words.
    private let slots: [Entry]
    private let mask: Int

    /// Makes a table of words; of equal words, ``find(_:_:)`` returns the index of the first.
    package init(_ words: [String]) {
        var size = 16
        while size <= words.count * 2 { size *= 2 }
        var slots = [Entry](repeating: Entry(), count: size)
        for (index, word) in words.enumerated() {
            let bytes = Array(word.utf8)
            let (head, tail) = Self.ends(bytes.span, 0..<bytes.count)
            var slot = Self.hash(head, tail, bytes.count) & (size - 1)
            while slots[slot].index != nil { slot = (slot + 1) & (size - 1) }
            slots[slot] = Entry(
                index: index, count: bytes.count, head: head, tail: tail, rest: bytes.count > 16 ? bytes : [])
        }
        self.slots = slots
        mask = size - 1
    }

    /// The index of the word that equals these bytes.
    package func find(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        let (head, tail) = Self.ends(bytes, range)
        var slot = Self.hash(head, tail, range.count) & mask
        while let index = slots[slot].index {
            if slots[slot].head == head, slots[slot].tail == tail, slots[slot].count == range.count,
                isRest(slot, bytes, range)
            {
                return index
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func isRest(_ slot: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        if range.count <= 16 { return true }
        for offset in 8..<(range.count - 8) where slots[slot].rest[offset] != bytes[range.lowerBound + offset] {
            return false
        }
        return true
    }

    /// The first eight bytes of a word and its last eight; the second number is 0 for a word of at most eight bytes.
    @inline(__always)
    private static func ends(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> (UInt64, UInt64) {
        let count = range.count
        let head = ByteWords.load(bytes, at: range.lowerBound, count: count)
        return (head, count > 8 ? ByteWords.load(bytes, at: range.upperBound - 8) : 0)
    }

    @inline(__always)
    private static func hash(_ head: UInt64, _ tail: UInt64, _ count: Int) -> Int {
        let mixed = (head ^ (tail &* 31) ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40)
    }
}

/// Eight bytes as one number, the first byte in the lowest bits, for loops that skip most bytes.
@usableFromInline package enum ByteWords {
    /// The eight bytes from `index` on; the caller has checked that they exist.
    @inlinable
    @inline(__always)
    package static func load(_ bytes: borrowing Span<UInt8>, at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= bytes.count &- 8, "eight bytes from \(index) on of \(bytes.count)")
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt64(
                littleEndian: UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
    }

    /// At most eight bytes from `index` on; the higher bytes of the number are 0.
    @inlinable
    @inline(__always)
    package static func load(_ bytes: borrowing Span<UInt8>, at index: Int, count: Int) -> UInt64 {
        if count >= 8 { return load(bytes, at: index) }
        if index <= bytes.count &- 8 { return load(bytes, at: index) & (1 << UInt64(8 * count) &- 1) }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
        return word
    }

    /// How many bytes come before the first control character (below 0x20, or 0x7F).
    @inlinable
    @inline(__always)
    package static func countWithoutControls(_ word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
        // Only the lowest set bit is certain: the subtraction borrows from the bytes above.
        let marks = ((word &- 0x20 &* ones) & ~word) | ((delete &- ones) & ~delete)
        return (marks & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
    }

    /// How many bytes come before the first that a JSON string cannot hold unescaped: `"`, `\` or a control character.
    @inlinable
    @inline(__always)
    package static func plainTextCount(_ word: UInt64) -> Int {
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Only the lowest set bit is certain: the subtraction borrows from the bytes above.
        let marks =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- 0x20 &* ones) & ~word)
        return (marks & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
    }
}
