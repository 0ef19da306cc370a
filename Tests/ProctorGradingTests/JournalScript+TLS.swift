import ProctorTrace

extension JournalScript {
    mutating func hello(_ connection: Int = 0, serverName: String? = nil) {
        add(
            .clientHello(
                ClientHelloNote(
                    versions: ["1.3", "1.2"], cipherSuites: ["TLS_AES_128_GCM_SHA256", "GREASE"],
                    serverName: serverName, applicationProtocols: ["http/1.1"], extensions: [], groups: ["x25519"],
                    byteCount: 517)),
            on: connection)
    }

    mutating func secure(_ connection: Int = 0, resumed: Bool = false, client: String? = nil) {
        add(
            .secured(
                HandshakeNote(
                    version: "1.3", cipherSuite: "TLS_AES_128_GCM_SHA256", group: "x25519",
                    applicationProtocol: "http/1.1", isResumed: resumed, certificate: "valid",
                    clientCertificate: client)),
            on: connection)
    }

    /// By the client, who says why.
    mutating func fail(_ connection: Int = 0, alert number: UInt8, _ name: String, at moment: String = "certificate") {
        add(.alert(AlertNote(by: .client, isFatal: true, number: number, name: name)), on: connection)
        add(.handshakeFailed(moment: moment, reason: "the client sent alert \(number) (\(name))"), on: connection)
    }
}
