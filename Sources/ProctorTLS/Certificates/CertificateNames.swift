/// What a leaf is minted for: all the ways in which a client may name the server.
public struct CertificateNames: Sendable, Hashable {
    /// DNS names, lower case, without a trailing dot; at most 100.
    public let hosts: [String]
    /// IPv4 and IPv6 addresses as text, without brackets; at most 100.
    public let addresses: [String]

    /// What a client on this machine says when nothing else is known.
    public static let loopback = CertificateNames(hosts: ["localhost"], addresses: ["127.0.0.1", "::1"])

    private static let limit = 100

    /// Takes each name once, in order; what is beyond the limit is left out.
    public init(hosts: [String], addresses: [String]) {
        self.hosts = Self.each(hosts)
        self.addresses = Self.each(addresses)
    }

    /// The same with one name more, at the front: the one that a client asked for.
    public func asked(for host: String) -> CertificateNames {
        guard !host.isEmpty else { return self }
        return IPAddressBytes.of(host) == nil
            ? CertificateNames(hosts: [host] + hosts, addresses: addresses)
            : CertificateNames(hosts: hosts, addresses: [host] + addresses)
    }

    private static func each(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.map { name in
            let name = name.lowercased()
            return name.hasSuffix(".") ? String(name.dropLast()) : name
        }.filter { !$0.isEmpty && seen.insert($0).inserted }.prefix(limit).map { $0 }
    }
}
