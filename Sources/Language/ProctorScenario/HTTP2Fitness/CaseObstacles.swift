import ProctorBase
import ProctorJournal
import ProctorProgram

extension Scenario {
    /// Why a case can't be run over HTTP/2 although its scenario can; empty when the case can.
    ///
    /// When the fixture sets the protocols of every origin, only a fact that expects HTTP/1.1 is an obstacle, since the
    /// client is told to speak HTTP/2.
    package func http2Obstacles(of item: Case) -> [HTTP2Obstacle] { obstacles(of: item, over: .h2) }

    /// The same for HTTP/2 or HTTP/3.
    package func obstacles(of item: Case, over wanted: ApplicationProtocol) -> [HTTP2Obstacle] {
        if wanted == .h3, item.opensWebSocket, let program = item.client.first {
            return [HTTP2Obstacle(program.location, "a WebSocket is opened over HTTP/1.1 and HTTP/2 alone")]
        }
        let obstacles = CaseObstacles(item: item, exchanges: exchanges, origins: origins)
        guard origins.contains(where: { $0.ownProtocols == nil }) else { return obstacles.ofSpeech.inOrder }
        guard wanted == .h3 else { return obstacles.found.inOrder }
        return (obstacles.found + PlainHTTPObstacles(origins: origins).found(in: item)).inOrder
    }
}

/// Finds parts of a case that exist only in HTTP/1.1.
struct CaseObstacles {
    package let item: Case
    package let exchanges: [Exchange]
    package let origins: [Origin]

    package var found: [HTTP2Obstacle] {
        item.client.flatMap(obstacles) + openings + sharedEnds
            + StepsDown(exchanges: exchanges, origins: origins).found(in: item)
            + item.facts.compactMap { fact in sentence(of: fact).map { HTTP2Obstacle(fact.location, $0) } }
    }

    /// Facts that expect a connection with HTTP/1.1.
    var ofSpeech: [HTTP2Obstacle] {
        item.facts.compactMap { fact in
            guard case .connection(_, .speech) = fact.name, case .text(let wanted) = fact.expected,
                wanted.literalBytes == Array(ApplicationProtocol.http11.rawValue.utf8)
            else { return nil }
            return HTTP2Obstacle(fact.location, "the fact wants a connection of HTTP/1.1")
        }
    }

    // MARK: The program

    private func obstacles(_ program: ClientProgram) -> [HTTP2Obstacle] {
        var found = program.headers.compactMap { field in
            HTTP2Fields.fault(of: field).map { HTTP2Obstacle(field.location, $0) }
        }
        func add(_ sentence: String) { found.append(HTTP2Obstacle(program.location, sentence)) }
        if program.method == "CONNECT" { add("CONNECT opens a tunnel of HTTP/1.1") }
        guard let session = program.session else { return found }
        if session.proxy != nil { add("the client uses a proxy, which is spoken to over HTTP/1.1") }
        if session.connectionsPerHost != nil {
            add("the client is to limit its connections, of which HTTP/2 needs one")
        }
        return found
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
        let session = item.client.first?.session
        return item.client.contains { $0.isTogether || $0.cancelAt != nil || $0.timeout != nil }
            || session?.endAt != nil || session?.requestTimeout != nil || session?.resourceTimeout != nil
            || exchanges.contains { $0.reads != .all || $0.expectation != .continue }
    }
}

extension Fact.Expectation {
    fileprivate static func number(_ number: Int) -> Self {
        .text(Template(parts: [.literal(Array(String(number).utf8))]))
    }
}
