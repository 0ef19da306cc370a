/// The name of a measurable fact.
package enum FactName: Sendable, Hashable {
    /// `wire.count`: how many requests arrived.
    case requestCount
    /// `tunnels`: how many tunnels were opened through proxies.
    case tunnelCount
    /// `client.…`: what the processes of the client took of the machine.
    case spent(Resource)
    /// `pipelined`: how many requests came before a reply to one before them on their connection had gone out.
    case pipelinedCount
    /// `wire[N].…`: of a request, in the order of arrival.
    case wire(index: Int, WireFact)
    /// `connections`: how many connections were accepted.
    case connectionCount
    /// `connection[N].…`: of a connection, in the order of acceptance.
    case connection(index: Int, ConnectionFact)
    /// `auth.…` of all guards together (nil), or `auth[NAME].…` of one guard.
    case guarding(guardName: String?, GuardFact)
    /// `tls.handshakes`: the number of completed handshakes, resumptions included.
    case handshakeCount
    /// `tls.failures`: the number of handshakes that began and failed.
    case handshakeFailureCount
    /// `tls[N].…`: of a connection on which a handshake began, in order.
    case tls(index: Int, TLSFact)
    /// `socks[N].…`: of a connection on which a client spoke SOCKS, in order.
    case socks(index: Int, SOCKSFact)
    /// `dns.count`: how many questions the run's server of DNS was asked.
    case questionCount
    /// `dns.questions`: the different questions, in the order in which they first came.
    case questions
    /// `dns[N].…`: of a question, in the order of arrival.
    case dns(index: Int, DNSFact)
    /// `h2.connections`: the number of connections on which the client spoke HTTP/2.
    case http2ConnectionCount
    /// `h2.streams`: how many streams the client opened, including those without a request.
    case streamCount
    /// `stream[N].…`: of a stream, in the order in which the client opened streams on all connections.
    case stream(index: Int, StreamFact)
    /// `h2[N].…`: of a connection on which the client spoke HTTP/2, in order.
    case http2(index: Int, HTTP2Fact)
    /// `h3.connections`: the number of connections on which the client spoke HTTP/3.
    case http3ConnectionCount
    /// `h3[N].…`: of a connection on which the client spoke HTTP/3, in order.
    case http3(index: Int, HTTP3Fact)
    /// `ws.count`: how many WebSockets were opened.
    case webSocketCount
    /// `ws[N].…`: of a WebSocket, in the order in which they were opened.
    case webSocket(index: Int, WebSocketFact)
    /// A fact that the client reports: `status`, `url`, `body` …, with its step (0 by default).
    case client(step: Int, ClientFact)

    package enum Resource: String, GroupedFact {
        /// The most bytes of memory that one process of the client had, as resident pages.
        case memory
        /// The milliseconds of processor time of all processes of the client, in the program and in the system.
        case processor

        package var row: FactRow {
            switch self {
            case .memory: FactRow("the memory of the client in bytes", .number)
            case .processor: FactRow("the processor time of the client in milliseconds", .number)
            }
        }
    }
}

extension FactName {
    package var row: FactRow {
        switch self {
        case .requestCount:
            FactRow("the number of requests", .number, named: "wire.count", shownBy: .requests)
        case .tunnelCount:
            FactRow(
                "the number of tunnels", .number, named: "tunnels",
                over: .http11Values("the fact is about tunnels of HTTP/1.1"), shownBy: .requests, subject: .connections)
        case .pipelinedCount:
            FactRow(
                "the number of pipelined requests", .number, named: "pipelined", over: .pipelining, shownBy: .requests,
                subject: .connections)
        case .connectionCount:
            FactRow(
                "the number of connections", .number, named: "connections", over: .unsharedConnections,
                shownBy: .requests, subject: .connections)
        case .handshakeCount: Self.count("the number of complete handshakes", "tls.handshakes")
        case .handshakeFailureCount: Self.count("the number of failed handshakes", "tls.failures")
        case .questionCount: Self.count("the number of questions to the server of DNS", "dns.count")
        case .questions:
            FactRow(
                "the questions to the server of DNS", .list, named: "dns.questions", subject: .connections)
        case .http2ConnectionCount: Self.count("the number of connections that speak HTTP/2", "h2.connections")
        case .streamCount: Self.count("the number of streams", "h2.streams")
        case .http3ConnectionCount: Self.count("the number of connections that speak HTTP/3", "h3.connections")
        case .webSocketCount: FactRow("the number of WebSockets", .number, named: "ws.count")
        case .spent(let fact): Self.row(fact, "client", "", .reply)
        case .wire(let index, let fact): fact.row.below("wire[\(index)].", of: "request \(index + 1)")
        case .connection(let index, let fact): Self.row(fact, "connection[\(index)]", "connection \(index + 1)")
        case .guarding(nil, let fact): Self.row(fact, "auth", "all guards", .request)
        case .guarding(let name?, let fact): Self.row(fact, "auth[\(name)]", "the guard \(name)", .request)
        case .tls(let index, let fact): Self.row(fact, "tls[\(index)]", "handshake \(index + 1)")
        case .socks(let index, let fact): Self.row(fact, "socks[\(index)]", "conversation \(index + 1) of SOCKS")
        case .dns(let index, let fact):
            Self.row(fact, "dns[\(index)]", "question \(index + 1) to the server of DNS")
        case .stream(let index, let fact): Self.row(fact, "stream[\(index)]", "stream \(index + 1)")
        case .http2(let index, let fact): Self.row(fact, "h2[\(index)]", "HTTP/2 connection \(index + 1)")
        case .http3(let index, let fact): Self.row(fact, "h3[\(index)]", "HTTP/3 connection \(index + 1)")
        case .webSocket(let index, let fact): Self.row(fact, "ws[\(index)]", "WebSocket \(index + 1)", .request)
        case .client(0, let fact): fact.row
        case .client(let step, let fact): fact.row.below("step[\(step)].", inStep: step + 1)
        }
    }

    private static func row(
        _ fact: some GroupedFact, _ group: String, _ owner: String, _ subject: Claim.Subject = .connections
    ) -> FactRow {
        var row = fact.namedRow.below("\(group).", of: owner)
        row.subject = subject
        return row
    }

    private static func count(_ template: String, _ name: String) -> FactRow {
        FactRow(template, .number, named: name, subject: .connections)
    }

    /// Whether the fact is about requests that came before replies had gone out.
    package var isOfPipelining: Bool {
        switch self {
        case .pipelinedCount, .wire(_, .behind): true
        default: false
        }
    }

    /// Whether the fact is about memory and processor time of the client, which must be measured while it runs.
    package var isOfSpending: Bool { if case .spent = self { true } else { false } }

    /// Whether the fact exists on HTTP/2 connections only.
    package var isOfHTTP2: Bool {
        switch self {
        case .http2ConnectionCount, .streamCount, .stream, .http2: true
        default: false
        }
    }

    /// Whether the fact exists on HTTP/3 connections only.
    package var isOfHTTP3: Bool {
        switch self {
        case .http3ConnectionCount, .http3: true
        default: false
        }
    }
}
