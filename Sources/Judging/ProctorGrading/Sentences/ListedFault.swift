import ProctorHTTP
package import ProctorJournal
import ProctorScenario

/// A violation or a fault of a credential that a fact lists by its kind, as the journal tells it.
package struct ListedFault: Sendable, Equatable {
    let kind: String
    /// What is wrong, with the section of the rule behind it: `… (RFC 9112 §9.6)`.
    var words: String { "\(sentence) (\(section))" }
    private let sentence: String
    /// The section of the rule: `RFC 9112 §9.6`.
    let section: String

    fileprivate init(_ kind: String, _ sentence: String, _ section: String) {
        (self.kind, self.sentence, self.section) = (kind, sentence, section)
    }

    package init(_ note: some NotedViolation) { self.init(note.kind, note.sentence, note.section) }
}

/// A violation as notes of the journal tell it.
package protocol NotedViolation {
    var kind: String { get }
    var sentence: String { get }
    var section: String { get }
}

extension FrameViolationNote: NotedViolation {}
extension WebSocketViolationNote: NotedViolation {}
extension ViolationNote: NotedViolation {}

extension WireRecord {
    /// The first of that kind among those that the fact lists; nil for a fact that lists none.
    func listedFault(named kind: String, in fact: FactName) -> ListedFault? {
        guard group(of: fact)?.isThere != false else { return nil }
        return faults(listedBy: fact).first { $0.kind == kind }
    }

    /// In order; the fact is about something that is there.
    private func faults(listedBy fact: FactName) -> [ListedFault] {
        switch fact {
        case .wire(let index, "violations"):
            exchanges[index].violations.map { ListedFault($0.kind.rawValue, $0.sentence, $0.section) }
                + exchanges[index].frameViolations.map { ListedFault($0) }
        case .wire(let index, "auth.faults"): Self.faults(of: exchanges[index].verdicts)
        case .guarding(let name, "faults"):
            Self.faults(of: verdicts.map(\.note).filter { name == nil || $0.guardName == name })
        case .grouped(let group, let index?, "violations"): gatherer(of: group)?.faults(at: index, in: self) ?? []
        default: []
        }
    }

    private static func faults(of verdicts: [GuardVerdict]) -> [ListedFault] {
        verdicts.flatMap(\.faults).map { ListedFault($0.kind.rawValue, $0.sentence, $0.section) }
    }
}
