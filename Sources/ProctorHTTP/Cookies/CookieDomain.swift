import ProctorBase

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
