import ProctorBase
package import ProctorJournal
package import ProctorScenario

/// What a module above reads of a journal, to measure a group of facts by it.
///
/// A new one reads all entries of a run in their order; then it is asked. Pure, and of one thread.
package protocol FactGatherer: Sendable {
    /// One of the things that facts have numbers of.
    associatedtype One

    static var group: FactGroup { get }
    static var words: GatheredWords { get }
    /// In the order of messages and of the schema.
    static var facts: [GatheredFact<One>] { get }
    static var factsOfRun: [GatheredFact<Self>] { get }

    init()

    /// `connection` and `request` are indexes in the record; nil for an entry of none.
    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?)

    /// In the order of their numbers.
    var all: [One] { get }

    /// The journal entry that shows the thing, or its last one.
    func sequence(of one: One, in record: WireRecord) -> UInt64?

    /// The index of the connection whose wrong frames the fact `violations` of it lists; nil: of none.
    func connection(of one: One) -> Int?

    /// What the fact `violations` of it lists, in order.
    func faults(of one: One, in record: WireRecord) -> [ListedFault]

    /// The journal entry that shows a fact of the run, or its last one.
    func sequenceOfRun(_ fact: String, in record: WireRecord) -> UInt64?

    /// What is wrong beside the facts; the case has a fact `violations` of those that it asked about.
    func departures(beside asked: [One], in record: WireRecord) -> [GatheredDeparture]
}

extension FactGatherer {
    package static var factsOfRun: [GatheredFact<Self>] { [] }

    package func connection(of one: One) -> Int? { nil }

    package func sequenceOfRun(_ fact: String, in record: WireRecord) -> UInt64? {
        all.last.flatMap { sequence(of: $0, in: record) }
    }

    package func departures(beside asked: [One], in record: WireRecord) -> [GatheredDeparture] { [] }
}

/// How messages speak of the things of a group of facts; `$` is the number of one.
package struct GatheredWords: Sendable {
    /// With the number from 1: `question $ to the server of DNS`.
    let owner: String
    /// What the facts are about, in summaries of a client.
    let subject: Claim.Subject
    /// How many of them came: `question` and `were asked of the server of DNS`.
    let noun: String, came: String
    /// With the number from 0, where one that is not there leaves a fact undecided: `WebSocket $ was never opened`.
    let never: String?
    /// Where one has a fault: `on $ the client broke a rule`, with `$` for the owner.
    let wrong: String

    package init(
        owner: String, of subject: Claim.Subject = .connections, counted noun: String, _ came: String,
        never: String? = nil, wrong: String
    ) {
        (self.owner, self.subject, self.noun, self.came) = (owner, subject, noun, came)
        (self.never, self.wrong) = (never, wrong)
    }
}

/// What a client did wrong on the wire of a module above, or what the fixture expects there and did not come.
package struct GatheredDeparture: Sendable, Equatable {
    /// The kind in records: `webSocket`.
    let word: String
    /// What was expected in its place, in plain words; empty: nothing is said of it.
    let expectation: String
    /// Where it was, in plain words: `on the WebSocket`.
    let place: String
    let sentence: String
    /// Findings of one cause are counted together.
    package var cause: String
    /// On which it is based; nil where that is the case.
    package var section: String?
    package var wanted: String?, got: String?
    /// The journal entry.
    let sequence: UInt64
    /// The index of the request; nil: none.
    package let request: Int?

    package init(
        _ word: String, _ expectation: String, on place: String, sentence: String, cause: String,
        at sequence: UInt64, of request: Int?
    ) {
        (self.word, self.expectation, self.place) = (word, expectation, place)
        (self.sentence, self.cause) = (sentence, cause)
        (self.sequence, self.request) = (sequence, request)
    }
}

/// The gatherers that modules have registered, one for each group of facts.
package enum FactGatherers {
    private static let registered = Locked<[any FactGatherer.Type]>([])

    /// Hands over a group of facts, for the fixtures and the journals that this process reads from then on; safe from any thread, and
    /// again.
    package static func register<Gatherer: FactGatherer>(_ gatherer: Gatherer.Type) {
        gatherer.group.register(
            FactGroup.Rows(
                owner: gatherer.words.owner, noun: gatherer.words.noun, subject: gatherer.words.subject
            ) { (Gatherer.facts.map { $0.row }, Gatherer.factsOfRun.map { $0.row }) })
        registered.withLock { types in
            types.removeAll { $0.group == gatherer.group }
            types.append(gatherer)
        }
    }

    /// One of each, which has read nothing, in the order of the groups.
    static func makeAll() -> [any FactGatherer] {
        let types = registered.withLock { $0 }
        return FactGroup.all.compactMap { group in types.first { $0.group == group }?.init() }
    }
}

extension FactGatherer {
    var group: FactGroup { Self.group }

    var words: GatheredWords { Self.words }

    var count: Int { all.count }

    /// The value of a fact that was parsed, of a thing that is there, or of the run, with the entry that shows it.
    func measure(
        _ name: NamedFact, of index: Int?, in record: WireRecord
    ) -> (value: Measurement, sequence: UInt64?) {
        guard let index else {
            return (Self.factsOfRun.measure(name, of: self, in: record), sequenceOfRun(name.row, in: record))
        }
        let one = all[index]
        return (Self.facts.measure(name, of: one, in: record), sequence(of: one, in: record))
    }

    func place(at index: Int) -> Int? { connection(of: all[index]) }

    func faults(at index: Int, in record: WireRecord) -> [ListedFault] { faults(of: all[index], in: record) }

    /// What is wrong beside what the facts of a case ask about.
    func unaskedDepartures(_ facts: [Fact], in record: WireRecord) -> [GatheredDeparture] {
        let all = all
        let asked = facts.compactMap { fact -> One? in
            guard case .grouped(Self.group, let index?, "violations") = fact.name, all.indices.contains(index) else {
                return nil
            }
            return all[index]
        }
        return departures(beside: asked, in: record)
    }
}
