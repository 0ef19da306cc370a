package import ProctorScenario

/// One client's exam: its header and its cases, in their order.
package struct ExamRecord: Sendable, Equatable {
    package var header: ExamHeader
    package var cases: [CaseRecord]

    package init(header: ExamHeader, cases: [CaseRecord] = []) {
        self.header = header
        self.cases = cases
    }

    /// The cases of each outcome, by its word.
    package var counts: [String: Int] { cases.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 } }
}

extension CaseRecord {
    /// Whether the record fails an exam that fails on cases of `kinds`.
    ///
    /// A crash, a faulty ledger entry and what is not the client's doing count in a case of any kind.
    package func isFailure(on kinds: Set<Case.Kind>) -> Bool {
        guard !kinds.isEmpty else { return false }
        return switch outcome {
        case "fail", "hang", "not-judged": kinds.contains(kind)
        case "crash", "fixed", "setup-failed", "adapter-error": true
        default: false
        }
    }

    /// Whether a person has to look at the case, whatever its kind.
    package var isFailure: Bool { isFailure(on: Set(Case.Kind.allCases)) }
}
