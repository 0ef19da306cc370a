extension Origin {
    /// What a URL can call the machine without anything to resolve.
    public enum Host: Sendable, Equatable {
        /// The address that is listened on; TLS clients send no server name then (RFC 6066 §3).
        case address
        /// 127.0.0.1 itself, whatever address the run has.
        case loopback
        /// The name that every machine has for itself.
        case localhost
        /// Another address of this machine than the run's, so that it is another host to cookies and credentials.
        case otherAddress
        /// The loopback address of IPv6.
        case ipv6
        /// Lower-case, in the form of the DNS, without a point at its end; nobody resolves it, the client is told where it
        /// stands (``Assignment/NamedHost``) or comes by a proxy.
        case name(String)
    }

    /// What an origin can listen on.
    public enum Transport: String, Sendable, CaseIterable {
        case tcp
        /// A socket of the file system.
        case unix
    }

    /// The name that its URLs call it by; nil for an address or `localhost`.
    public var hostName: String? {
        guard case .name(let name) = host else { return nil }
        return name
    }

    /// The port that its URLs mean, where the host is a name.
    public var namedPort: Int { port ?? scheme.defaultPort }

    /// Host and port of its URLs, where `address` is what is listened on: `127.0.0.1:40000` or `[::1]:40000`.
    public func authority(at address: String) -> String {
        switch host {
        case .address, .loopback, .otherAddress, .ipv6: return address
        case .localhost:
            guard let colon = address.lastIndex(of: ":") else { return address }
            return "localhost" + address[colon...]
        case .name(let name): return namedPort == scheme.defaultPort ? name : "\(name):\(namedPort)"
        }
    }
}

extension Origin.Scheme {
    /// RFC 9110 §4.2.1, §4.2.2.
    public var defaultPort: Int { self == .http ? 80 : 443 }
}
