internal import ProctorBase
internal import ProctorDialling
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorSOCKS

/// Origin, route and TLS settings of a connection; connections with equal ones are interchangeable.
struct Destination: Hashable {
    /// The reader of the requests: the server, or the proxy for requests in absolute form.
    let origin: Origin
    /// The proxy that makes a tunnel to `origin` (RFC 9110 §9.3.6); nil: no tunnel.
    let tunnelProxy: Origin?
    /// Where to connect to; nil: the host of `origin`.
    private let knownPlace: HostPlace?
    let security: ConnectionSecurity?
    /// Whether HTTP/2 is spoken: over TLS when the server chooses it, else with prior knowledge (RFC 9113 §3.3).
    let speaksHTTP2: Bool
    /// Whether HTTP/3 is spoken, over QUIC, and nothing else (RFC 9114 §3.1).
    private(set) var speaksHTTP3 = false
    /// Whether the protocol between client and proxy is HTTP/2, so that the tunnel is a stream (§8.5).
    let isTunnelledByStream: Bool
    /// The service that is asked in place of `origin` (RFC 7838); nil: none.
    private(set) var alternative: Alternative?
    /// The proxy of SOCKS on the way to `origin`, whose address is ``address``; nil: none.
    private(set) var socks: SOCKSRoute?

    init(
        _ origin: Origin, through tunnelProxy: Origin? = nil, _ security: ConnectionSecurity?,
        names: HostTable = HostTable(), speaksHTTP2: Bool = false, isTunnelledByStream: Bool = false
    ) {
        (self.origin, self.isTunnelledByStream, self.tunnelProxy) = (origin, isTunnelledByStream, tunnelProxy)
        self.speaksHTTP2 = speaksHTTP2
        self.security = origin.scheme == .https || tunnelProxy?.scheme == .https ? security : nil
        knownPlace = names.place(of: tunnelProxy ?? origin)
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

    /// The way to a server by an alternative service of it; the certificate is that of the server (RFC 7838 §2.1).
    init(_ server: Origin, by alternative: Alternative, _ security: ConnectionSecurity?, names: HostTable) {
        origin = server
        (self.alternative, self.security) = (alternative, security)
        speaksHTTP2 = alternative.protocolName == "h2"
        speaksHTTP3 = alternative.protocolName == "h3"
        knownPlace = names.place(of: alternative.place)
        (tunnelProxy, isTunnelledByStream) = (nil, false)
    }

    /// The way to a server over QUIC, at the UDP port with the number of its port.
    init(_ server: Origin, overHTTP3By security: ConnectionSecurity?, names: HostTable) {
        self.init(server, security, names: names)
        speaksHTTP3 = true
    }

    private init(_ origin: Origin, _ security: ConnectionSecurity?, speaksHTTP2: Bool, address: SocketAddress?) {
        (self.origin, self.speaksHTTP2) = (origin, speaksHTTP2)
        self.security = origin.scheme == .https ? security : nil
        knownPlace = address.map { .addresses([$0]) }
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

    /// Whether a connection may carry the requests of many transfers.
    var sharesConnections: Bool { speaksHTTP2 || speaksHTTP3 }

    var dialled: Origin { tunnelProxy ?? alternative?.place ?? origin }

    /// Whether its addresses are known, and not asked for.
    var knownAddresses: [SocketAddress]? { if case .addresses(let list)? = try? place { list } else { nil } }

    var place: HostPlace {
        get throws(LoadError) {
            if let knownPlace { return knownPlace }
            let (host, port) = (dialled.host, UInt16(exactly: dialled.port))
            guard let port, let address = SocketAddress(host: dialled.undottedHost, port: port) else {
                throw LoadError(
                    .cannotFindHost,
                    "\"\(PrintableText.sanitize(host, limit: 100))\" with port \(dialled.port): this client looks up no names "
                        + "and was told of none such; name it in the configuration, or use an address such as 127.0.0.1 "
                        + "or [::1], or localhost")
            }
            // RFC 6761 §6.3: the name means both loopback addresses, and a server may listen on only one.
            return .addresses(
                dialled.undottedHost == "localhost" ? [address, .ipv6(host: "::1", port: port)] : [address])
        }
    }

    static func == (one: Destination, other: Destination) -> Bool {
        one.origin == other.origin && one.tunnelProxy == other.tunnelProxy && one.knownPlace == other.knownPlace
            && one.security === other.security && one.speaksHTTP2 == other.speaksHTTP2
            && one.isTunnelledByStream == other.isTunnelledByStream && one.socks == other.socks
            && one.alternative == other.alternative && one.speaksHTTP3 == other.speaksHTTP3
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        if let tunnelProxy { hasher.combine(tunnelProxy) }
        if let knownPlace { hasher.combine(knownPlace) }
        if let security { hasher.combine(ObjectIdentifier(security)) }
        hasher.combine(speaksHTTP2)
        hasher.combine(speaksHTTP3)
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
