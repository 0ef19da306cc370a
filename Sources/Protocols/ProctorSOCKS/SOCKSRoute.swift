internal import ProctorBase
package import ProctorLoop

/// A proxy of SOCKS, and how it is spoken to.
package struct SOCKSProxy: Sendable, Hashable {
    package let address: SocketAddress?
    package let speaksVersion4: Bool
    /// Whether names are looked up here, and the proxy is asked for addresses.
    package let looksUpNames: Bool
    let user: [UInt8]?
    let password: [UInt8]

    package init(
        _ address: SocketAddress?, speaksVersion4: Bool, looksUpNames: Bool, user: String?, password: String?
    ) {
        (self.address, self.speaksVersion4, self.looksUpNames) = (address, speaksVersion4, looksUpNames)
        self.user = user.map { Array($0.utf8) }
        self.password = Array((password ?? "").utf8)
    }
}

/// The conversation with a proxy of SOCKS (RFC 1928, RFC 1929, and the documents of SOCKS 4 and 4a).
package struct SOCKSRoute: Sendable, Hashable {
    package let proxy: SOCKSProxy
    /// Where the server's name leads to; nil: it is not looked up.
    private let resolved: SocketAddress?

    package init(_ proxy: SOCKSProxy, to resolved: SocketAddress?) {
        (self.proxy, self.resolved) = (proxy, resolved)
    }

    /// What is said to the proxy; throws where the host is a name that is not known and the proxy is not asked for.
    package func conversation(
        about host: String, port: Int, _ fault: SOCKSFault?
    ) throws(SOCKSConversation.Refusal) -> SOCKSConversation {
        let (place, port) = try place(of: host, port, fault)
        if case .name(let name) = place, name.count > SOCKSReader.textByteLimit {
            throw SOCKSConversation.Refusal(
                sentence:
                    "the name has \(name.count) bytes; a request of SOCKS says \(SOCKSReader.textByteLimit) at most",
                isOfHost: true)
        }
        for (what, text) in [("user", proxy.user ?? []), ("password", proxy.password)]
        where text.count > SOCKSReader.textByteLimit {
            throw SOCKSConversation.Refusal(
                sentence: "the \(what) has \(text.count) bytes; SOCKS says \(SOCKSReader.textByteLimit) at most")
        }
        let old: SOCKSVersion = if case .name = place { .fourWithName } else { .four }
        let request = SOCKSRequest(
            proxy.speaksVersion4 ? old : .five, place, port: port, user: proxy.speaksVersion4 ? proxy.user ?? [] : [])
        return SOCKSConversation(
            request, account: proxy.user.map { SOCKSConversation.Account(user: $0, password: proxy.password) }, fault)
    }

    /// The address or name that the proxy is asked for.
    private func place(
        of host: String, _ port: Int, _ fault: SOCKSFault?
    ) throws(SOCKSConversation.Refusal) -> (SOCKSAddress, UInt16) {
        let looksUp = fault == .looksUpNames || proxy.looksUpNames && fault != .sendsNames
        guard let port = UInt16(exactly: port) else {
            throw SOCKSConversation.Refusal(sentence: "no port \(port) can be asked for", isOfHost: true)
        }
        if let address = SocketAddress(host: host, port: port), host != "localhost",
            let place = Self.place(of: address)
        {
            guard case .ipv6 = place, proxy.speaksVersion4 else { return (place, port) }
            throw SOCKSConversation.Refusal(sentence: "SOCKS 4 has no addresses of IPv6")
        }
        guard looksUp else { return (.name(Array(host.utf8)), port) }
        let address = resolved ?? SocketAddress(host: "127.0.0.1", port: port)
        if resolved != nil || host == "localhost" || fault == .looksUpNames, let address,
            let place = Self.place(of: address)
        {
            return (place, address.port.map { UInt16($0) } ?? port)
        }
        throw SOCKSConversation.Refusal(
            sentence: "this client looks up no names and was told of no address for "
                + PrintableText.sanitize(host, limit: 100), isOfHost: true)
    }

    private static func place(of address: SocketAddress) -> SOCKSAddress? {
        switch address {
        case .ipv4(let host, _), .ipv6(let host, _): SOCKSAddress(written: host)
        case .unix: nil
        }
    }
}
