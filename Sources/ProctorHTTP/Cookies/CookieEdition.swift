/// The document whose algorithm a user agent follows.
public enum CookieEdition: String, Sendable, CaseIterable {
    /// RFC 6265 of 2011.
    case rfc6265
    /// The revision, draft-ietf-httpbis-rfc6265bis: prefixes, SameSite, limits of size, nameless cookies.
    case rfc6265bis
}

/// How much a store keeps.
///
/// The defaults are what browsers have come to; RFC 6265 §6.1 wants at least 50 cookies of a domain and 3000 in all.
public struct CookieLimits: Sendable, Equatable {
    /// The most cookies with the same domain.
    public var perDomain: Int
    /// The most cookies in all.
    public var total: Int

    /// Limits below 1 count as 1.
    public init(perDomain: Int = 180, total: Int = 3000) {
        self.perDomain = max(1, perDomain)
        self.total = max(1, total)
    }

    /// Bytes of a name and its value together; the revision ignores a longer cookie (§5.6).
    public static let pairByteCount = 4096
    /// Bytes of an attribute's value; the revision ignores a longer attribute (§5.6).
    public static let attributeByteCount = 1024
    /// Seconds that a cookie lives at most by the revision: 400 days (§5.5).
    public static let longestLife = 34_560_000
    /// What a general-use user agent keeps of one domain at least (RFC 6265 §6.1).
    public static let leastPerDomain = 50
}
