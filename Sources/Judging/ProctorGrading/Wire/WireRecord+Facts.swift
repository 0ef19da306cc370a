import ProctorBase
import ProctorHTTP
package import ProctorJournal
import ProctorScenario

extension WireRecord {
    /// The value of a fact, with the sequence of the journal entry that shows it.
    func measure(_ name: FactName) -> (value: Measurement, sequence: UInt64?) {
        if let group = group(of: name), !group.isThere { return (.absent, nil) }
        switch name {
        case .run(let fact): return measureRun(fact)
        case .wire(let index, let fact):
            return (measure(fact, of: exchanges[index]), exchanges[index].sequence)
        case .connection(let index, let fact):
            return (measureConnection(fact, of: index), connections[index].sequence)
        case .guarding(let name, let fact):
            let seen = verdicts.filter { name == nil || $0.note.guardName == name }
            return (GuardTally(seen.map(\.note)).measure(fact), seen.last?.sequence)
        case .tls(let index, let fact):
            let handshake = connections[handshakes[index]].tls
            return (handshake.measure(fact), handshake.sequence)
        case .grouped(let group, let index, let fact):
            return gatherer(of: group)?.measure(fact, of: index, in: self) ?? (.untold, nil)
        case .client, .spent: return (.untold, nil)
        }
    }

    /// The violations of frames on a connection, in order.
    package func frameViolations(on connection: Int) -> [FrameViolationNote] {
        frameViolations.filter { $0.connection == connection }.map(\.note)
    }

    /// Whether an earlier request used an exchange of the scenario.
    func hasCome(_ exchange: Int?, before request: SeenExchange) -> Bool {
        exchanges.prefix(request.number).contains { $0.chosen != nil && $0.chosen?.exchange == exchange }
    }

    /// What a fact with a number is about, one of several.
    struct NumberedFact {
        let index: Int
        let count: Int
        private let noun: String
        private let came: String
        /// Why that one does not exist, half a sentence; nil where its absence is no reason to judge nothing.
        let never: String?

        /// `came` is what all of them did; one that begins with `were` fits a single one too.
        fileprivate init(_ index: Int, of count: Int, _ noun: String, _ came: String, never: String? = nil) {
            (self.index, self.count, self.noun, self.came, self.never) = (index, count, noun, came, never)
        }

        var isThere: Bool { index < count }

        /// `1 stream was opened`.
        var words: String {
            let came = count == 1 && came.hasPrefix("were") ? "was" + came.dropFirst(4) : came
            return "\(Plural.count(count, noun)) \(came)"
        }
    }

    /// nil for a fact without a number, and for one that the client reports.
    func group(of name: FactName) -> NumberedFact? {
        switch name {
        case .wire(let index, _):
            NumberedFact(index, of: exchanges.count, "request", "came", never: "request \(index) never came")
        case .tls(let index, _): NumberedFact(index, of: handshakes.count, "handshake", "were begun")
        case .connection(let index, _): NumberedFact(index, of: connections.count, "connection", "were opened")
        case .grouped(let group, let index?, _):
            gatherer(of: group).map {
                NumberedFact(
                    index, of: $0.count, $0.words.noun, $0.words.came,
                    never: $0.words.never?.replacing(text: "$", with: "\(index)"))
            }
        case .grouped, .run, .client, .spent, .guarding: nil
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
        }
    }

    /// Measures facts of a request that depend on other requests; all others are measured by the exchange.
    private func measure(_ fact: FactName.WireFact, of exchange: SeenExchange) -> Measurement {
        let earlier = connections[exchange.connection].requests.prefix { $0 < exchange.number }
        switch fact {
        case .gap:
            guard exchange.number > 0 else { return .absent }
            let before = exchanges[exchange.number - 1].nanoseconds
            let nanoseconds = exchange.nanoseconds.subtractingReportingOverflow(before)
            return .number(nanoseconds.overflow ? 0 : Double(nanoseconds.partialValue) / 1e6)
        case .waited:
            guard exchange.number > 0 else { return .absent }
            return exchanges[exchange.number - 1].hasWaited(until: exchange.nanoseconds).map { Measurement($0) }
                ?? .absent
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
            if connection.speaksHTTP2 { return Measurement(ApplicationProtocol.h2.rawValue) }
            if connection.requests.contains(where: { exchanges[$0].head.version == .http3 }) {
                return Measurement(ApplicationProtocol.h3.rawValue)
            }
            return connection.requests.isEmpty ? .absent : Measurement(ApplicationProtocol.http11.rawValue)
        case .streams: return Measurement(frameEvidence?.streamCount(on: index) ?? 0)
        }
    }

    /// Why what a fact with a number is about does not exist, half a sentence.
    ///
    /// nil when it exists, or when the fact is about none.
    func reasonNeverCame(_ name: FactName) -> String? { group(of: name).flatMap { $0.isThere ? nil : $0.never } }

    /// Why a fact has no value, or is 0, half a sentence.
    func reasonForAbsence(of name: FactName) -> String? {
        if let group = group(of: name), !group.isThere {
            guard case .wire = name, let failedHandshakes else { return group.words }
            return "\(group.words), and \(failedHandshakes)"
        }
        switch name {
        case .wire(let index, let fact): return exchanges[index].reasonForAbsence(of: fact)
        case .run(.requests), .run(.handshakes): return failedHandshakes
        case .tls(let index, let fact): return connections[handshakes[index]].tls.reasonForAbsence(of: fact)
        case .run(.tunnels):
            return exchanges.contains(where: \.isConnect)
                ? "CONNECT came, and no tunnel was opened" : "no proxy was sent CONNECT"
        case .guarding(let name, let fact):
            let seen = verdicts.map(\.note).filter { name == nil || $0.guardName == name }
            return GuardTally(seen).reasonForAbsence(of: fact, guardName: name)
        case .connection, .grouped, .run, .client, .spent: return nil
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
