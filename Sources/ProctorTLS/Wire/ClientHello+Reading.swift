extension ClientHello {
    /// What is wrong with the message.
    struct Flaw: Error, Equatable {
        let sentence: String

        init(_ part: String) {
            sentence = "the \(part) of the ClientHello does not fit its length (RFC 8446 §4.1.2)"
        }
    }

    /// Reads what stands behind the message's head of four.
    init(body: ArraySlice<UInt8>, byteCount: Int) throws(Flaw) {
        self.init()
        self.byteCount = byteCount
        var reader = WireBytes(body)
        guard let version = reader.number16(), reader.bytes(32) != nil else { throw Flaw("head") }
        legacyVersion = version
        versions = [version]
        guard let identifier = reader.vector8(), identifier.count <= 32 else { throw Flaw("session identifier") }
        guard let suites = WireBytes.numbers(reader.vector16()), !suites.isEmpty else { throw Flaw("cipher suites") }
        cipherSuites = suites
        guard let methods = reader.vector8(), !methods.isEmpty else { throw Flaw("compression methods") }
        // TLS 1.3 clients send an identifier that means nothing (RFC 8446 §D.4), known by its versions below.
        wantsResumption = !identifier.isEmpty
        guard !reader.isEmpty else { return }
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw("list of extensions") }
        var offersVersion13 = false
        var hasTicket = false
        var entries = WireBytes(list)
        while !entries.isEmpty {
            guard let type = entries.number16(), let content = entries.vector16() else { throw Flaw("extension") }
            extensions.append(type)
            switch type {
            case 0: serverName = try Self.serverName(content)
            case 10: groups = try Self.numbers(content, "supported_groups")
            case 13: signatureSchemes = try Self.numbers(content, "signature_algorithms")
            case 16: applicationProtocols = try Self.protocols(content)
            case 35: hasTicket = hasTicket || !content.isEmpty
            case 41: hasTicket = true
            case 43:
                versions = try Self.versions(content)
                offersVersion13 = versions.contains(TLSVersion.tls13.rawValue)
            default: break
            }
        }
        wantsResumption = hasTicket || (wantsResumption && !offersVersion13)
    }

    private static func serverName(_ content: ArraySlice<UInt8>) throws(Flaw) -> [UInt8]? {
        var reader = WireBytes(content)
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw("server_name") }
        var entries = WireBytes(list)
        var host: [UInt8]?
        while !entries.isEmpty {
            guard let type = entries.number8(), let name = entries.vector16() else { throw Flaw("server_name") }
            if type == 0, host == nil { host = Array(name) }
        }
        return host
    }

    private static func protocols(_ content: ArraySlice<UInt8>) throws(Flaw) -> [[UInt8]] {
        let part = "application_layer_protocol_negotiation"
        var reader = WireBytes(content)
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw(part) }
        var entries = WireBytes(list)
        var names: [[UInt8]] = []
        while !entries.isEmpty {
            guard let name = entries.vector8(), !name.isEmpty else { throw Flaw(part) }
            names.append(Array(name))
        }
        return names
    }

    private static func versions(_ content: ArraySlice<UInt8>) throws(Flaw) -> [UInt16] {
        var reader = WireBytes(content)
        guard let versions = WireBytes.numbers(reader.vector8()), reader.isEmpty else {
            throw Flaw("supported_versions")
        }
        return versions
    }

    private static func numbers(_ content: ArraySlice<UInt8>, _ part: String) throws(Flaw) -> [UInt16] {
        var reader = WireBytes(content)
        guard let numbers = WireBytes.numbers(reader.vector16()), reader.isEmpty else { throw Flaw(part) }
        return numbers
    }
}
