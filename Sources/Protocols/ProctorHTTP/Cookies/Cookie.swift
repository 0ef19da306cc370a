import ProctorBase

/// A cookie as a user agent keeps it (RFC 6265 §5.3).
public struct Cookie: Sendable, Equatable {
    /// Empty for a cookie without a name.
    public let name: [UInt8]
    /// The received bytes, with any quotation marks.
    public let value: [UInt8]
    /// In lower case, without a leading dot.
    public let domain: String
    /// The received bytes.
    public let path: [UInt8]
    /// In Unix seconds; nil for a session cookie.
    public let expiry: Int?
    /// In Unix seconds; a cookie that replaces another one takes over its creation time.
    package internal(set) var creation: Int
    /// Whether the cookie is sent to its host only, not to subdomains.
    public let isHostOnly: Bool
    /// Whether the cookie is sent over secure connections only.
    public let isSecure: Bool
    /// Whether the cookie is hidden from scripts; has no effect on an HTTP client.
    public let isHTTPOnly: Bool
    /// nil for the default.
    public let sameSite: SetCookie.SameSite?

    /// Bytes of the whole Set-Cookie field, which a user agent may bound (§6.1).
    let fieldByteCount: Int
    /// The number of the cookie in its store, which orders cookies of the same second; a replacing cookie takes it
    /// over.
    var order = 0
    /// The number of the response that set the cookie; cookies of one response may share a creation time.
    var batch = 0
    /// The number of the last use; the cookie with the lowest number is evicted first.
    var use = 0

    /// The bytes in the Cookie field: `NAME=VALUE`, or only the value without a name (RFC 6265bis §5.8.3).
    public var pair: [UInt8] { name.isEmpty ? value : name + [UInt8(ascii: "=")] + value }

    /// Whether the cookie gives this pair in a Cookie field.
    ///
    /// A nameless cookie with `=` in its value looks like a named one on the wire, and a value that begins with `=`
    /// looks like that of a nameless one.
    func isSent(as sent: CookieField.Pair) -> Bool {
        if name.isEmpty { return value == sent.raw || value == sent.text }
        return name == sent.name && value == sent.value
    }

    /// Whether the expiry is in the past; a cookie is still valid in the second of its expiry.
    public func isExpired(at unixSeconds: Int) -> Bool {
        // The earliest time means that the server deletes the cookie.
        expiry.map { $0 < unixSeconds || $0 == .min } ?? false
    }

    /// Whether the cookie is sent to `place`, apart from its expiry (RFC 6265 §5.4).
    package func fits(_ place: CookieURL) -> Bool { fits(CookieTarget(place)) }

    func fits(_ target: CookieTarget) -> Bool { coversScheme(target) && coversPath(target) && coversHost(target) }

    func coversHost(_ target: CookieTarget) -> Bool {
        isHostOnly
            ? target.host.elementsEqual(domain.utf8) : CookieDomain.matches(target.host, Array(domain.utf8))
    }

    func coversPath(_ target: CookieTarget) -> Bool { CookiePath.matches(target.path, path) }

    func coversScheme(_ target: CookieTarget) -> Bool { !isSecure || target.isSecure }
}

/// The origin of a Set-Cookie field or the destination of a Cookie field.
///
/// Cookies ignore ports (RFC 6265 §8.5).
package struct CookieURL: Sendable, Equatable {
    package var isSecure: Bool
    /// A name in A-labels, an IPv4 address, or an IPv6 address in brackets; in any letter case.
    package var host: String
    /// Without the query; a path that is empty or does not begin with a slash counts as `/`.
    package var path: [UInt8]

    package init(isSecure: Bool, host: String, path: [UInt8]) {
        (self.isSecure, self.host, self.path) = (isSecure, host, path)
    }

    /// In lower case (RFC 6265 §5.1.2); the caller converts labels beyond ASCII.
    var canonicalHost: [UInt8] { host.utf8.cookieLowercased }

    /// The path that a cookie's path is compared with.
    var requestPath: [UInt8] { path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] }

    /// The path of a cookie without a Path attribute: the directory (RFC 6265 §5.1.4).
    package var defaultPath: [UInt8] {
        guard let slash = requestPath.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return [UInt8(ascii: "/")] }
        return Array(requestPath[..<slash])
    }

    /// Whether a user agent may treat the host as secure without TLS (RFC 6265bis §5.7).
    var isLoopback: Bool {
        let host = canonicalHost
        return host == Array("localhost".utf8) || host.reversed().starts(with: ".localhost".utf8.reversed())
            || host == Array("[::1]".utf8) || host == Array("::1".utf8)
            || (CookieDomain.isAddress(host) && host.starts(with: "127.".utf8))
    }
}

/// A `CookieURL` prepared for comparison with many cookies.
struct CookieTarget {
    let isSecure: Bool
    let host: [UInt8]
    let path: [UInt8]

    init(_ place: CookieURL) {
        isSecure = place.isSecure
        host = place.canonicalHost
        path = place.requestPath
    }
}

/// Domain matching (RFC 6265 §5.1.3); all texts are in lower case.
enum CookieDomain {
    /// Equal, or a host name that ends in a dot and the domain; an address matches only itself.
    static func matches(_ host: [UInt8], _ domain: [UInt8]) -> Bool {
        if host == domain { return true }
        guard !domain.isEmpty, host.count > domain.count, !isAddress(host) else { return false }
        let start = host.count - domain.count
        return host[(start - 1)] == UInt8(ascii: ".") && host[start...].elementsEqual(domain)
    }

    /// Whether the name is one label, the default rule of the public suffix list; this module has no copy of the list.
    static func isPublicSuffix(_ domain: [UInt8]) -> Bool {
        !domain.isEmpty && !domain.contains(UInt8(ascii: ".")) && !isAddress(domain)
    }

    /// IPv4 or IPv6, with or without brackets.
    static func isAddress(_ host: [UInt8]) -> Bool {
        host.contains(UInt8(ascii: ":")) || IPv6Syntax.isIPv4(host.span)
    }
}

/// Path matching (RFC 6265 §5.1.4).
enum CookiePath {
    /// Equal, or a directory above: `/a` matches `/a/b` and not `/ab`.
    static func matches(_ request: [UInt8], _ path: [UInt8]) -> Bool {
        guard request.starts(with: path) else { return false }
        return request.count == path.count || path.last == UInt8(ascii: "/")
            || request[path.count] == UInt8(ascii: "/")
    }
}
