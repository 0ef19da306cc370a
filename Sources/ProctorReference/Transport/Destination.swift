internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Where a connection leads, by which way and secured by what; those to the same one are as good as each other.
struct Destination: Hashable {
    /// Who reads the requests: the server, or the proxy that is handed them whole.
    let origin: Origin
    /// Who is asked for a tunnel to `origin` (RFC 9110 §9.3.6); nil: nobody.
    let tunnelProxy: Origin?
    /// Where whoever is dialled stands; nil: where its host says.
    let address: SocketAddress?
    /// nil for what is not secured.
    let security: ConnectionSecurity?

    init(
        _ origin: Origin, through tunnelProxy: Origin? = nil, _ security: ConnectionSecurity?,
        names: HostTable = HostTable()
    ) {
        self.origin = origin
        self.tunnelProxy = tunnelProxy
        self.security = origin.scheme == .https ? security : nil
        address = names.address(of: tunnelProxy ?? origin)
    }

    /// To the server itself, or by a proxy: a plain request is handed to it, a secured one goes through a tunnel.
    init(server: Origin, proxy: Origin?, security: ConnectionSecurity?, names: HostTable) {
        if let proxy, server.scheme == .http {
            self.init(proxy, security, names: names)
        } else {
            self.init(server, through: proxy, security, names: names)
        }
    }

    /// Whose name or address is connected to.
    var dialled: Origin { tunnelProxy ?? origin }

    /// Every address to try; names are not looked up.
    var addresses: [SocketAddress] {
        get throws(LoadError) {
            if let address { return [address] }
            let (host, port) = (dialled.host, UInt16(exactly: dialled.port))
            guard let port, let address = SocketAddress(host: dialled.undottedHost, port: port) else {
                throw LoadError(
                    .cannotFindHost,
                    "\"\(PrintableText.of(host, limit: 100))\" with port \(dialled.port): this client looks up no names "
                        + "and was told of none such; name it in the configuration, or use an address such as 127.0.0.1 "
                        + "or [::1], or localhost")
            }
            // RFC 6761 §6.3: the name stands for both loopback addresses, and a server may listen on either.
            return dialled.undottedHost == "localhost" ? [address, .ipv6(host: "::1", port: port)] : [address]
        }
    }

    static func == (one: Destination, other: Destination) -> Bool {
        one.origin == other.origin && one.tunnelProxy == other.tunnelProxy && one.address == other.address
            && one.security === other.security
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        if let tunnelProxy { hasher.combine(tunnelProxy) }
        if let address { hasher.combine(address) }
        if let security { hasher.combine(ObjectIdentifier(security)) }
    }
}
