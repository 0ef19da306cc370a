/// Indexes of a store's cookies, updated with each cookie, so that no call searches the whole store.
struct CookieIndex: Sendable, Equatable {
    /// The `order` of each cookie, which is its place in the sorted list.
    private var orders: [CookieKey: Int] = [:]
    private var counts: [String: Int] = [:]
    private var secureNames: [[UInt8]: Int] = [:]
    /// A lower bound of all expiry times; nil if no cookie expires.
    private var soonestExpiry: Int?

    func order(of key: CookieKey) -> Int? { orders[key] }

    func count(of domain: String) -> Int { counts[domain] ?? 0 }

    func hasSecure(_ name: [UInt8]) -> Bool { secureNames[name] != nil }

    /// Whether there may be an expired cookie.
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

    /// Called after the expired cookies were removed, with the earliest expiry that remains.
    mutating func didRemoveExpired(soonest: Int?) { soonestExpiry = soonest }

    private static func lower<Key>(_ counts: inout [Key: Int], _ key: Key) {
        let count = (counts[key] ?? 0) - 1
        counts[key] = count > 0 ? count : nil
    }
}

/// The identity of a cookie for replacement (RFC 6265 §5.3 step 11, RFC 6265bis §5.7).
struct CookieKey: Sendable, Hashable {
    let name: [UInt8]
    let domain: String
    let path: [UInt8]
    /// RFC 6265bis distinguishes host-only and domain cookies; always false under RFC 6265.
    let isHostOnly: Bool

    init(_ cookie: Cookie, _ edition: CookieEdition) {
        name = cookie.name
        domain = cookie.domain
        path = cookie.path
        isHostOnly = edition == .rfc6265bis && cookie.isHostOnly
    }
}

/// Cookies by their bytes on the wire and by name, built in one pass over the list.
struct CookieLookup {
    private(set) var isTaken: [Bool]
    private var bySpelling: [Spelling: [Int]] = [:]
    private var byName: [[UInt8]: [Int]] = [:]

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

    /// Returns the first cookie of that name that no call has returned yet.
    mutating func takeFirst(named name: [UInt8]) -> Int? {
        while let index = byName[name]?.popLast() {
            guard !isTaken[index] else { continue }
            isTaken[index] = true
            return index
        }
        return nil
    }

    /// All spellings for which ``Cookie/isSent(as:)`` holds.
    private static func spellings(_ pair: CookieField.Pair) -> [Spelling] {
        let raw = Spelling(text: pair.raw, hasName: false)
        let text = pair.text
        return (pair.name.isEmpty ? [raw] : [raw, Spelling(text: text, hasName: true)])
            + (text == pair.raw ? [] : [Spelling(text: text, hasName: false)])
    }
}
