internal import ProctorScenario
internal import ProctorTLSWire

/// The origins of a draft, as far as another scenario can have them.
struct DraftOrigins {
    /// `origins:` with its lines; empty where the implicit one is enough.
    let yaml: String
    let remarks: [String]

    /// The origins of `draft` were asked; origins that only URLs of replies name are declared too, since marks stand for
    /// them.
    init(of draft: DraftExchanges, scenario: Scenario?, mentioned: (String) -> Bool) {
        let names = draft.origins
        guard let scenario else {
            let lines = Self.protocols(of: "main", in: draft)
            yaml = lines.isEmpty ? "" : "origins:\n  main: { \(lines.joined(separator: ", ")) }\n"
            remarks = []
            return
        }
        var text = ""
        var remarks: [String] = []
        for origin in scenario.origins where names.contains(origin.name) || mentioned(origin.name) {
            let lines = Self.lines(of: origin) + Self.protocols(of: origin.name, in: draft)
            if let remark = Self.loss(of: origin) { remarks.append("origin \(origin.name): \(remark)") }
            if origin.name == "main", lines.isEmpty { continue }
            let content = lines.isEmpty ? "{}" : "{ \(lines.joined(separator: ", ")) }"
            text += "  \(YAMLText.quoted(origin.name)): \(content)\n"
        }
        yaml = text.isEmpty ? "" : "origins:\n\(text)"
        self.remarks = remarks
    }

    private static func lines(of origin: Origin) -> [String] {
        var lines: [String] = []
        if origin.role != .server { lines.append("role: \(origin.role.rawValue)") }
        if origin.scheme != .http { lines.append("scheme: \(origin.scheme.rawValue)") }
        switch origin.host {
        case .address: break
        case .loopback: lines.append("host: 127.0.0.1")
        case .localhost: lines.append("host: localhost")
        case .otherAddress: lines.append("host: other-address")
        case .ipv6: lines.append("host: ipv6")
        case .name(let name): lines.append("host: \(YAMLText.quoted(name))")
        }
        if let port = origin.port { lines.append("port: \(port)") }
        if origin.transport != .tcp { lines.append("transport: \(origin.transport.rawValue)") }
        if let tls = origin.tls, tls.given == nil, tls.certificate != TLSProgram().certificate {
            lines.append("certificate: \(YAMLText.quoted(tls.certificate))")
        }
        return lines
    }

    /// What was spoken with the origin, where that was not HTTP/1 alone.
    private static func protocols(of origin: String, in draft: DraftExchanges) -> [String] {
        guard draft.multiplexed.contains(origin) else { return [] }
        return ["protocols: [h2\(draft.plain.contains(origin) ? ", http/1.1" : "")]"]
    }

    /// What of the origin is not in the draft; nil where nothing is.
    private static func loss(of origin: Origin) -> String? {
        var losses: [String] = []
        if !origin.connectionEffects.isEmpty { losses.append("its effects") }
        if origin.tls?.given != nil { losses.append("its certificate, which is a file of the fixture") }
        if var tls = origin.tls {
            tls.certificate = TLSProgram().certificate
            tls.given = nil
            // The answer to ALPN follows from the protocols.
            if !origin.hasOwnALPN { tls.applicationProtocols = TLSProgram().applicationProtocols }
            if tls != TLSProgram() { losses.append("how it speaks TLS") }
        }
        return losses.isEmpty ? nil : "\(losses.joined(separator: " and ")) were left out"
    }
}
