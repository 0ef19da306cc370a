/// All names and addresses that a leaf contains.
package struct CertificateNames: Sendable, Hashable {
    /// DNS names, lower case, without a trailing dot; at most 100.
    package let hosts: [String]
    /// IPv4 and IPv6 addresses as text, without brackets; at most 100.
    package let addresses: [String]

    /// The names of this machine, used by default.
    package static let loopback = CertificateNames(hosts: ["localhost"], addresses: ["127.0.0.1", "::1"])

    private static let limit = 100

    /// Removes duplicates, and names beyond the limit.
    package init(hosts: [String], addresses: [String]) {
        self.hosts = Self.each(hosts)
        self.addresses = Self.each(addresses)
    }

    /// Adds the name that a client requested, at the front.
    package func asked(for host: String) -> CertificateNames {
        guard !host.isEmpty else { return self }
        return IPAddressBytes.parse(host) == nil
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

/// The names that the authority may sign: this machine, and those reserved by RFC 2606.
enum NameConstraints {
    /// Hosts that are permitted together with all their subdomains.
    static let hosts = ["localhost", "test", "example.org", "example.com", "example.net"]

    /// Address and mask: 127.0.0.0/8 and ::1/128.
    static let networks: [[UInt8]] = [
        [127, 0, 0, 0, 255, 0, 0, 0],
        [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 255, count: 16),
    ]

    static func permits(_ host: String) -> Bool {
        if let address = IPAddressBytes.parse(host) {
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
