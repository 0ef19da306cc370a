import ProctorTrace

/// What the journal says of TLS, in a line for a person; names that came from the peer are escaped.
enum TLSText {
    static func of(_ hello: ClientHelloNote) -> String {
        let name = hello.serverName.map { " for \(text($0))" } ?? ""
        let protocols = hello.applicationProtocols.isEmpty ? "" : ", \(list(hello.applicationProtocols))"
        let count = WireText.count(hello.cipherSuites.count, "cipher suite")
        return "ClientHello\(name): TLS \(list(hello.versions)), \(count)\(protocols)"
    }

    static func of(_ handshake: HandshakeNote) -> String {
        let group = handshake.group.map { ", \(text($0))" } ?? ""
        let chosen = handshake.applicationProtocol.map { ", \(text($0))" } ?? ""
        let client = handshake.clientCertificate.map { ", client \(text($0))" } ?? ""
        let how = handshake.isResumed ? ", resumed" : ", certificate \(text(handshake.certificate))"
        return
            "secured by TLS \(text(handshake.version)), \(text(handshake.cipherSuite))\(group)\(chosen)\(how)\(client)"
    }

    static func of(_ alert: AlertNote) -> String {
        "alert \(alert.number) (\(text(alert.name))) \(alert.party == .client ? "from the client" : "sent")"
            + (alert.isFatal ? ", fatal" : "")
    }

    static func failure(_ moment: String, _ reason: String) -> String {
        "handshake failed (\(text(moment))): \(text(reason, limit: 500))"
    }

    /// The first eight, and how many follow.
    private static func list(_ texts: [String]) -> String {
        let shown = texts.prefix(8).map { text($0) }.joined(separator: " ")
        return texts.count > 8 ? "\(shown) and \(texts.count - 8) more" : shown
    }

    private static func text(_ text: String, limit: Int = 100) -> String { EventText.printable(text, limit: limit) }
}
