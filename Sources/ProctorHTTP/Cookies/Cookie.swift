import ProctorBase

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

    /// Whether the expiry lies in the past; in the second of its expiry a cookie is alive.
    public func isExpired(at unixSeconds: Int) -> Bool {
        // The earliest time that can be told is what deletes a cookie, however early it is.
        expiry.map { $0 < unixSeconds || $0 == .min } ?? false
    }

    /// Whether it goes along with a request to `place`, its time aside (RFC 6265 §5.4).
    public func fits(_ place: CookieURL) -> Bool { fits(CookieTarget(place)) }

    func fits(_ target: CookieTarget) -> Bool { coversScheme(target) && coversPath(target) && coversHost(target) }

    func coversHost(_ target: CookieTarget) -> Bool {
        isHostOnly
            ? target.host.elementsEqual(domain.utf8) : CookieDomain.matches(target.host, Array(domain.utf8))
    }

    func coversPath(_ target: CookieTarget) -> Bool { CookiePath.matches(target.path, path) }

    func coversScheme(_ target: CookieTarget) -> Bool { !isSecure || target.isSecure }
}

/// Where a Set-Cookie field comes from, or a Cookie field goes to.
///
/// A port is no part of it: cookies are not kept apart by port (RFC 6265 §8.5).
public struct CookieURL: Sendable, Equatable {
    /// The connection is secure: https.
    public var isSecure: Bool
    /// As the URL has it: a name in A-labels, an IPv4 address, or an IPv6 address in brackets; of any letter case.
    public var host: String
    /// Of the URL, without its query, as it stands; empty and what does not begin with a slash count as `/`.
    public var path: [UInt8]

    /// Parts as they are.
    public init(isSecure: Bool, host: String, path: [UInt8]) {
        self.isSecure = isSecure
        self.host = host
        self.path = path
    }

    /// In lower case (RFC 6265 §5.1.2); labels beyond ASCII are the caller's to convert.
    var canonicalHost: [UInt8] { host.utf8.cookieLowercased }

    /// What a cookie's path is compared with.
    var requestPath: [UInt8] { path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] }

    /// The directory of the path, of which a cookie without Path is (RFC 6265 §5.1.4).
    public var defaultPath: [UInt8] {
        guard let slash = requestPath.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return [UInt8(ascii: "/")] }
        return Array(requestPath[..<slash])
    }

    /// The machine itself, which a user agent may take for secure without TLS (RFC 6265bis §5.7 leaves it open).
    var isLoopback: Bool {
        let host = canonicalHost
        return host == Array("localhost".utf8) || host.reversed().starts(with: ".localhost".utf8.reversed())
            || host == Array("[::1]".utf8) || host == Array("::1".utf8)
            || (CookieDomain.isAddress(host) && host.starts(with: "127.".utf8))
    }
}

/// A place as it is compared with cookies, worked out once for all of them.
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

/// Which hosts a domain covers (RFC 6265 §5.1.3); hosts and domains are in lower case here.
enum CookieDomain {
    /// The same, or a name that ends in a dot and the domain; an address is only ever the same.
    static func matches(_ host: [UInt8], _ domain: [UInt8]) -> Bool {
        if host == domain { return true }
        guard !domain.isEmpty, host.count > domain.count, !isAddress(host) else { return false }
        let start = host.count - domain.count
        return host[(start - 1)] == UInt8(ascii: ".") && host[start...].elementsEqual(domain)
    }

    /// A name of one label, which is the default rule of the public suffix list; no list is carried.
    static func isPublicSuffix(_ domain: [UInt8]) -> Bool {
        !domain.isEmpty && !domain.contains(UInt8(ascii: ".")) && !isAddress(domain)
    }

    /// IPv4 with its four numbers, or IPv6, with or without brackets.
    static func isAddress(_ host: [UInt8]) -> Bool {
        host.contains(UInt8(ascii: ":")) || IPv6Syntax.isIPv4(host.span)
    }
}

/// Which paths a path covers (RFC 6265 §5.1.4).
enum CookiePath {
    /// The same, or a directory above it: `/a` covers `/a/b` and not `/ab`.
    static func matches(_ request: [UInt8], _ path: [UInt8]) -> Bool {
        guard request.starts(with: path) else { return false }
        return request.count == path.count || path.last == UInt8(ascii: "/")
            || request[path.count] == UInt8(ascii: "/")
    }
}
