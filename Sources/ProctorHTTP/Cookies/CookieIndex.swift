/// What a store would otherwise have to walk all of its cookies for, kept with each that comes and goes.
struct CookieIndex: Sendable, Equatable {
    /// The order of each cookie, by which it is found in a list that is sorted by it.
    private var orders: [CookieKey: Int] = [:]
    private var counts: [String: Int] = [:]
    private var secureNames: [[UInt8]: Int] = [:]
    /// No cookie expires earlier, and perhaps none then either; nil: none has a time.
    private var soonestExpiry: Int?

    func order(of key: CookieKey) -> Int? { orders[key] }

    /// How many cookies have that domain.
    func count(of domain: String) -> Int { counts[domain] ?? 0 }

    /// Whether any Secure cookie has that name.
    func hasSecure(_ name: [UInt8]) -> Bool { secureNames[name] != nil }

    /// Whether a walk would perhaps find an expired cookie.
    func mayHaveExpired(at unixSeconds: Int) -> Bool { soonestExpiry.map { $0 < unixSeconds || $0 == .min } ?? false }

    mutating func add(_ cookie: Cookie, as key: CookieKey) {
        orders[key] = cookie.order
        counts[cookie.domain, default: 0] += 1
        if cookie.isSecure { secureNames[cookie.name, default: 0] += 1 }
        if let expiry = cookie.expiry { soonestExpiry = min(soonestExpiry ?? .max, expiry) }
    }

    mutating func remove(_ cookie: Cookie, as key: CookieKey) {
        orders[key] = nil
        Self.lower(&counts, cookie.domain)
        if cookie.isSecure { Self.lower(&secureNames, cookie.name) }
    }

    /// To be called after a walk, with the earliest expiry that is left.
    mutating func didRemoveExpired(soonest: Int?) { soonestExpiry = soonest }

    private static func lower<Key>(_ counts: inout [Key: Int], _ key: Key) {
        let count = (counts[key] ?? 0) - 1
        counts[key] = count > 0 ? count : nil
    }
}

/// What a cookie is replaced by (RFC 6265 §5.3 step 11, its revision §5.7).
struct CookieKey: Sendable, Hashable {
    let name: [UInt8]
    let domain: String
    let path: [UInt8]
    /// The revision keeps a cookie of the host alone apart from one of its domain; false by RFC 6265.
    let isHostOnly: Bool

    init(_ cookie: Cookie, _ edition: CookieEdition) {
        name = cookie.name
        domain = cookie.domain
        path = cookie.path
        isHostOnly = edition == .rfc6265bis && cookie.isHostOnly
    }
}

/// Cookies by how they are sent and by name, so that each pair of a field is looked up and not searched for.
///
/// Made by one walk over the list.
struct CookieLookup {
    /// Whether the cookie at an index of the list was taken.
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
