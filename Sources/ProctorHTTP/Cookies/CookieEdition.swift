/// Whose algorithm a user agent follows.
public enum CookieEdition: String, Sendable, CaseIterable {
    /// RFC 6265 of 2011.
    case rfc6265
    /// Its revision, draft-ietf-httpbis-rfc6265bis: prefixes, SameSite, limits of size, nameless cookies.
    case rfc6265bis
}
