package import ProctorScenario

/// Which cases fail an exam: one rule for `proctor exam`, for exams inside tests and for reports.
package struct FailingCases: Sendable {
    private let kinds: Set<Case.Kind>
    private let hasLedger: Bool

    /// Cases of `kinds` must pass; of none: nothing fails.
    ///
    /// With a ledger it is known what the client does, and a case that shows nothing fails nothing.
    package init(of kinds: Set<Case.Kind> = Set(Case.Kind.allCases), hasLedger: Bool = false) {
        (self.kinds, self.hasLedger) = (kinds, hasLedger)
    }

    /// Whether a case fails the exam by its outcome's word.
    ///
    /// A crash, a wrong ledger entry and a failure that is not the client's fail it for a case of any kind.
    package func include(_ outcome: String, of kind: Case.Kind) -> Bool {
        guard !kinds.isEmpty else { return false }
        return switch outcome {
        case "not-judged": !hasLedger && kinds.contains(kind)
        case "fail", "hang": kinds.contains(kind)
        case "crash", "fixed", "setup-failed", "adapter-error": true
        default: false
        }
    }
}

extension CaseVerdict {
    /// Whether a test that asked for the verdict fails by it.
    package var isFailure: Bool { FailingCases(hasLedger: hasLedger).include(outcome.word, of: kind) }
}
