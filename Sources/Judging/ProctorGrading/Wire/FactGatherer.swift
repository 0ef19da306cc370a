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
    func sequence(of one: One) -> UInt64?

    /// What the fact `violations` of it lists, in order.
    func faults(of one: One) -> [ListedFault]
}

extension FactGatherer {
    package static var factsOfRun: [GatheredFact<Self>] { [] }
}

/// A fact in one row: its name, its words, its values, and how it is measured.
package struct GatheredFact<Subject>: Sendable {
    fileprivate let row: FactRow
    fileprivate let measure: @Sendable (Subject) -> Measurement

    /// In the words `$` stands for the thing.
    package init(
        _ name: String, _ words: String, _ values: FactValues = .text,
        measure: @escaping @Sendable (Subject) -> Measurement
    ) {
        (row, self.measure) = (FactRow(words, values, named: name, subject: .connections), measure)
    }
}

/// How messages speak of the things of a group of facts; `$` is the number of one.
package struct GatheredWords: Sendable {
    /// With the number from 1: `question $ to the server of DNS`.
    let owner: String
    /// How many of them came: `question` and `were asked of the server of DNS`.
    let noun: String, came: String
    /// Where one has a fault: `on $ the client broke a rule`, with `$` for the owner.
    let wrong: String

    package init(owner: String, counted noun: String, _ came: String, wrong: String) {
        (self.owner, self.noun, self.came, self.wrong) = (owner, noun, came, wrong)
    }
}

/// The gatherers that modules have registered, one for each group of facts.
package enum FactGatherers {
    private static let registered = Locked<[FactGroup: any FactGatherer.Type]>([:])

    /// Hands over a group of facts, for the fixtures and the journals that this process reads from then on; safe from any thread, and
    /// again.
    package static func register<Gatherer: FactGatherer>(_ gatherer: Gatherer.Type) {
        gatherer.group.register(
            FactGroup.Rows(
                owner: gatherer.words.owner, ofEach: gatherer.facts.map(\.row), ofRun: gatherer.factsOfRun.map(\.row)))
        registered.withLock { $0[gatherer.group] = gatherer }
    }

    /// One of each, which has read nothing, in the order of the groups.
    static func makeAll() -> [any FactGatherer] {
        let types = registered.withLock { $0 }
        return FactGroup.all.compactMap { types[$0]?.init() }
    }
}

extension FactGatherer {
    var group: FactGroup { Self.group }

    var words: GatheredWords { Self.words }

    var count: Int { all.count }

    /// The value of a fact that was parsed, of a thing that is there, or of the run, with the entry that shows it.
    func measure(_ name: String, of index: Int?) -> (value: Measurement, sequence: UInt64?) {
        guard let index else {
            let fact = Self.factsOfRun.first { $0.row.name == name }
            return (fact?.measure(self) ?? .untold, all.last.flatMap(sequence))
        }
        let one = all[index]
        let fact = Self.facts.first { $0.row.name == name }
        return (fact?.measure(one) ?? .untold, sequence(of: one))
    }

    func faults(at index: Int) -> [ListedFault] { faults(of: all[index]) }
}
