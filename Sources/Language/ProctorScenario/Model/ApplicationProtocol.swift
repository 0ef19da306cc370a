import ProctorEvents
package import ProctorTLSWire

/// A protocol that an origin speaks, by its ALPN name (RFC 7301 §6).
package enum ApplicationProtocol: String, Sendable, CaseIterable {
    /// HTTP/2 (RFC 9113): over TLS where ALPN has agreed on it (§3.2), else by prior knowledge (§3.3).
    case h2
    case http11 = "http/1.1"

    /// The protocols of an origin that does not name any.
    package static let usual = [ApplicationProtocol.http11]
}

extension Origin {
    /// The protocols in order of preference; never empty.
    package var protocols: [ApplicationProtocol] { ownProtocols ?? ApplicationProtocol.usual }

    package var speaksHTTP2: Bool { protocols.contains(.h2) }

    /// The protocols in a run with that protocol: those of the fixture, or else that one.
    package func protocols(inRunOf wanted: ApplicationProtocol) -> [ApplicationProtocol] {
        ownProtocols ?? [wanted]
    }

    /// The TLS program in a run with that protocol; nil: no TLS.
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

    /// The case in a run with that protocol; for HTTP/2, the client needs the ability `h2`.
    package func asked(inRunOf wanted: ApplicationProtocol) -> Case {
        guard wanted == .h2 else { return self }
        var item = self
        item.needs.insert(.h2)
        return item
    }
}
