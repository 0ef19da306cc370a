import ProctorBase
import ProctorJournal
import ProctorTLSWire

extension Scenario {
    /// Why the scenario can't be run over HTTP/2, in the order of the file; empty when it can.
    ///
    /// For an origin with `protocols` of its own, and for its exchanges, only the lack of `h2` is an obstacle.
    /// Obstacles of a single case are in ``http2Obstacles(of:)``.
    package var http2Obstacles: [HTTP2Obstacle] { obstacles(over: .h2) }

    /// The same for HTTP/2 or HTTP/3, which carry the same messages on streams.
    package func obstacles(over wanted: ApplicationProtocol) -> [HTTP2Obstacle] {
        let obstacles = exchangeObstacles(of: exchanges, at: origins, over: wanted)
        guard wanted == .h3 else { return obstacles }
        return (obstacles + PlainHTTPObstacles(origins: origins).found(in: exchanges)).inOrder
    }

    /// The obstacles of one exchange: those of its origin, its guards and its own.
    package func http2Obstacles(of exchange: Exchange) -> [HTTP2Obstacle] {
        exchangeObstacles(of: [exchange], at: [origins[exchange.origin]], over: .h2)
    }

    private func exchangeObstacles(
        of exchanges: [Exchange], at asked: [Origin], over wanted: ApplicationProtocol
    ) -> [HTTP2Obstacle] {
        let served = exchanges.filter { origins[$0.origin].ownProtocols == nil }
        let used = Set(served.flatMap(\.guards))
        let found =
            asked.flatMap { $0.obstacles(over: wanted) }
            + (wanted == .h3 ? served.flatMap(\.http3Obstacles) : [])
            + served.flatMap { exchange in
                ExchangeObstacles(exchange: exchange, libraries: libraries).found
            }
            + guards.filter { used.contains($0.index) }.flatMap { $0.http2Obstacles(libraries) }
        return found.inOrder
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
    fileprivate func obstacles(over wanted: ApplicationProtocol) -> [HTTP2Obstacle] {
        if let ownProtocols {
            guard !ownProtocols.contains(wanted) else { return [] }
            let names = ownProtocols.map { $0 == .http11 ? "HTTP/1.1" : $0.rawValue }.joined(separator: " and ")
            return [HTTP2Obstacle(location, "the origin \(name) speaks \(names) alone")]
        }
        var sentences = wanted == .h3 ? http3Sentences : []
        if role == .proxy { sentences.append("the origin \(name) is a proxy, which is spoken to over HTTP/1.1") }
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
            let name: String
            switch scheme {
            case .messages(let offer): name = offer.scheme
            case .ntlm(let offer): name = offer.spelling ?? "NTLM"
            case .negotiate(let offer): name = offer.spelling ?? "Negotiate"
            case .basic, .digest, .bearer, .verbatim: return nil
            }
            return HTTP2Obstacle(
                location, "\(name) authenticates a connection, and the requests of HTTP/2 share one")
        }
        return messages
            + (refusals + [end?.reply].compactMap(\.self)).flatMap {
                ReplyObstacles(reply: $0, neverHasBody: false, libraries: libraries).found
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
