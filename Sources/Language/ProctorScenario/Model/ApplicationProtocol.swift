import ProctorEvents
internal import ProctorHTTP
internal import ProctorNotation
internal import ProctorProgram
package import ProctorTLSWire

/// A protocol that an origin speaks, by its ALPN name (RFC 7301 §6).
package enum ApplicationProtocol: String, Sendable, CaseIterable {
    /// HTTP/2 (RFC 9113): over TLS where ALPN has agreed on it (§3.2), else by prior knowledge (§3.3).
    case h2
    case http11 = "http/1.1"
    /// HTTP/3 (RFC 9114): over QUIC, at the UDP port with the number of the origin's.
    case h3

    /// The protocols of an origin that does not name any.
    package static let usual = [ApplicationProtocol.http11]

    /// Filled by the module that speaks HTTP/2.
    package static let http2 = PartSlot<Void>("HTTP/2")
}

extension Origin {
    /// The protocols in order of preference; never empty.
    package var protocols: [ApplicationProtocol] { ownProtocols ?? ApplicationProtocol.usual }

    package var speaksHTTP2: Bool { protocols.contains(.h2) }

    package var speaksHTTP3: Bool { protocols.contains(.h3) }

    /// The protocols in a run with that protocol: those of the fixture, or else that one.
    package func protocols(inRunOf wanted: ApplicationProtocol) -> [ApplicationProtocol] {
        ownProtocols ?? [wanted]
    }

    /// Whether these are HTTP/3 alone.
    package func speaksHTTP3Alone(inRunOf wanted: ApplicationProtocol) -> Bool {
        guard let ownProtocols else { return wanted == .h3 }
        return ownProtocols.count == 1 && ownProtocols[0] == .h3
    }

    /// What its end of HTTP/2 does in a run with that protocol; `opensWebSockets`: the scenario does, which over HTTP/2 needs a
    /// setting (RFC 8441 §3).
    package func http2(inRunOf wanted: ApplicationProtocol, opensWebSockets: Bool) -> HTTP2Behaviour {
        guard wanted == .h2, opensWebSockets, ownProtocols == nil else { return http2 }
        var behaviour = http2
        behaviour.settings.append(Setting(.enableConnectProtocol, 1))
        return behaviour
    }

    /// The TLS program in a run with that protocol; nil: no TLS.
    package func tls(inRunOf wanted: ApplicationProtocol) -> TLSProgram? {
        guard var program = tls else { return nil }
        if !hasOwnALPN {
            // Over TCP there is no HTTP/3.
            program.applicationProtocols = .select(
                protocols(inRunOf: wanted).filter { $0 != .h3 }.map(\.rawValue))
        }
        return program
    }
}

extension Case {
    /// Whether its client must speak HTTP/2.
    package var speaksHTTP2: Bool { needs.contains(.h2) }

    /// Whether its client must speak HTTP/3.
    package var speaksHTTP3: Bool { needs.contains(.h3) }

    package var opensWebSocket: Bool { client.contains { $0.task == .websocket } }

    /// The case in a run with that protocol.
    ///
    /// For HTTP/3 the client needs the abilities `h3` and `trust`. For HTTP/2 it needs `h2`, and a WebSocket is opened by an extended CONNECT in place of a GET
    /// (RFC 8441 §4).
    package func asked(inRunOf wanted: ApplicationProtocol) -> Case {
        guard wanted != .http11 else { return self }
        var item = self
        guard wanted == .h2 else {
            // QUIC has TLS always.
            item.needs.formUnion([.h3, .trust])
            return item
        }
        item.needs.insert(.h2)
        // A case that needs it by itself says what comes over HTTP/2.
        guard opensWebSocket, item.needs.insert(.websocketH2).inserted else { return item }
        let loaded = Set(client.filter { $0.task != .websocket }.compactMap(\.url.literalBytes))
        item.wire = wire?.replacing { $0.byExtendedConnect(except: loaded) }
        return item
    }
}

extension Scenario {
    /// The scenario in a run with that protocol: over HTTP/3 the origins without protocols of their own have https.
    package func served(over wanted: ApplicationProtocol) -> Scenario {
        guard wanted == .h3 else { return self }
        var scenario = self
        for index in origins.indices where origins[index].ownProtocols == nil && origins[index].tls == nil {
            scenario.origins[index].scheme = .https
            scenario.origins[index].tls = TLSProgram()
            scenario.origins[index].hasTLSOfRun = true
        }
        return scenario
    }
}

extension NotationSymbol {
    /// The request that opens a WebSocket over HTTP/2; those for `loaded` targets stay.
    fileprivate func byExtendedConnect(except loaded: Set<[UInt8]>) -> NotationSymbol {
        guard name == "request" else { return self }
        return NotationSymbol(
            name: name,
            arguments: arguments.map { argument in
                guard case .exact(let text) = argument, text.hasPrefix("GET "),
                    !loaded.contains(Array(text.utf8.dropFirst(4)))
                else { return argument }
                return .exact("CONNECT " + text.dropFirst(4))
            })
    }
}
