import ProctorEvents
package import ProctorTLSWire

/// A protocol that an origin speaks, by its ALPN name (RFC 7301 §6).
package enum ApplicationProtocol: String, Sendable, CaseIterable {
    /// HTTP/2 (RFC 9113): over TLS where ALPN has agreed on it (§3.2), else by prior knowledge (§3.3).
    case h2
    case http11 = "http/1.1"

    /// What origins speak that say nothing.
    package static let usual = [ApplicationProtocol.http11]
}

extension Origin {
    /// In order of preference; never empty.
    package var protocols: [ApplicationProtocol] { ownProtocols ?? ApplicationProtocol.usual }

    package var speaksHTTP2: Bool { protocols.contains(.h2) }

    /// Those that it speaks in a run of that protocol: its own, where the fixture says them.
    package func protocols(inRunOf wanted: ApplicationProtocol) -> [ApplicationProtocol] {
        ownProtocols ?? [wanted]
    }

    /// Its TLS in a run of that protocol; nil: none.
    package func tls(inRunOf wanted: ApplicationProtocol) -> TLSProgram? {
        guard var program = tls else { return nil }
        if !hasOwnALPN {
            program.applicationProtocols = .select(protocols(inRunOf: wanted).map(\.rawValue))
        }
        return program
    }
}

extension Case {
    /// Whether its client must speak HTTP/2.
    package var speaksHTTP2: Bool { needs.contains(.h2) }

    /// The case as a client is asked it in a run of that protocol, which it must speak then.
    package func asked(inRunOf wanted: ApplicationProtocol) -> Case {
        guard wanted == .h2 else { return self }
        var item = self
        item.needs.insert(.h2)
        return item
    }
}
