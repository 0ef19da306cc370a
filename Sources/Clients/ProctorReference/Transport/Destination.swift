internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorSOCKS

/// Origin, route and TLS settings of a connection; connections with equal ones are interchangeable.
struct Destination: Hashable {
    /// The reader of the requests: the server, or the proxy for requests in absolute form.
    let origin: Origin
    /// The proxy that makes a tunnel to `origin` (RFC 9110 §9.3.6); nil: no tunnel.
    let tunnelProxy: Origin?
    /// The address to connect to; nil: the host of `origin`.
    let address: SocketAddress?
    let security: ConnectionSecurity?
    /// Whether HTTP/2 is spoken: over TLS when the server chooses it, else with prior knowledge (RFC 9113 §3.3).
    let speaksHTTP2: Bool
    /// Whether the protocol between client and proxy is HTTP/2, so that the tunnel is a stream (§8.5).
    let isTunnelledByStream: Bool
    /// The proxy of SOCKS on the way to `origin`, whose address is ``address``; nil: none.
    private(set) var socks: SOCKSRoute?

    init(
        _ origin: Origin, through tunnelProxy: Origin? = nil, _ security: ConnectionSecurity?,
        names: HostTable = HostTable(), speaksHTTP2: Bool = false, isTunnelledByStream: Bool = false
    ) {
        self.origin = origin
        self.isTunnelledByStream = isTunnelledByStream
        self.tunnelProxy = tunnelProxy
        self.speaksHTTP2 = speaksHTTP2
        self.security = origin.scheme == .https || tunnelProxy?.scheme == .https ? security : nil
        address = names.address(of: tunnelProxy ?? origin)
    }

    /// The way to a server through a proxy of SOCKS.
    init(
        _ server: Origin, through proxy: SOCKSProxy, _ security: ConnectionSecurity?, names: HostTable,
        speaksHTTP2: Bool
    ) {
        let table = proxy.looksUpNames ? names : HostTable()
        self.init(server, security, speaksHTTP2: speaksHTTP2, address: proxy.address)
        socks = SOCKSRoute(proxy, to: table.address(of: server))
    }

    private init(_ origin: Origin, _ security: ConnectionSecurity?, speaksHTTP2: Bool, address: SocketAddress?) {
        self.origin = origin
        self.speaksHTTP2 = speaksHTTP2
        self.security = origin.scheme == .https ? security : nil
        self.address = address
        (tunnelProxy, isTunnelledByStream) = (nil, false)
    }

    /// With a proxy, a plain request is sent to it with the whole URL, and a secured one goes through a tunnel, or both.
    init(
        server: Origin, proxy: Origin?, security: ConnectionSecurity?, names: HostTable, speaksHTTP2: Bool = false,
        proxySpeaksHTTP2: Bool = false, tunnelsEverything: Bool = false
    ) {
        if let proxy, server.scheme == .http, !tunnelsEverything {
            self.init(proxy, security, names: names, speaksHTTP2: proxySpeaksHTTP2)
        } else {
            self.init(
                server, through: proxy, security, names: names, speaksHTTP2: speaksHTTP2,
                isTunnelledByStream: proxy != nil && proxySpeaksHTTP2)
        }
    }

    /// The destination of the proxy that makes the tunnel on a stream; nil without one.
    func ofProxy(_ names: HostTable) -> Destination? {
        guard isTunnelledByStream, let tunnelProxy else { return nil }
        return Destination(tunnelProxy, security, names: names, speaksHTTP2: true)
    }

    /// The proxy to which TLS is spoken around the tunnel; nil without one.
    var securedProxy: Destination? {
        guard !isTunnelledByStream, let tunnelProxy, tunnelProxy.scheme == .https else { return nil }
        return Destination(tunnelProxy, security)
    }

    var dialled: Origin { tunnelProxy ?? origin }

    var addresses: [SocketAddress] {
        get throws(LoadError) {
            if let address { return [address] }
            let (host, port) = (dialled.host, UInt16(exactly: dialled.port))
            guard let port, let address = SocketAddress(host: dialled.undottedHost, port: port) else {
                throw LoadError(
                    .cannotFindHost,
                    "\"\(PrintableText.sanitize(host, limit: 100))\" with port \(dialled.port): this client looks up no names "
                        + "and was told of none such; name it in the configuration, or use an address such as 127.0.0.1 "
                        + "or [::1], or localhost")
            }
            // RFC 6761 §6.3: the name means both loopback addresses, and a server may listen on only one.
            return dialled.undottedHost == "localhost" ? [address, .ipv6(host: "::1", port: port)] : [address]
        }
    }

    static func == (one: Destination, other: Destination) -> Bool {
        one.origin == other.origin && one.tunnelProxy == other.tunnelProxy && one.address == other.address
            && one.security === other.security && one.speaksHTTP2 == other.speaksHTTP2
            && one.isTunnelledByStream == other.isTunnelledByStream && one.socks == other.socks
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        if let tunnelProxy { hasher.combine(tunnelProxy) }
        if let address { hasher.combine(address) }
        if let security { hasher.combine(ObjectIdentifier(security)) }
        hasher.combine(speaksHTTP2)
    }
}

/// The addresses of host names; this client knows no other names, since it uses no resolver.
public struct HostTable: Sendable, Hashable {
    private var addresses: [NamedHost: SocketAddress] = [:]

    private struct NamedHost: Hashable {
        let name: String
        let port: Int
    }

    /// Why an entry of a host table is invalid.
    public struct InvalidEntry: Error, Sendable, Equatable, CustomStringConvertible {
        /// The reason as a sentence.
        public let description: String
    }

    /// Makes an empty table.
    public init() {}

    /// Whether the table has no entry.
    public var isEmpty: Bool { addresses.isEmpty }

    /// Maps a name to `127.0.0.1:4711`, `[::1]:4711` or `unix:/path`; `port` is that of its URLs, 1...65535.
    ///
    /// Names are compared without case and without a dot at their end. A later entry replaces an earlier one.
    public mutating func set(_ address: String, for name: String, port: Int) throws(InvalidEntry) {
        let key = Self.key(name)
        guard !key.isEmpty, SocketAddress(host: key, port: 0) == nil else {
            throw InvalidEntry(
                description: "\"\(PrintableText.sanitize(name, limit: 100))\" is no name that could stand elsewhere; "
                    + "expected one like home.example.org")
        }
        guard 1...65535 ~= port else {
            throw InvalidEntry(
                description: "the port \(port) of \(key) is none; expected 1...65535, as its URLs have it")
        }
        guard let found = SocketAddress(table: address) else {
            throw InvalidEntry(
                description: "\"\(PrintableText.sanitize(address, limit: 200))\" is no address for \(key); expected "
                    + "127.0.0.1:4711, [::1]:4711 or unix:/absolute/path")
        }
        addresses[NamedHost(name: key, port: port)] = found
    }

    /// nil where the table has no entry; the host may itself be an address.
    func address(of origin: Origin) -> SocketAddress? {
        guard !addresses.isEmpty else { return nil }
        return addresses[NamedHost(name: Self.key(origin.host), port: origin.port)]
    }

    private static func key(_ name: String) -> String {
        Origin(scheme: .http, host: name, port: 0).undottedHost
    }
}

extension Origin {
    /// The host without the trailing dot, for look-ups and for TLS (RFC 6066 §3).
    ///
    /// The Host field has the name as in the URL, with the dot (RFC 9110 §7.2).
    var undottedHost: String {
        guard host.utf8.count > 1, host.utf8.last == UInt8(ascii: ".") else { return host }
        return String(host.dropLast())
    }

    /// Host and port, even a default port: the target of CONNECT (authority-form, RFC 9112 §3.2.3).
    var hostAndPort: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether the host is a loopback address or `localhost` (RFC 6761 §6.3).
    var isLoopback: Bool { SocketAddress(host: undottedHost, port: 0)?.isLoopback ?? false }
}
