internal import ProctorDocument
internal import ProctorScenario
internal import ProctorTLSWire

/// The origins of a draft, with the settings that another scenario can have.
struct DraftOrigins {
    /// The text of `origins:`; empty when the implicit origin is enough.
    let yaml: String
    let remarks: [String]

    /// Declares the origins that got requests, and those that only occur in URLs of replies, since marks refer to them.
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

    /// The protocols of the origin, unless it was only HTTP/1.
    private static func protocols(of origin: String, in draft: DraftExchanges) -> [String] {
        guard draft.multiplexed.contains(origin) else { return [] }
        return ["protocols: [h2\(draft.plain.contains(origin) ? ", http/1.1" : "")]"]
    }

    /// A sentence about the settings of the origin that the draft lacks; nil when it has all.
    private static func loss(of origin: Origin) -> String? {
        var losses: [String] = []
        if !origin.connectionEffects.isEmpty { losses.append("its effects") }
        if origin.tls?.given != nil { losses.append("its certificate, which is a file of the fixture") }
        if var tls = origin.tls {
            tls.certificate = TLSProgram().certificate
            tls.given = nil
            // The answer to ALPN is computed from the protocols.
            if !origin.hasOwnALPN { tls.applicationProtocols = TLSProgram().applicationProtocols }
            if tls != TLSProgram() { losses.append("how it speaks TLS") }
        }
        return losses.isEmpty ? nil : "\(losses.joined(separator: " and ")) were left out"
    }
}
