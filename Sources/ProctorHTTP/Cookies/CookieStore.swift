/// The cookies of one user agent (RFC 6265 §5.3 and §5.4, or its revision's §5.7 and §5.8).
///
/// A value without a clock: each call is told the time. There is no document, so every request counts as same-site,
/// and SameSite matters for what is refused alone. A name of one label counts as a public suffix; no list is carried.
public struct CookieStore: Sendable, Equatable {
    /// Whose rules it follows.
    public let edition: CookieEdition
    /// How much it keeps.
    public let limits: CookieLimits
    /// In the order in which they came first; expired ones leave with the next call.
    public private(set) var cookies: [Cookie] = []
    /// What became of the field that was taken last.
    public internal(set) var lastReceipt: CookieReceipt?

    /// Of ``cookies``, whose `order` ascends.
    private(set) var ledger = CookieLedger()
    /// Counts cookies, so that those of one second have an order.
    private var createdCount = 0
    /// The response that cookies come with, where a caller counts them.
    var batch = 0
    /// Counts requests, so that the cookie that was used least recently can be found.
    private var useCount = 0

    /// An empty store.
    public init(edition: CookieEdition = .rfc6265bis, limits: CookieLimits = CookieLimits()) {
        self.edition = edition
        self.limits = limits
    }

    /// The value of the Cookie field of a request, in the order of §5.4; nil: it has none.
    public mutating func field(for place: CookiePlace, at unixSeconds: Int) -> [UInt8]? {
        Self.field(use(for: CookieTarget(place), at: unixSeconds))
    }

    /// What goes along with a request, in order, which counts as used from now on.
    mutating func use(for target: CookieTarget, at unixSeconds: Int) -> [Cookie] {
        removeExpired(at: unixSeconds)
        useCount += 1
        var found: [Cookie] = []
        for index in cookies.indices where cookies[index].fits(target) {
            cookies[index].use = useCount
            found.append(cookies[index])
        }
        return Self.sorted(found)
    }

    /// What goes along with a request, longer paths first, and of those of equal length the older first.
    public func fitting(_ place: CookiePlace, at unixSeconds: Int) -> [Cookie] {
        let target = CookieTarget(place)
        return Self.sorted(cookies.filter { $0.fits(target) && !$0.isExpired(at: unixSeconds) })
    }

    private static func sorted(_ cookies: [Cookie]) -> [Cookie] {
        cookies.sorted { $0.path.count == $1.path.count ? $0.order < $1.order : $0.path.count > $1.path.count }
    }

    /// Pairs parted by a semicolon and a space; nil for no cookie.
    static func field(_ cookies: [Cookie]) -> [UInt8]? {
        cookies.isEmpty ? nil : Array(cookies.map(\.pair).joined(separator: "; ".utf8))
    }

    /// Cookies without Max-Age and Expires are over.
    public mutating func endSession() {
        removeAll { $0.expiry == nil }
    }

    /// What is over at that time leaves; told back for those who explain.
    @discardableResult
    mutating func removeExpired(at unixSeconds: Int) -> [Cookie] {
        guard ledger.mayHaveExpired(at: unixSeconds) else { return [] }
        let gone = removeAll { $0.isExpired(at: unixSeconds) }
        ledger.didRemoveExpired(soonest: cookies.lazy.compactMap(\.expiry).min())
        return gone
    }
}

// How cookies come and go.
extension CookieStore {
    /// Where the cookie stands that this one would replace.
    func index(of cookie: Cookie) -> Int? {
        guard let order = ledger.order(of: CookieKey(cookie, edition)) else { return nil }
        var (low, high) = (cookies.startIndex, cookies.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if cookies[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low < cookies.endIndex && cookies[low].order == order ? low : nil
    }

    /// Another cookie than all that are kept; gives it as it is kept.
    mutating func add(_ cookie: Cookie) -> Cookie {
        var cookie = marked(cookie)
        createdCount += 1
        cookie.order = createdCount
        cookies.append(cookie)
        ledger.add(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    /// In the place and with the age of the cookie that stands there; gives it as it is kept.
    mutating func replace(_ index: Int, by cookie: Cookie) -> Cookie {
        let old = cookies[index]
        var cookie = marked(cookie)
        cookie.creation = old.creation
        cookie.order = old.order
        cookie.batch = old.batch
        cookies[index] = cookie
        ledger.remove(old, as: CookieKey(old, edition))
        ledger.add(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    @discardableResult
    mutating func remove(_ index: Int) -> Cookie {
        let cookie = cookies.remove(at: index)
        ledger.remove(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    @discardableResult
    private mutating func removeAll(where isGone: (Cookie) -> Bool) -> [Cookie] {
        let gone = cookies.filter(isGone)
        guard !gone.isEmpty else { return [] }
        cookies.removeAll(where: isGone)
        for cookie in gone { ledger.remove(cookie, as: CookieKey(cookie, edition)) }
        return gone
    }

    private mutating func marked(_ cookie: Cookie) -> Cookie {
        useCount += 1
        var cookie = cookie
        cookie.use = useCount
        cookie.batch = batch
        return cookie
    }
}
