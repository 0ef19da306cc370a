// What the journal says of TLS, read back.
extension JournalFields {
    /// nil for an event that is none of TLS.
    func tlsEvent(named name: String) throws(LineFault) -> JournalEvent? {
        switch name {
        case "clientHello": .clientHello(try clientHello())
        case "secured": .secured(try handshake())
        case "handshakeFailed": .handshakeFailed(moment: try text("moment"), reason: try text("reason"))
        case "alert": .alert(try alert())
        default: nil
        }
    }

    private func clientHello() throws(LineFault) -> ClientHelloNote {
        ClientHelloNote(
            versions: try texts("versions"), cipherSuites: try texts("cipherSuites"),
            serverName: try textIfAny("serverName"), applicationProtocols: try texts("applicationProtocols"),
            extensions: try texts("extensions"), groups: try texts("groups"), byteCount: try integer("byteCount"))
    }

    private func handshake() throws(LineFault) -> HandshakeNote {
        HandshakeNote(
            version: try text("version"), cipherSuite: try text("cipherSuite"), group: try textIfAny("group"),
            applicationProtocol: try textIfAny("applicationProtocol"), serverName: try textIfAny("serverName"),
            isResumed: try flag("isResumed"), certificate: try text("certificate"),
            clientCertificate: try textIfAny("clientCertificate"))
    }

    private func alert() throws(LineFault) -> AlertNote {
        guard let number = UInt8(exactly: try integer("number")) else {
            throw LineFault(0, "'number' of an alert is a whole number from 0 to 255")
        }
        return AlertNote(by: try choice("by"), isFatal: try flag("isFatal"), number: number, name: try text("name"))
    }
}
