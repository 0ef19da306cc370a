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
    public internal(set) var cookies: [Cookie] = []
    /// What became of the field that was taken last.
    public internal(set) var lastReceipt: CookieReceipt?

    /// Counts cookies, so that those of one second have an order.
    var createdCount = 0
    /// The response that cookies come with, where a caller counts them.
    var batch = 0
    /// Counts requests, so that the cookie that was used least recently can be found.
    var useCount = 0

    /// An empty store.
    public init(edition: CookieEdition = .rfc6265bis, limits: CookieLimits = CookieLimits()) {
        self.edition = edition
        self.limits = limits
    }

    /// The value of the Cookie field of a request, in the order of §5.4; nil: it has none.
    public mutating func field(for place: CookiePlace, at unixSeconds: Int) -> [UInt8]? {
        removeExpired(at: unixSeconds)
        useCount += 1
        let target = CookieTarget(place)
        for index in cookies.indices where cookies[index].fits(target) { cookies[index].use = useCount }
        return Self.field(fitting(place, at: unixSeconds))
    }

    /// What goes along with a request, longer paths first, and of those of equal length the older first.
    public func fitting(_ place: CookiePlace, at unixSeconds: Int) -> [Cookie] {
        let target = CookieTarget(place)
        return cookies.filter { $0.fits(target) && !$0.isExpired(at: unixSeconds) }.sorted {
            $0.path.count == $1.path.count ? $0.order < $1.order : $0.path.count > $1.path.count
        }
    }

    /// Pairs parted by a semicolon and a space; nil for no cookie.
    static func field(_ cookies: [Cookie]) -> [UInt8]? {
        cookies.isEmpty ? nil : Array(cookies.map(\.pair).joined(separator: "; ".utf8))
    }

    /// Cookies without Max-Age and Expires are over.
    public mutating func endSession() {
        cookies.removeAll { $0.expiry == nil }
    }

    /// What is over at that time leaves; told back for those who explain.
    @discardableResult
    mutating func removeExpired(at unixSeconds: Int) -> [Cookie] {
        guard cookies.contains(where: { $0.isExpired(at: unixSeconds) }) else { return [] }
        let gone = cookies.filter { $0.isExpired(at: unixSeconds) }
        cookies.removeAll { $0.isExpired(at: unixSeconds) }
        return gone
    }
}
