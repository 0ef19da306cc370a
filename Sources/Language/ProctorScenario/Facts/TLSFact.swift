extension FactName {
    package enum TLSFact: String, GroupedFact {
        /// The negotiated values, by their IANA names.
        case version, cipher, group, alpn
        /// The server name that the client sent (RFC 6066 §3).
        case serverName = "server-name"
        case resumed
        case certificate
        case client
        /// The name of the client's last fatal alert.
        case alert
        /// How the handshake ended: `secured` or `failed`.
        case end
        /// The versions that the ClientHello offered, in its order.
        case offeredVersions = "offered.versions"
        case offeredCiphers = "offered.ciphers"
        case offeredGroups = "offered.groups"
        case offeredALPN = "offered.alpn"
        case offeredExtensions = "offered.extensions"

        package var row: FactRow {
            switch self {
            case .version: FactRow("the TLS version of $")
            case .cipher: FactRow("the cipher suite of $")
            case .group: FactRow("the key exchange group of $")
            case .alpn: FactRow("the protocol that $ agreed on", over: .protocolsOfALPN)
            case .serverName: FactRow("the server name that the client sent in $", shownBy: .serverName)
            case .resumed: FactRow("whether $ resumed a session", .flag)
            case .certificate: FactRow("the profile of the server's certificate in $")
            case .client: FactRow("what was found of the client's certificate in $")
            case .alert: FactRow("the client's fatal alert in $")
            case .end: FactRow("how $ ended")
            case .offeredVersions: FactRow("the TLS versions that the client offered in $", .list)
            case .offeredCiphers: FactRow("the cipher suites that the client offered in $", .list)
            case .offeredGroups: FactRow("the groups that the client offered in $", .list)
            case .offeredALPN:
                FactRow("the protocols that the client offered in $", .list, over: .protocolsOfALPN)
            case .offeredExtensions: FactRow("the extensions that the client offered in $", .list)
            }
        }
    }
}
