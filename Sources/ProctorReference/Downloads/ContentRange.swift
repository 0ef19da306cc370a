/// Which part of a whole a reply has (RFC 9110 §14.4).
struct ContentRange: Equatable {
    var first: Int
    /// The last byte that is there.
    var last: Int
    /// Of the whole; nil for `*`.
    var length: Int?

    /// nil for another unit, for what is no range, and for one that contradicts itself.
    init?(_ value: [UInt8]) {
        let text = String(decoding: value, as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        // A whole that ends at the last number that there is could not be counted.
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < Int.max
        else { return nil }
        self.first = first
        self.last = last
        guard parts[1] != "*" else { return }
        guard let length = Self.number(parts[1]), last < length else { return nil }
        self.length = length
    }

    /// Of the part; at least 1.
    var byteCount: Int { last - first + 1 }

    /// Digits alone; `Int` would take a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }
}
