/// Cookies that are no more, or never were, so that a client which still sends them can be told why it should not.
struct CookiePast: Sendable {
    struct Entry: Sendable {
        let cookie: Cookie
        let fate: Fate
    }

    enum Fate: Sendable, Equatable {
        case replaced(by: [UInt8])
        case deleted
        case expired
        /// Its time was over as it came.
        case stillborn
        case refused(CookieRefusal)
        case evicted
    }

    private var entries: [Entry] = []
    private var byteCount = 0

    /// Kept at most; the oldest go.
    static let entryLimit = 512
    /// Bytes of names and values kept at most.
    static let byteLimit = 1 << 20

    mutating func remember(_ cookie: Cookie?, _ fate: Fate) {
        guard let cookie, Self.size(cookie) <= Self.byteLimit else { return }
        entries.append(Entry(cookie: cookie, fate: fate))
        byteCount += Self.size(cookie)
        while entries.count > Self.entryLimit || byteCount > Self.byteLimit {
            byteCount -= Self.size(entries.removeFirst().cookie)
        }
    }

    /// The last one of that name and value.
    func last(sentAs pair: CookieField.Pair) -> Entry? { entries.last { $0.cookie.isSent(as: pair) } }

    /// The last one of that name, whatever its value.
    func last(named name: [UInt8]) -> Entry? { entries.last { $0.cookie.name == name } }

    private static func size(_ cookie: Cookie) -> Int { cookie.name.count + cookie.value.count + cookie.path.count }
}
