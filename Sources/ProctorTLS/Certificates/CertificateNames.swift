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

/// What the authority may vouch for: this machine, and names that RFC 2606 keeps for tests and documents.
enum NameConstraints {
    /// With all their subdomains.
    static let hosts = ["localhost", "test", "example.org", "example.com", "example.net"]

    /// Address and mask: 127.0.0.0/8 and ::1/128.
    static let networks: [[UInt8]] = [
        [127, 0, 0, 0, 255, 0, 0, 0],
        [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 255, count: 16),
    ]

    static func permits(_ host: String) -> Bool {
        if let address = IPAddressBytes.of(host) {
            return networks.contains { network in
                let count = network.count / 2
                return address.count == count
                    && (0..<count).allSatisfy { address[$0] & network[count + $0] == network[$0] }
            }
        }
        let host = host.lowercased()
        guard isHost(host) else { return false }
        return hosts.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// Letters, digits and hyphens in labels of at most 63 bytes (RFC 1123 §2.1), 253 in all.
    private static func isHost(_ host: String) -> Bool {
        guard host.utf8.count <= 253 else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63
                && label.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F }
        }
    }
}
