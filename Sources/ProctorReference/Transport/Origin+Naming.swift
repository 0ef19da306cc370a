internal import ProctorHTTP
internal import ProctorLoop

extension Origin {
    /// Without the dot that may end a name: how it is looked up, and how TLS has it (RFC 6066 §3).
    ///
    /// Host says the name as the URL does, dot and all (RFC 9110 §7.2).
    var undottedHost: String {
        guard host.utf8.count > 1, host.utf8.last == UInt8(ascii: ".") else { return host }
        return String(host.dropLast())
    }

    /// Host and port, whatever the port: the target of CONNECT (authority-form, RFC 9112 §3.2.3).
    var hostAndPort: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether only this machine is meant, by an address or by `localhost` (RFC 6761 §6.3).
    var isLoopback: Bool { SocketAddress(host: undottedHost, port: 0)?.isLoopback ?? false }
}
