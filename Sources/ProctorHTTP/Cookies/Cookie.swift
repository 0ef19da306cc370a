/// A cookie as a user agent keeps it (RFC 6265 §5.3).
public struct Cookie: Sendable, Equatable {
    /// Empty for a cookie without a name.
    public let name: [UInt8]
    /// As it stands, quotation marks included.
    public let value: [UInt8]
    /// In lower case, without a leading dot.
    public let domain: String
    /// As it stands.
    public let path: [UInt8]
    /// In Unix seconds; nil: until the session ends.
    public let expiry: Int?
    /// In Unix seconds; of the first cookie of this name, domain and path where it was replaced.
    public internal(set) var creation: Int
    /// Goes to its host alone, and not to names below it.
    public let isHostOnly: Bool
    /// Goes over secure connections alone.
    public let isSecure: Bool
    /// Not for scripts; of no meaning to a client of HTTP.
    public let isHTTPOnly: Bool
    /// Nil: the default.
    public let sameSite: SetCookie.SameSite?

    /// Bytes of the whole field that set it, which a user agent of RFC 6265 may bound (§6.1).
    let fieldByteCount: Int
    /// Counts up with each cookie of a store, so that those of one second have an order; kept when replaced.
    var order = 0
    /// Counts up with each response; cookies of one response may well have one creation-time.
    var batch = 0
    /// Counts up with each use; the lowest is evicted first.
    var use = 0

    /// As it is sent: `NAME=VALUE`, or its value alone where it has no name (RFC 6265bis §5.8.3).
    public var pair: [UInt8] { name.isEmpty ? value : name + [UInt8(ascii: "=")] + value }

    /// A cookie without a name and with `=` in its value looks like one with a name, and one whose value begins with
    /// `=` like one whose name was forgotten.
    func isSent(as sent: CookieField.Pair) -> Bool {
        if name.isEmpty { return value == sent.raw || value == sent.text }
        return name == sent.name && value == sent.value
    }

    /// Its time lies in the past; in the second of its expiry it is alive.
    public func isExpired(at unixSeconds: Int) -> Bool {
        // The earliest time that can be told is what deletes a cookie, however early it is.
        expiry.map { $0 < unixSeconds || $0 == .min } ?? false
    }

    /// Whether it goes along with a request to `place`, its time aside (RFC 6265 §5.4).
    public func fits(_ place: CookiePlace) -> Bool { fits(CookieTarget(place)) }

    func fits(_ target: CookieTarget) -> Bool { coversScheme(target) && coversPath(target) && coversHost(target) }

    func coversHost(_ target: CookieTarget) -> Bool {
        isHostOnly
            ? target.host.elementsEqual(domain.utf8) : CookieDomain.matches(target.host, Array(domain.utf8))
    }

    func coversPath(_ target: CookieTarget) -> Bool { CookiePath.matches(target.path, path) }

    func coversScheme(_ target: CookieTarget) -> Bool { !isSecure || target.isSecure }
}
