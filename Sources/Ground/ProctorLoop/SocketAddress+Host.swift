extension SocketAddress {
    /// Whether a client of this machine may reach this address, with any port, as `localhost` or by an address.
    ///
    /// A name of another kind may be one that a page of a browser has had resolved to this machine.
    package func isReached(at host: String) -> Bool {
        if host == "localhost" { return true }
        guard let address = SocketAddress(host: host, port: 0) else { return false }
        return address.isLoopback || address == with(port: 0)
    }

    /// The same for the value of a Host field: `localhost:8088`, `[::1]`; names below `localhost` too (RFC 6761 §6.3).
    package func isReached(atAuthority authority: String) -> Bool {
        var host = authority.lowercased()[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return false }
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.lastIndex(of: ":") {
            host = host[..<colon]
        }
        if host.last == "." { host.removeLast() }
        return host.hasSuffix(".localhost") || isReached(at: String(host))
    }
}
