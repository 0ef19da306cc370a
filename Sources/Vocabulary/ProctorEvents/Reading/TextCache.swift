import ProctorBase

/// Reuses texts that are repeated in a trace: method names, long labels of queues.
struct TextCache {
    private var slots: [String]

    /// A String of at most this many bytes needs no allocation, and is as fast to make as to find.
    private static let short = 15
    private static let long = 256
    private static let slotCount = 256

    init() { slots = [String](repeating: "", count: Self.slotCount) }

    /// Bytes that are not UTF-8 become U+FFFD.
    mutating func text(_ line: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
        guard range.count > Self.short, range.count <= Self.long else { return Self.make(line, range) }
        let slot = Self.slot(line, range)
        if Self.isSame(slots[slot], line, in: range) { return slots[slot] }
        let text = Self.make(line, range)
        slots[slot] = text
        return text
    }

    private static func make(_ line: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
        unsafe line.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func slot(_ line: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
        let head = ByteWords.load(line, at: range.lowerBound)
        let middle = ByteWords.load(line, at: range.lowerBound + range.count / 2 - 4)
        let tail = ByteWords.load(line, at: range.upperBound - 8)
        let mixed = head &* 31 ^ middle &* 7 ^ tail ^ UInt64(truncatingIfNeeded: range.count)
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    private static func isSame(_ text: String, _ line: borrowing Span<UInt8>, in range: Range<Int>) -> Bool {
        let same = unsafe text.utf8.withContiguousStorageIfAvailable { known in
            guard known.count == range.count else { return false }
            for offset in 0..<range.count where unsafe known[offset] != line[range.lowerBound + offset] { return false }
            return true
        }
        return same ?? false
    }
}
