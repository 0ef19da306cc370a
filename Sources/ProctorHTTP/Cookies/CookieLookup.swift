/// Cookies by how they are sent and by name, so that each pair of a field is looked up and not searched for.
///
/// Made by one walk over the list.
struct CookieLookup {
    /// By index into the list.
    private(set) var isTaken: [Bool]
    /// Indices into the list, the first one last.
    private var bySpelling: [Spelling: [Int]] = [:]
    private var byName: [[UInt8]: [Int]] = [:]

    /// How a cookie stands in a field.
    private struct Spelling: Hashable {
        let text: [UInt8]
        let hasName: Bool
    }

    init(_ cookies: [Cookie]) {
        isTaken = Array(repeating: false, count: cookies.count)
        for index in cookies.indices.reversed() {
            let spelling = Spelling(text: cookies[index].pair, hasName: !cookies[index].name.isEmpty)
            bySpelling[spelling, default: []].append(index)
            byName[cookies[index].name, default: []].append(index)
        }
    }

    /// Whether any is sent in these very bytes.
    func holds(_ pair: [UInt8]) -> Bool {
        [true, false].contains { bySpelling[Spelling(text: pair, hasName: $0)] != nil }
    }

    func firstIndex(sentAs pair: CookieField.Pair) -> Int? {
        Self.spellings(pair).compactMap { bySpelling[$0]?.last }.min()
    }

    func lastIndex(sentAs pair: CookieField.Pair) -> Int? {
        Self.spellings(pair).compactMap { bySpelling[$0]?.first }.max()
    }

    func lastIndex(named name: [UInt8]) -> Int? { byName[name]?.first }

    /// The first one that was not taken, which is from now on.
    mutating func takeFirst(sentAs pair: CookieField.Pair) -> Int? {
        var first: Int?
        for spelling in Self.spellings(pair) {
            while let index = bySpelling[spelling]?.last {
                if !isTaken[index] {
                    first = min(first ?? .max, index)
                    break
                }
                bySpelling[spelling]?.removeLast()
            }
        }
        if let first { isTaken[first] = true }
        return first
    }

    /// The first one of that name that was not taken, which is from now on.
    mutating func takeFirst(named name: [UInt8]) -> Int? {
        while let index = byName[name]?.popLast() {
            guard !isTaken[index] else { continue }
            isTaken[index] = true
            return index
        }
        return nil
    }

    /// All by which ``Cookie/isSent(as:)`` holds.
    private static func spellings(_ pair: CookieField.Pair) -> [Spelling] {
        let raw = Spelling(text: pair.raw, hasName: false)
        let text = pair.text
        return (pair.name.isEmpty ? [raw] : [raw, Spelling(text: text, hasName: true)])
            + (text == pair.raw ? [] : [Spelling(text: text, hasName: false)])
    }
}
