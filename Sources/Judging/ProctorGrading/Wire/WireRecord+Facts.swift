import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario

extension WireRecord {
    /// The value of a fact, with the sequence of the journal entry that shows it.
    func measure(_ name: FactName) -> (value: Measurement, sequence: UInt64?) {
        switch name {
        case .run(let fact): return measureRun(fact)
        case .wire(let index, let fact):
            guard exchanges.indices.contains(index) else { return (.absent, nil) }
            return (measure(fact, of: exchanges[index]), exchanges[index].sequence)
        case .connection(let index, let fact):
            guard connections.indices.contains(index) else { return (.absent, nil) }
            return (measureConnection(fact, of: index), connections[index].sequence)
        case .guarding(let name, let fact):
            let seen = verdicts.filter { name == nil || $0.note.guardName == name }
            return (GuardTally(seen.map(\.note)).measure(fact), seen.last?.sequence)
        case .tls(let index, let fact):
            guard let handshake = handshake(index) else { return (.absent, nil) }
            return (handshake.measure(fact), handshake.sequence)
        case .socks(let index, let fact):
            guard let socks = socks(index) else { return (.absent, nil) }
            return (socks.measure(fact), socks.sequence)
        case .dns(let index, let fact):
            guard dns.questions.indices.contains(index) else { return (.absent, nil) }
            return (dns.measure(fact, of: index), dns.questions[index].sequence)
        case .stream(let index, let fact):
            guard streams.indices.contains(index) else { return (.absent, nil) }
            let stream = streams[index]
            let request = connections[stream.connection].requests.first { exchanges[$0].head.stream == stream.id }
            let value = stream.measure(fact, request: request, body: request.flatMap { exchanges[$0].content })
            return (value, stream.sequence)
        case .http2(let index, let fact):
            let spoken = http2Connections
            guard spoken.indices.contains(index) else { return (.absent, nil) }
            let http2 = connections[spoken[index]].http2
            let violations = frameViolations.filter { $0.connection == spoken[index] }.map(\.note.kind)
            return (http2.measure(fact, violations: violations), http2.sequence)
        case .http3(let index, let fact):
            let spoken = http3Connections
            guard spoken.indices.contains(index) else { return (.absent, nil) }
            let http3 = connections[spoken[index]].http3
            let violations = frameViolations.filter { $0.connection == spoken[index] }.map(\.note.kind)
            return (http3.measure(fact, violations: violations), http3.sequence)
        case .webSocket(let index, let fact):
            guard webSockets.indices.contains(index) else { return (.absent, nil) }
            let exchange = exchanges[webSockets[index]]
            return (exchange.measure(fact), exchange.sequence)
        case .client, .spent: return (.untold, nil)
        }
    }

    private func measureRun(_ fact: FactName.RunFact) -> (value: Measurement, sequence: UInt64?) {
        switch fact {
        case .requests: return (Measurement(exchanges.count), exchanges.last?.sequence)
        case .connections: return (Measurement(connections.count), connections.last?.sequence)
        case .tunnels: return (Measurement(tunnels.count), tunnels.last)
        case .pipelined:
            let pipelined = exchanges.filter { $0.behindCount > 0 }
            return (Measurement(pipelined.count), pipelined.last?.sequence)
        case .handshakes: return (Measurement(handshakes.count { connections[$0].tls.handshake != nil }), nil)
        case .failedHandshakes: return (Measurement(handshakes.count { connections[$0].tls.hasFailed }), nil)
        case .http2Connections: return (Measurement(http2Connections.count), nil)
        case .streams: return (Measurement(streams.count), streams.last?.sequence)
        case .webSockets: return (Measurement(webSockets.count), webSockets.last.map { exchanges[$0].sequence })
        case .http3Connections: return (Measurement(http3Connections.count), nil)
        case .questionCount: return (Measurement(dns.questions.count), dns.questions.last?.sequence)
        case .questions: return (Measurement(ofList: dns.differentQuestions), dns.questions.last?.sequence)
        }
    }

    /// The indexes in ``connections`` of those on which the client spoke HTTP/2, in order.
    var http2Connections: [Int] { connections.indices.filter { connections[$0].http2.isSpokenByClient } }

    /// The same for HTTP/3.
    var http3Connections: [Int] { connections.indices.filter { connections[$0].http3.isSpokenByClient } }

    /// Measures facts of a request that depend on other requests; all others are measured by the exchange.
    private func measure(_ fact: FactName.WireFact, of exchange: SeenExchange) -> Measurement {
        let earlier = connections[exchange.connection].requests.prefix { $0 < exchange.number }
        switch fact {
        case .gap:
            guard exchange.number > 0 else { return .absent }
            let before = exchanges[exchange.number - 1].nanoseconds
            let nanoseconds = exchange.nanoseconds.subtractingReportingOverflow(before)
            return .number(nanoseconds.overflow ? 0 : Double(nanoseconds.partialValue) / 1e6)
        case .reused: return Measurement(!earlier.isEmpty)
        // An earlier request on the connection was for another authority (RFC 9113 §9.1.1).
        case .coalesced:
            return Measurement(earlier.contains { exchanges[$0].authorityOfHost != exchange.authorityOfHost })
        default: return exchange.measure(fact)
        }
    }

    private func measureConnection(_ fact: FactName.ConnectionFact, of index: Int) -> Measurement {
        let connection = connections[index]
        switch fact {
        case .requests: return Measurement(connection.requests.count)
        case .origin: return Measurement(connection.origin)
        case .closedBy:
            // The end of the run closes connections that neither side has closed.
            guard let end = connection.end, end.how != .stopped else { return .absent }
            return Measurement(end.by.rawValue)
        case .end: return Measurement(connection.end?.how.rawValue)
        // Absent when neither side sent anything that shows it.
        case .speech:
            if connection.http2.isSpoken { return Measurement(ApplicationProtocol.h2.rawValue) }
            if connection.requests.contains(where: { exchanges[$0].head.version == .http3 }) {
                return Measurement(ApplicationProtocol.h3.rawValue)
            }
            return connection.requests.isEmpty ? .absent : Measurement(ApplicationProtocol.http11.rawValue)
        case .streams: return Measurement(streams.count { $0.connection == index })
        }
    }

    /// Why the fact's request, HTTP/2 stream or HTTP/2 connection does not exist, half a sentence.
    ///
    /// nil when it exists, or when the fact is about none.
    func reasonNeverCame(_ name: FactName) -> String? {
        switch name {
        case .wire(let index, _) where index >= exchanges.count: "request \(index) never came"
        case .stream(let index, _) where index >= streams.count: "stream \(index) was never opened"
        case .http2(let index, _) where index >= http2Connections.count:
            "connection \(index) of HTTP/2 never came"
        case .http3(let index, _) where index >= http3Connections.count:
            "connection \(index) of HTTP/3 never came"
        case .webSocket(let index, _) where index >= webSockets.count: "WebSocket \(index) was never opened"
        default: nil
        }
    }

    /// Why a fact has no value, or is 0, half a sentence.
    func reasonForAbsence(of name: FactName) -> String? {
        func were(_ count: Int, _ what: String, _ how: String) -> String {
            "\(Plural.count(count, what)) \(count == 1 ? "was" : "were") \(how)"
        }
        switch name {
        case .wire(let index, let fact):
            guard index < exchanges.count else {
                return "\(Plural.count(exchanges.count, "request")) came"
                    + (failedHandshakes.map { ", and \($0)" } ?? "")
            }
            return exchanges[index].reasonForAbsence(of: fact)
        case .run(.requests), .run(.handshakes): return failedHandshakes
        case .stream(let index, _):
            return index >= streams.count ? were(streams.count, "stream", "opened") : nil
        case .http2(let index, _):
            let count = http2Connections.count
            return index >= count ? "\(Plural.count(count, "connection")) spoke HTTP/2" : nil
        case .http3(let index, _):
            let count = http3Connections.count
            return index >= count ? "\(Plural.count(count, "connection")) spoke HTTP/3" : nil
        case .tls(let index, let fact):
            guard let handshake = handshake(index) else { return were(handshakes.count, "handshake", "begun") }
            return handshake.reasonForAbsence(of: fact)
        case .connection(let index, _):
            return index >= connections.count ? were(connections.count, "connection", "opened") : nil
        case .socks(let index, _):
            return socks(index) == nil ? were(socksConnections.count, "conversation of SOCKS", "begun") : nil
        case .dns(let index, _):
            let count = dns.questions.count
            return index >= count ? were(count, "question", "asked of the server of DNS") : nil
        case .run(.tunnels):
            return exchanges.contains(where: \.isConnect)
                ? "CONNECT came, and no tunnel was opened" : "no proxy was sent CONNECT"
        case .guarding(let name, let fact):
            let seen = verdicts.map(\.note).filter { name == nil || $0.guardName == name }
            return GuardTally(seen).reasonForAbsence(of: fact, guardName: name)
        case .webSocket(let index, _):
            return index >= webSockets.count ? were(webSockets.count, "WebSocket", "opened") : nil
        case .run, .client, .spent: return nil
        }
    }
}

struct GuardTally {
    private let verdicts: [GuardVerdict]

    init(_ verdicts: [GuardVerdict]) { self.verdicts = verdicts }

    private var credentials: [GuardVerdict] { verdicts.filter(\.isOfCredential) }

    func measure(_ fact: FactName.GuardFact) -> Measurement {
        switch fact {
        case .attempts: Measurement(credentials.count)
        case .failures: Measurement(credentials.count(where: \.isRefusal))
        case .challenges: Measurement(verdicts.count(where: \.asks))
        case .scheme: Measurement(credentials.last?.scheme?.lowercased())
        case .user: Measurement(credentials.last?.user)
        case .nc: Measurement(ofValues: verdicts.compactMap(\.nonceCount).map { String($0) })
        case .faults: Measurement(ofValues: verdicts.flatMap(\.faults).map(\.kind.rawValue))
        }
    }

    /// Why there is nothing to measure, half a sentence; nil when there is.
    func reasonForAbsence(of fact: FactName.GuardFact, guardName: String?) -> String? {
        if verdicts.isEmpty {
            return guardName.map { "guard \(WireText.quoted($0.utf8)) was not asked" } ?? "no guard was asked"
        }
        switch fact {
        case .attempts, .scheme, .user: return credentials.isEmpty ? "no credential came" : nil
        case .nc: return credentials.isEmpty ? "no credential came" : "no credential had a nonce count"
        case .failures, .challenges, .faults: return nil
        }
    }
}

extension GuardVerdict {
    /// Whether the verdict judges a credential: requests on an already admitted connection need none.
    var isOfCredential: Bool { scheme != nil || !faults.isEmpty || outcome == .refused || outcome == .stale }

    /// Whether a credential was wrong; one with a stale nonce is not.
    var isRefusal: Bool { isOfCredential && (outcome == .refused || outcome == .gaveUp) }

    /// Whether the reply challenges the client for a credential, or for its next message.
    var asks: Bool {
        switch outcome {
        case .challenged, .refused, .stale, .continued: true
        case .admitted, .gaveUp: false
        }
    }
}
