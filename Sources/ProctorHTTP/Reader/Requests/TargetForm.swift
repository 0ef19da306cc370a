/// The four ways to write a request-target (RFC 9112 §3.2).
public enum TargetForm: Sendable, Hashable {
    /// `/path?query`, to the origin itself.
    case origin
    /// A whole URI, as a proxy is sent; an origin must take it too.
    case absolute
    /// `host:port`, for CONNECT only.
    case authority
    /// `*`, for OPTIONS about the server as a whole.
    case asterisk
}
