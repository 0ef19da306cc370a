internal import ProctorLoop
internal import ProctorTLS

extension RevocationPlace {
    /// On the shared port at `address`, as a client on this machine reaches it.
    init(servedAt address: SocketAddress) {
        let reachable: SocketAddress =
            switch address {
            case .ipv4("0.0.0.0", let port): .ipv4(host: "127.0.0.1", port: port)
            case .ipv6("::", let port): .ipv6(host: "::1", port: port)
            case .ipv4, .ipv6, .unix: address
            }
        let base = "http://\(reachable)\(ControlCall.prefix)"
        self.init(revocationList: "\(base)/crl", responder: "\(base)/ocsp")
    }
}
