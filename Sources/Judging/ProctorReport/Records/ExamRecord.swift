import ProctorGrading
package import ProctorScenario

/// One client's exam: its header and its cases, in their order.
package struct ExamRecord: Sendable, Equatable {
    package var header: ExamHeader
    package var cases: [CaseRecord]

    package init(header: ExamHeader, cases: [CaseRecord] = []) {
        self.header = header
        self.cases = cases
    }

    package var counts: [String: Int] { cases.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 } }
}

extension CaseRecord {
    /// Whether the record fails an exam whose cases of `kinds` must pass.
    ///
    /// A crash, a wrong ledger entry and a failure that is not the client's fail it for a case of any kind.
    package func isFailure(on kinds: Set<Case.Kind>) -> Bool {
        guard !kinds.isEmpty else { return false }
        return switch outcome {
        case "fail", "hang", "not-judged": kinds.contains(kind)
        case "crash", "fixed", "setup-failed", "adapter-error": true
        default: false
        }
    }

    /// Whether the record is a failure for a case of any kind.
    package var isFailure: Bool { isFailure(on: Set(Case.Kind.allCases)) }
}
