import ProctorBase

/// Where a Set-Cookie field comes from, or a Cookie field goes to.
///
/// A port is no part of it: cookies are not kept apart by port (RFC 6265 §8.5).
public struct CookiePlace: Sendable, Equatable {
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

    init(_ place: CookiePlace) {
        isSecure = place.isSecure
        host = place.canonicalHost
        path = place.requestPath
    }
}
