package import ProctorEvents
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

/// What the origins of a run speak for which the scenario names no protocols.
package enum RunProtocol: String, Sendable, CaseIterable {
    case http11 = "http/1.1"
    case h2
    /// HTTP/2 as a client finds it by ALPN alone: origins of http have https.
    case h2OverTLS = "h2-tls"
    case h3

    package var spoken: ApplicationProtocol {
        switch self {
        case .http11: .http11
        case .h2, .h2OverTLS: .h2
        case .h3: .h3
        }
    }

    /// Whether no origin has http, so that scenarios without TLS are served by https.
    package var hasTLSAlone: Bool { self == .h2OverTLS || self == .h3 }

    /// The protocol over TLS alone, where `--tls` asks for it; nil where that says nothing.
    package var overTLS: RunProtocol? { self == .h2 ? .h2OverTLS : nil }

    /// Whether a client speaks it by ALPN alone, by the abilities that it declares; nil: it has no list of them.
    package func needsTLS(of abilities: Set<Ability>?) -> Bool {
        guard self == .h2 else { return false }
        guard let abilities else { return true }
        return abilities.contains(.h2) && !abilities.contains(.priorKnowledge)
    }

    /// What is asked of a client; one that speaks HTTP/2 by ALPN alone is asked it over TLS.
    package func spoken(byALPNAlone isByALPNAlone: Bool) -> RunProtocol {
        self == .h2 && isByALPNAlone ? .h2OverTLS : self
    }

    /// The sitting of its cases in the records that are kept of all clients (Docs/matrix).
    package var sitting: String { spoken == .h2 ? "http2" : "http1" }

    /// As sentences name it.
    package var name: String {
        switch self {
        case .http11: "HTTP/1.1"
        case .h2: "HTTP/2"
        case .h2OverTLS: "HTTP/2 with TLS"
        case .h3: "HTTP/3"
        }
    }

    /// The flags of commands that ask for it; empty for HTTP/1.1.
    package var flags: String {
        switch self {
        case .http11: ""
        case .h2, .h3: "--protocol \(rawValue)"
        case .h2OverTLS: "--protocol h2 --tls"
        }
    }
}

extension Origin {
    /// The protocols in order of preference; never empty.
    package var protocols: [ApplicationProtocol] { ownProtocols ?? ApplicationProtocol.usual }

    package var speaksHTTP2: Bool { protocols.contains(.h2) }

    package var speaksHTTP3: Bool { protocols.contains(.h3) }

    /// The protocols in a run with that protocol: those of the fixture, or else that one.
    ///
    /// A proxy without protocols of its own is spoken to over HTTP/1.1; tunnels through it carry what their ends speak.
    package func protocols(inRunOf wanted: RunProtocol) -> [ApplicationProtocol] {
        ownProtocols ?? [role == .proxy && wanted.spoken == .h2 ? .http11 : wanted.spoken]
    }

    /// Whether it has TLS in a run with that protocol, and none by its fixture; a proxy stays at what it speaks.
    package func getsTLS(inRunOf wanted: RunProtocol) -> Bool {
        wanted.hasTLSAlone && ownProtocols == nil && tls == nil && (role != .proxy || wanted == .h3)
    }

    /// Whether these are HTTP/3 alone.
    package func speaksHTTP3Alone(inRunOf wanted: RunProtocol) -> Bool {
        guard let ownProtocols else { return wanted == .h3 }
        return ownProtocols.count == 1 && ownProtocols[0] == .h3
    }

    /// What its end of HTTP/2 does in a run with that protocol; `opensWebSockets`: the scenario does, which over HTTP/2 needs a
    /// setting (RFC 8441 §3).
    package func http2(inRunOf wanted: RunProtocol, opensWebSockets: Bool) -> HTTP2Behaviour {
        guard wanted.spoken == .h2, opensWebSockets, ownProtocols == nil else { return http2 }
        var behaviour = http2
        behaviour.settings.append(Setting(.enableConnectProtocol, 1))
        return behaviour
    }

    /// The TLS program in a run with that protocol; nil: no TLS.
    package func tls(inRunOf wanted: RunProtocol) -> TLSProgram? {
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
    /// The client needs the ability `h2` or `h3`, and `trust` where every origin has TLS. Over HTTP/2 a WebSocket is opened by an
    /// extended CONNECT in place of a GET (RFC 8441 §4).
    package func asked(inRunOf wanted: RunProtocol) -> Case {
        guard wanted != .http11 else { return self }
        var item = self
        item.needs.insert(wanted == .h3 ? .h3 : .h2)
        if wanted.hasTLSAlone { item.needs.insert(.trust) }
        guard wanted.spoken == .h2 else { return item }
        // A case that needs it by itself says what comes over HTTP/2.
        guard opensWebSocket, item.needs.insert(.websocketH2).inserted else { return item }
        let loaded = Set(client.filter { $0.task != .websocket }.compactMap(\.url.literalBytes))
        item.wire = wire?.replacing { $0.byExtendedConnect(except: loaded) }
        return item
    }
}

extension Scenario {
    /// The scenario in a run with that protocol: where it has TLS alone, origins without protocols of their own have https.
    package func served(over wanted: RunProtocol) -> Scenario {
        guard wanted.hasTLSAlone else { return self }
        var scenario = self
        for index in origins.indices where origins[index].getsTLS(inRunOf: wanted) {
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
