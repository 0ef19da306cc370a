internal import ProctorBase
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorScenario

/// Finds what of a case exists only in HTTP/1.1.
struct CaseObstacles {
    let item: Case
    let exchanges: [Exchange]
    let origins: [Origin]

    var all: [HTTP2Obstacle] {
        item.client.flatMap(obstacles) + openings + sharedEnds + schemes.obstacles(in: item) + proxied
            + item.facts.compactMap { fact in sentence(of: fact).map { HTTP2Obstacle(fact.location, $0) } }
    }

    /// Facts that expect a connection with HTTP/1.1.
    var ofSpeech: [HTTP2Obstacle] {
        item.facts.compactMap { fact in
            guard case .connection(_, "protocol") = fact.name, case .text(let wanted) = fact.expected,
                wanted.literalBytes == Array(ApplicationProtocol.http11.rawValue.utf8)
            else { return nil }
            return HTTP2Obstacle(fact.location, "the fact wants a connection of HTTP/1.1")
        }
    }

    // MARK: The program

    private func obstacles(_ program: ClientProgram) -> [HTTP2Obstacle] {
        var obstacles = program.headers.compactMap { field in
            HTTP2Fields.fault(of: field).map { HTTP2Obstacle(field.location, $0) }
        }
        func add(_ sentence: String) { obstacles.append(HTTP2Obstacle(program.location, sentence)) }
        if program.method == "CONNECT" { add("CONNECT opens a tunnel of HTTP/1.1") }
        guard let session = program.session else { return obstacles }
        if let obstacle = session.setup.obstacle(in: .http2) { add(obstacle) }
        return obstacles
    }

    private var schemes: StepsDown { StepsDown(exchanges: exchanges, origins: origins) }

    /// Steps that ask a proxy for http: it gets their requests itself, over HTTP/1.1, where https goes through a tunnel.
    private var proxied: [HTTP2Obstacle] {
        var hasProxy = false
        return item.client.compactMap { program in
            if let session = program.session {
                let isOfHTTP = session.proxy.map { origins.indices.contains($0) && origins[$0].asksByRequests } ?? false
                hasProxy = isOfHTTP || session.pac != nil
            }
            guard hasProxy, schemes.scheme(of: program.url, at: 0) != .https else { return nil }
            return HTTP2Obstacle(program.location, "the client asks a proxy for http, which it does over HTTP/1.1")
        }
    }

    /// Exchanges that refuse an opening handshake by a 2xx reply, which over HTTP/2 opens the WebSocket.
    private var openings: [HTTP2Obstacle] {
        guard item.opensWebSocket else { return [] }
        let loaded = item.client.filter { $0.task != .websocket }.compactMap(\.url.literalBytes)
        return exchanges.filter { exchange in
            !exchange.answersOpeningHandshake && !loaded.contains { $0 == exchange.request.target.exactBytes }
        }.map { HTTP2Obstacle($0.location, "a 2xx reply to an extended CONNECT opens a WebSocket (RFC 8441 §5)") }
    }

    /// Steps that begin together share a connection over HTTP/2; an effect that closes it ends the other loads too.
    private var sharedEnds: [HTTP2Obstacle] {
        guard item.client.contains(where: \.isTogether) else { return [] }
        return item.client.compactMap { program in
            guard let url = program.url.literalBytes,
                exchanges.contains(where: { exchange in
                    exchange.request.target.exactBytes == url
                        && exchange.replies.contains { $0.effects.contains { $0.action.row.ends == .connection } }
                })
            else { return nil }
            return HTTP2Obstacle(
                program.location, "an effect ends the connection of one load, which the others share over HTTP/2")
        }
    }

    // MARK: Facts

    private func sentence(of fact: Fact) -> String? {
        switch fact.name.row.scope {
        case .allVersions: nil
        case .http11(let sentence): sentence
        case .http11Values(let sentence):
            [.absent, .list([]), .number(0)].contains(fact.expected) ? nil : sentence
        case .unsharedConnections:
            sharesConnections
                ? "the fact is about connections, and a load that ends early or beside others leaves that of HTTP/2 open"
                : nil
        case .statusWithout101:
            fact.expected == .number(101) ? "the fact wants a 101, which HTTP/2 has not (RFC 9113 §8.6)" : nil
        case .field(let name):
            fact.expected != .absent && HTTP2Fields.isOfConnections(name)
                ? "the fact is about the field \(name) of HTTP/1.1 (RFC 9113 §8.2.2)" : nil
        }
    }

    /// Whether a load may end or wait so that HTTP/1.1 closes a connection where HTTP/2 only resets a stream.
    private var sharesConnections: Bool {
        item.client.contains { $0.isTogether || $0.step.canEndLoad }
            || item.client.first?.session?.setup.canEndLoad == true
            || exchanges.contains { $0.reads != .all || $0.expectation != .continue }
    }
}

extension Origin {
    /// Whether it is a proxy of HTTP/1.1, which gets requests in place of their servers.
    fileprivate var asksByRequests: Bool { role == .proxy && socks == nil && ownProtocols == nil }
}

extension Fact.Expectation {
    fileprivate static func number(_ number: Int) -> Self {
        .text(Template(parts: [.literal(Array(String(number).utf8))]))
    }
}
