/// What a store would otherwise have to walk all of its cookies for, kept with each that comes and goes.
struct CookieLedger: Sendable, Equatable {
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

    /// Told after a walk: the earliest time that is left.
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
