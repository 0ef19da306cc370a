internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where the origins of one run listen.
struct OriginAddresses {
    /// The run's own, or that of the server.
    let host: SocketAddress
    /// Another one than the run's; nil where there is none.
    let otherHost: SocketAddress?
    /// nil where no origin listens on a Unix socket.
    let sockets: SocketFolder?

    /// What is called `localhost` stands where that name leads on every machine.
    func address(of origin: Origin, at index: Int) throws(HostRefusal) -> SocketAddress {
        if origin.transport == .unix, let sockets { return sockets.socket(ofOrigin: index) }
        switch (origin.host, host) {
        case (.localhost, .ipv6("::1", _)): return host
        case (.loopback, _), (.localhost, _): return .ipv4(host: "127.0.0.1", port: 0)
        case (.ipv6, _): return .ipv6(host: "::1", port: 0)
        case (.otherAddress, _):
            guard let otherHost else { throw Self.noOther(of: origin) }
            return otherHost
        case (.address, _), (.name, _): return host
        }
    }

    /// Why an origin can't have its address; nil where that is the fault of something else.
    static func refusal(of origin: Origin, _ failure: CallFailure) -> HostRefusal? {
        switch origin.host {
        case .ipv6 where failure.code == EADDRNOTAVAIL || failure.code == EAFNOSUPPORT:
            HostRefusal("\(origin.location): this system has no loopback address of IPv6: \(failure.text)")
        case .otherAddress where failure.code == EADDRNOTAVAIL: noOther(of: origin)
        default: nil
        }
    }

    private static func noOther(of origin: Origin) -> HostRefusal {
        HostRefusal(
            "\(origin.location): 'other-address' needs all of 127.0.0.0/8, as Linux has it, and a server on 127.0.0.1 "
                + "whose runs have addresses of their own")
    }
}
