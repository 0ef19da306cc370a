import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// What holds for every finding about one kind of subject.
struct FindingRow {
    /// The kind in records: `miss`.
    let word: String
    /// The rank of the kind: of several findings at one place of a timeline, the one with the lowest rank is marked.
    let rank: Int
    /// What stands beside the mark where the finding has no wanted value of its own; empty: the mark alone.
    let wanted: String
    let traits: Traits

    struct Traits: OptionSet {
        let rawValue: Int

        /// Received bytes show the failure, so that it has a place in the journal.
        static let ofWire = Traits(rawValue: 1)
        /// The order of callbacks, which rules give, or a fact of one: a ledger may list it by its rule.
        static let ofRules = Traits(rawValue: 2)
        /// True whatever the client was shown: a crash, and what is wrong with a request by itself.
        static let ofClientAlone = Traits(rawValue: 4)
    }

    init(_ word: String, _ rank: Int, wanted: String = "", _ traits: Traits = []) {
        (self.word, self.rank, self.wanted, self.traits) = (word, rank, wanted, traits)
    }
}

extension Finding.Subject {
    package var word: String { row.word }

    /// What the finding is about where it breaks no claim of its case.
    var claimSubject: Claim.Subject {
        switch self {
        case .fact(let name): name.subject
        case .rule, .grammar, .edge, .unreportedRule: .callbacks
        case .content, .ending, .result, .slices: .reply
        case .expression, .miss, .caught, .violation, .frameViolation, .opaque, .gathered, .credential, .cookies,
            .bound,
            .state, .reply, .description, .webhook, .tolerated, .unasked:
            .request
        }
    }

    var row: FindingRow {
        switch self {
        case .expression: FindingRow("expression", 0, .ofRules)
        case .edge: FindingRow("edge", 1, .ofRules)
        case .rule: FindingRow("rule", 2, .ofRules)
        case .content: FindingRow("content", 3, .ofRules)
        case .fact: FindingRow("fact", 3)
        case .cookies: FindingRow("cookies", 4)
        case .miss: FindingRow("miss", 5, [.ofWire, .ofClientAlone])
        case .caught: FindingRow("caught", 5, .ofWire)
        case .violation: FindingRow("violation", 6, [.ofWire, .ofClientAlone])
        case .frameViolation: FindingRow("violation", 6, .ofWire)
        case .opaque: FindingRow("opaque", 6, wanted: "bytes", .ofWire)
        case .gathered(let departure): FindingRow(departure.word, 6, wanted: departure.expectation, .ofWire)
        case .webhook: FindingRow("webhook", 6, wanted: "another answer", [.ofWire, .ofClientAlone])
        case .description(let note):
            FindingRow(
                "description", 6, wanted: "a \(note.message.rawValue) as it is described", [.ofWire, .ofClientAlone])
        case .grammar: FindingRow("grammar", 7, .ofRules)
        case .credential: FindingRow("credential", 8, wanted: "a credential that is right", .ofClientAlone)
        case .tolerated(let departure):
            FindingRow("tolerated", 8, wanted: "a request without that (\(departure.row.section))")
        case .ending: FindingRow("ending", 8, wanted: "its end", .ofClientAlone)
        case .unreportedRule: FindingRow("unreportedRule", 8, wanted: "its end")
        case .result: FindingRow("result", 8, wanted: "its end")
        case .slices: FindingRow("slices", 8, wanted: "the same as in one piece")
        case .bound: FindingRow("bound", 8, wanted: "an end of its repeating", [.ofWire, .ofClientAlone])
        case .state:
            FindingRow("state", 8, wanted: "a change of the state that is possible", [.ofWire, .ofClientAlone])
        case .reply: FindingRow("reply", 8, wanted: "a reply that can be made", [.ofWire, .ofClientAlone])
        case .unasked: FindingRow("unasked", 8, wanted: "a request for each exchange")
        }
    }
}
