internal import ProctorBase
package import ProctorHTTP
internal import ProctorLoop
internal import ProctorSOCKS

/// A proxy of SOCKS, and how it is spoken to.
package struct SOCKSProxy: Sendable, Hashable {
    let address: SocketAddress?
    let speaksVersion4: Bool
    /// Whether names are looked up here, and the proxy is asked for addresses.
    let looksUpNames: Bool
    let user: [UInt8]?
    let password: [UInt8]

    /// `proxy` is its host, an address, and its port.
    package init(_ proxy: Origin, speaksVersion4: Bool, looksUpNames: Bool, user: String?, password: String?) {
        address = UInt16(exactly: proxy.port).flatMap { SocketAddress(host: proxy.undottedHost, port: $0) }
        self.speaksVersion4 = speaksVersion4
        self.looksUpNames = looksUpNames
        self.user = user.map { Array($0.utf8) }
        self.password = Array((password ?? "").utf8)
    }
}

/// The conversation with a proxy of SOCKS (RFC 1928, RFC 1929, and the documents of SOCKS 4 and 4a).
struct SOCKSRoute: Sendable, Hashable {
    let proxy: SOCKSProxy
    /// Where the server's name leads to; nil: it is not looked up.
    private let found: SocketAddress?

    init(_ proxy: SOCKSProxy, to found: SocketAddress?) {
        self.proxy = proxy
        self.found = found
    }

    /// What is said to the proxy; throws where the host is a name that this client does not know and the proxy is not
    /// asked for.
    func conversation(about origin: Origin, _ fault: SOCKSFault?) throws(LoadError) -> SOCKSConversation {
        let (place, port) = try place(of: origin, fault)
        let old: SOCKSVersion = if case .name = place { .fourWithName } else { .four }
        let request = SOCKSRequest(
            proxy.speaksVersion4 ? old : .five, place, port: port, user: proxy.speaksVersion4 ? proxy.user ?? [] : [])
        return SOCKSConversation(
            request, account: proxy.user.map { SOCKSConversation.Account(user: $0, password: proxy.password) }, fault)
    }

    /// The address or name that the proxy is asked for.
    private func place(of origin: Origin, _ fault: SOCKSFault?) throws(LoadError) -> (SOCKSAddress, UInt16) {
        let looksUp = fault == .looksUpNames || proxy.looksUpNames && fault != .sendsNames
        guard let port = UInt16(exactly: origin.port) else {
            throw LoadError(.cannotFindHost, "no port \(origin.port) can be asked for")
        }
        if let address = SocketAddress(host: origin.undottedHost, port: port), origin.undottedHost != "localhost",
            let place = Self.place(of: address)
        {
            guard case .ipv6 = place, proxy.speaksVersion4 else { return (place, port) }
            throw LoadError(.cannotConnect, "SOCKS 4 has no addresses of IPv6")
        }
        guard looksUp else { return (.name(Array(origin.undottedHost.utf8)), port) }
        let address = found ?? SocketAddress(host: "127.0.0.1", port: port)
        if found != nil || origin.undottedHost == "localhost" || fault == .looksUpNames, let address,
            let place = Self.place(of: address)
        {
            return (place, address.port.map { UInt16($0) } ?? port)
        }
        throw LoadError(
            .cannotFindHost,
            "this client looks up no names and was told of no address for "
                + PrintableText.sanitize(origin.host, limit: 100))
    }

    private static func place(of address: SocketAddress) -> SOCKSAddress? {
        switch address {
        case .ipv4(let host, _), .ipv6(let host, _): SOCKSAddress(written: host)
        case .unix: nil
        }
    }
}
