import ProctorBase
import ProctorHTTP
package import ProctorJournal
import ProctorScenario

extension WireRecord {
    /// The value of a fact, with the sequence of the journal entry that shows it.
    func measure(_ name: FactName) -> (value: Measurement, sequence: UInt64?) {
        if let group = group(of: name), !group.isThere { return (.absent, nil) }
        switch name {
        case .run(let fact):
            return (RunFacts.rows.measure(fact, of: self, in: self), RunFacts.sequences[fact.row]?(self))
        case .wire(let index, let fact):
            let exchange = exchanges[index]
            return (RequestFacts.rows.measure(fact, of: exchange, in: self), exchange.sequence)
        case .connection(let index, let fact):
            return (ConnectionFacts.rows.measure(fact, of: index, in: self), connections[index].sequence)
        case .guarding(let name, let fact):
            let seen = verdicts(of: name)
            let tally = GuardTally(seen.map(\.note), of: name)
            return (GuardFacts.rows.measure(fact, of: tally, in: self), seen.last?.sequence)
        case .tls(let index, let fact):
            let handshake = connections[handshakes[index]].tls
            return (HandshakeFacts.rows.measure(fact, of: handshake, in: self), handshake.sequence)
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

    /// The verdicts of one guard, or of all.
    private func verdicts(of guardName: String?) -> [Seen<GuardVerdict>] {
        verdicts.filter { guardName == nil || $0.note.guardName == guardName }
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
        case .run(let fact): return RunFacts.rows.reasonForAbsence(of: fact, self, in: self)
        case .wire(let index, let fact):
            return RequestFacts.rows.reasonForAbsence(of: fact, exchanges[index], in: self)
        case .tls(let index, let fact):
            let handshake = connections[handshakes[index]].tls
            return HandshakeFacts.rows.reasonForAbsence(of: fact, handshake, in: self)
        case .guarding(let name, let fact):
            let tally = GuardTally(verdicts(of: name).map(\.note), of: name)
            return GuardFacts.rows.reasonForAbsence(of: fact, tally, in: self)
        case .connection, .grouped, .client, .spent: return nil
        }
    }
}
