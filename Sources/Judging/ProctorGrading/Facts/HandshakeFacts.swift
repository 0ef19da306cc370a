import ProctorJournal
import ProctorScenario

/// The facts `tls[N].…`, of a connection on which a handshake began.
enum HandshakeFacts {
    typealias Row = GatheredFact<SeenHandshake>

    static let rows: [Row] = [
        // The negotiated values, by their IANA names.
        Row(row("version", "the TLS version of $"), because: notCompleted) { Measurement($0.handshake?.version) },
        Row(row("cipher", "the cipher suite of $"), because: notCompleted) { Measurement($0.handshake?.cipherSuite) },
        Row(row("group", "the key exchange group of $"), because: notCompleted) { Measurement($0.handshake?.group) },
        Row(row("alpn", "the protocol that $ agreed on", over: .protocolsOfALPN), because: notCompleted) {
            Measurement($0.handshake?.applicationProtocol)
        },
        // RFC 6066 §3.
        Row(
            row("server-name", "the server name that the client sent in $", shownBy: .serverName),
            because: { _, _, _ in "the client sent no server_name" }
        ) { Measurement($0.hello?.serverName) },
        Row(row("resumed", "whether $ resumed a session", .flag), because: notCompleted) {
            $0.handshake.map { Measurement($0.isResumed) } ?? .absent
        },
        Row(row("certificate", "the profile of the server's certificate in $"), because: notCompleted) {
            Measurement($0.handshake?.certificate)
        },
        Row(
            row("client", "what was found of the client's certificate in $"),
            because: { notCompleted($0, $1, $2) ?? "the client showed no certificate" }
        ) { Measurement($0.handshake?.clientCertificate) },
        Row(
            row("alert", "the client's fatal alert in $"), because: { _, _, _ in "the client sent no fatal alert" }
        ) { Measurement($0.fatalAlert?.name) },
        Row(row("end", "how $ ended"), because: { _, _, _ in "the handshake came to no end" }) {
            $0.handshake != nil ? Measurement("secured") : $0.failure != nil ? Measurement("failed") : .absent
        },
        // What the ClientHello offered, in its order.
        Row(row("offered.versions", "the TLS versions that the client offered in $", .list)) {
            Measurement(ofList: $0.hello?.versions)
        },
        Row(row("offered.ciphers", "the cipher suites that the client offered in $", .list)) {
            Measurement(ofList: $0.hello?.cipherSuites)
        },
        Row(row("offered.groups", "the groups that the client offered in $", .list)) {
            Measurement(ofList: $0.hello?.groups)
        },
        Row(row("offered.alpn", "the protocols that the client offered in $", .list, over: .protocolsOfALPN)) {
            Measurement(ofList: $0.hello?.applicationProtocols)
        },
        Row(row("offered.extensions", "the extensions that the client offered in $", .list)) {
            Measurement(ofList: $0.hello?.extensions)
        },
    ]

    private static func row(
        _ name: String, _ words: String, _ values: FactValues = .text, over scope: FactScope = .allVersions,
        shownBy place: FactPlace = .nowhere
    ) -> FactRow { FactRow(name, words, values, over: scope, shownBy: place, subject: .connections) }

    private static let notCompleted: Row.Because = { seen, _, _ in
        if let failure = seen.failure {
            return "the handshake failed: \(EventText.printable(failure.reason, limit: 200))"
        }
        return seen.handshake == nil ? "the handshake was not completed" : nil
    }
}
