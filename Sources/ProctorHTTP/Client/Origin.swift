import ProctorBase

/// Scheme, host and port: whom a client talks to and whose secrets are whose (RFC 9110 §4.3.1).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// Decides the default port, and whether the connection is secured.
    public let scheme: HTTPScheme
    /// In lower case, an IPv6 address without its brackets; addresses are not brought to one spelling.
    public let host: String
    /// 0...65535; the scheme's own where the URL names none.
    public let port: Int

    /// The host is lower-cased and loses its brackets.
    public init(scheme: HTTPScheme, host: String, port: Int) {
        self.scheme = scheme
        var name = host.utf8.map(\.asciiLowercased)[...]
        if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") { name = name.dropFirst().dropLast() }
        self.host = String(decoding: name, as: UTF8.self)
        self.port = port
    }

    /// What Host says: the host, bracketed where it holds colons, and the port if it is not the scheme's own
    /// (RFC 9110 §7.2).
    public var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    /// As the Origin field writes it (RFC 6454 §6.2): `http://example.com:8080`.
    public var description: String { "\(scheme.rawValue)://\(authority)" }
}

/// The schemes that are served over HTTP connections (RFC 9110 §4.2).
public enum HTTPScheme: String, Sendable, CaseIterable {
    case http, https

    /// 80 and 443 (RFC 9110 §4.2.1 and §4.2.2).
    public var defaultPort: Int {
        switch self {
        case .http: 80
        case .https: 443
        }
    }
}
