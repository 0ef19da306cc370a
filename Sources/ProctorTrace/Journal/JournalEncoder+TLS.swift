import ProctorBase

// What the journal says of TLS.
extension JournalEncoder {
    static func append(_ hello: ClientHelloNote, to json: inout JSONText) {
        json.member("ev", "clientHello")
        append(hello.versions, named: "versions", to: &json)
        append(hello.cipherSuites, named: "cipherSuites", to: &json)
        if let name = hello.serverName { json.member("serverName", name) }
        append(hello.applicationProtocols, named: "applicationProtocols", to: &json)
        append(hello.extensions, named: "extensions", to: &json)
        append(hello.groups, named: "groups", to: &json)
        json.member("byteCount", hello.byteCount)
    }

    static func append(_ handshake: HandshakeNote, to json: inout JSONText) {
        json.member("ev", "secured")
        json.member("version", handshake.version)
        json.member("cipherSuite", handshake.cipherSuite)
        if let group = handshake.group { json.member("group", group) }
        if let name = handshake.applicationProtocol { json.member("applicationProtocol", name) }
        if let name = handshake.serverName { json.member("serverName", name) }
        json.member("isResumed", handshake.isResumed)
        json.member("certificate", handshake.certificate)
        if let client = handshake.clientCertificate { json.member("clientCertificate", client) }
    }

    static func append(_ alert: AlertNote, to json: inout JSONText) {
        json.member("ev", "alert")
        json.member("by", alert.party.rawValue)
        json.member("isFatal", alert.isFatal)
        json.member("number", Int(alert.number))
        json.member("name", alert.name)
    }

    private static func append(_ texts: [String], named key: StaticString, to json: inout JSONText) {
        json.key(key)
        json.open("[")
        for text in texts { json.element(text) }
        json.close("]")
    }
}
