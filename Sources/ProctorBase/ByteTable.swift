/// Finds which of a fixed set of words a range of bytes is, without making a string of it.
///
/// Open addressing over a hash of the first and the last eight bytes, which are all there is of most words.
package final class ByteTable: Sendable {
    private struct Entry: Sendable {
        /// nil for an empty slot, which no word of the input is.
        var index: Int?
        var count = -1
        var head: UInt64 = 0
        var tail: UInt64 = 0
        /// Of more than 16 bytes all, of fewer none.
        var rest: [UInt8] = []
    }

    /// A power of two, more than twice as many as there are words.
    private let slots: [Entry]
    private let mask: Int

    /// The first of two words that are equal is the one that is found.
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

    /// The number of the word that is exactly these bytes.
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

    /// The first eight bytes, and of a longer word the last eight.
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
