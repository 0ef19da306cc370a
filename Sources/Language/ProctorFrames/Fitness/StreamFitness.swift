internal import ProctorBase
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorTLSWire

/// What exists only in HTTP/1.1.
struct StreamFitness: ProtocolFitness {
    func obstacles(of scenario: Scenario, over wanted: RunProtocol) -> [HTTP2Obstacle] {
        let obstacles = obstacles(of: scenario.exchanges, at: scenario.origins, in: scenario, over: wanted)
        let plain = PlainHTTPObstacles(origins: scenario.origins, wanted: wanted)
        return (obstacles + plain.obstacles(in: scenario.exchanges)).inOrder
    }

    func exchangeObstacles(_ exchange: Exchange, in scenario: Scenario) -> [HTTP2Obstacle] {
        obstacles(of: [exchange], at: [scenario.origins[exchange.origin]], in: scenario, over: .h2)
    }

    func caseObstacles(_ item: Case, in scenario: Scenario, over wanted: RunProtocol) -> [HTTP2Obstacle] {
        if wanted == .h3, item.opensWebSocket, let program = item.client.first {
            return [HTTP2Obstacle(program.location, "a WebSocket is opened over HTTP/1.1 and HTTP/2 alone")]
        }
        let obstacles = CaseObstacles(item: item, exchanges: scenario.exchanges, origins: scenario.origins)
        guard scenario.origins.contains(where: { $0.ownProtocols == nil }) else { return obstacles.ofSpeech.inOrder }
        let plain = PlainHTTPObstacles(origins: scenario.origins, wanted: wanted)
        return (obstacles.all + plain.obstacles(in: item)).inOrder
    }

    private func obstacles(
        of exchanges: [Exchange], at origins: [Origin], in scenario: Scenario, over wanted: RunProtocol
    ) -> [HTTP2Obstacle] {
        let served = exchanges.filter { exchange in
            let origin = scenario.origins[exchange.origin]
            return origin.ownProtocols == nil && (origin.role != .proxy || wanted == .h3)
        }
        let used = Set(served.flatMap(\.guards))
        let obstacles =
            origins.flatMap { $0.obstacles(over: wanted) }
            + (wanted == .h3 ? served.flatMap(\.http3Obstacles) : tunnelObstacles(of: exchanges, in: scenario))
            + served.flatMap { ExchangeObstacles(exchange: $0, libraries: scenario.libraries).all }
            + scenario.guards.filter { used.contains($0.index) }.flatMap { $0.http2Obstacles(scenario.libraries) }
        return obstacles.inOrder
    }
}

extension StreamFitness {
    /// Tunnels whose other end is a proxy, which speaks HTTP/1.1 within TLS too.
    private func tunnelObstacles(of exchanges: [Exchange], in scenario: Scenario) -> [HTTP2Obstacle] {
        exchanges.flatMap(\.replies).compactMap { reply in
            guard let end = reply.tunnelEnd, scenario.origins[end.origin].role == .proxy,
                scenario.origins[end.origin].ownProtocols == nil
            else { return nil }
            return HTTP2Obstacle(reply.location, "the tunnel ends at a proxy, which speaks HTTP/1.1")
        }
    }
}

extension [HTTP2Obstacle] {
    /// The obstacles in the order of the file, each once.
    var inOrder: [HTTP2Obstacle] {
        let sorted = self.sorted { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
        return sorted.reduce(into: []) { result, item in
            if !result.contains(item) { result.append(item) }
        }
    }
}

extension Origin {
    fileprivate func obstacles(over wanted: RunProtocol) -> [HTTP2Obstacle] {
        if let ownProtocols {
            guard !ownProtocols.contains(wanted.spoken) else { return [] }
            let names = ownProtocols.map { $0 == .http11 ? "HTTP/1.1" : $0.rawValue }.joined(separator: " and ")
            return [HTTP2Obstacle(location, "the origin \(name) speaks \(names) alone")]
        }
        // A proxy goes on to speak HTTP/1.1, and knows nothing of what its tunnels carry.
        if role == .proxy, wanted != .h3 { return [] }
        var sentences = wanted == .h3 ? http3Sentences : []
        if acceptance == .anything {
            sentences.append("the origin \(name) accepts requests that RFC 9112 has no reading of")
        }
        if limits?.lineByteCount != nil || limits?.headByteCount != nil {
            sentences.append("the limits of the origin \(name) count the bytes of HTTP/1.1")
        }
        if (scheme == .https) != (tls != nil), role == .server {
            sentences.append("the origin \(name) does not speak what its scheme says, and is seen by HTTP/1.1 alone")
        }
        sentences += tls.map(obstacles) ?? []
        return sentences.map { HTTP2Obstacle(location, $0) }
            + connectionEffects.compactMap { effect in
                effect.http2Sentence.map { HTTP2Obstacle(effect.location, $0) }
            }
    }

    /// What stands at a port of TCP, or is said of TLS over TCP.
    private var http3Sentences: [String] {
        var sentences: [String] = []
        if role != .server { sentences.append("the origin \(name) is no server, and stands at a port of TCP") }
        if transport == .unix { sentences.append("the origin \(name) listens on a Unix socket") }
        if receiveBufferByteCount != nil { sentences.append("the origin \(name) bounds the buffer of TCP") }
        if !connectionEffects.isEmpty { sentences.append("the origin \(name) has effects on connections of TCP") }
        if var program = tls {
            // QUIC has the certificate from it, and nothing else.
            let usual = TLSProgram()
            program.certificate = usual.certificate
            program.given = nil
            program.applicationProtocols = usual.applicationProtocols
            if program != usual { sentences.append("the origin \(name) says how TLS is spoken over TCP") }
        }
        return sentences
    }

    private func obstacles(_ program: TLSProgram) -> [String] {
        var sentences: [String] = []
        if hasOwnALPN { sentences.append("the origin \(name) says itself what ALPN selects") }
        if program.newest < .tls12 {
            sentences.append("the origin \(name) speaks no TLS 1.2, which HTTP/2 needs (RFC 9113 §9.2)")
        }
        if program.newest == .tls12, program.ciphers != nil || program.dhBits != nil {
            sentences.append(
                "the origin \(name) chooses ciphers of TLS 1.2, which HTTP/2 may prohibit (RFC 9113 Appendix A)")
        }
        if program.clientCertificate == .afterHandshake {
            sentences.append(
                "the origin \(name) asks for a certificate after the handshake, which HTTP/2 prohibits "
                    + "(RFC 9113 §9.2.3)")
        }
        if program.plainHTTP != .answer {
            sentences.append("the origin \(name) says what becomes of plain HTTP/1.1 at its port of TLS")
        }
        return sentences
    }
}

extension ConnectionEffect {
    fileprivate var http2Sentence: String? {
        switch position {
        case .requestHead, .requestBody: "the effect stands at a byte of a request of HTTP/1.1"
        case .accept, .handshake, .preface: action.row.http2Sentence
        }
    }
}

extension EffectRow {
    /// Why the effect exists only in HTTP/1.1, half a sentence; nil when it does not.
    var http2Sentence: String? { layer == .bytes ? "the effect sends bytes in place of frames" : nil }
}

extension Guard {
    fileprivate func http2Obstacles(_ libraries: [FixtureScript]) -> [HTTP2Obstacle] {
        let messages = schemes.compactMap { scheme -> HTTP2Obstacle? in
            guard case .other(let offer) = scheme, offer.isOfConnection else { return nil }
            return HTTP2Obstacle(
                location, "\(offer.spelling) authenticates a connection, and the requests of HTTP/2 share one")
        }
        return messages
            + (refusals + [end?.reply].compactMap(\.self)).flatMap {
                ReplyObstacles(reply: $0, neverHasBody: false, libraries: libraries).all
            }
    }
}

extension Exchange {
    /// Effects that work on what QUIC has not.
    fileprivate var http3Obstacles: [HTTP2Obstacle] {
        replies.flatMap(\.effects).compactMap { effect in
            switch (effect.action.row.layer, effect.action.row.verb) {
            case (.tls, _): HTTP2Obstacle(location, "an effect works on records of TLS, which QUIC has not")
            case (.frames, _), (.http3, _): nil
            case (.http2, _): HTTP2Obstacle(location, "an effect sends frames of HTTP/2")
            case (.time, _), (.connection, _), (.bytes, _): nil
            }
        }
    }
}
