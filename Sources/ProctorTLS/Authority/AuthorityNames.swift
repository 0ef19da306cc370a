/// What the authority may vouch for: this machine, and names that RFC 2606 keeps for tests and documents.
enum AuthorityNames {
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
