package import ProctorScenario

/// What fails an exam: the exit code, every report and the annotations ask it, so that they agree.
package struct ExamGate: Sendable {
    private let kinds: Set<Case.Kind>
    /// The records of an earlier exam, by client; nil: every failure counts.
    private let baseline: [String: [CaseID: CaseRecord]]?

    /// Failures of `kinds` count; with a baseline those alone that are worse than there.
    package init(failingOn kinds: Set<Case.Kind>, baseline: [ExamRecord]? = nil) {
        self.kinds = kinds
        self.baseline = baseline.map { exams in
            Dictionary(
                exams.map { exam in
                    (exam.header.client, Dictionary(exam.cases.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
                }, uniquingKeysWith: { $1 })
        }
    }

    /// Whether the record fails the exam.
    package func isFailed(by record: CaseRecord, of header: ExamHeader) -> Bool {
        record.isFailure && reasonNotToCount(record, of: header) == nil
    }

    /// Why a failure does not fail the exam, a few words; nil where it does.
    package func reasonNotToCount(_ record: CaseRecord, of header: ExamHeader) -> String? {
        guard !kinds.isEmpty else { return "--fail-on never" }
        if !FailingCases(of: kinds, hasLedger: header.ledger != nil).include(record.outcome, of: record.kind) {
            return kinds.contains(record.kind) ? "not judged, with a ledger" : record.kind.rawValue
        }
        guard let baseline else { return nil }
        let former = baseline[header.client]?[record.id]
        return record.isWorse(than: former) ? nil : "no worse than the baseline"
    }

    /// Whether the fault fails the exam.
    package func isFailed(by fault: ExamFault) -> Bool {
        fault.kind != .ledger || !kinds.isEmpty && baseline == nil
    }
}

/// What is wrong with an exam beside its cases.
package struct ExamFault: Sendable {
    package enum Kind: String, Sendable {
        /// An entry or a rule of the ledger no longer happens.
        case ledger
        /// The adapter did not start.
        case adapter
        /// A case was not the same in each sitting.
        case differs
        /// The records are of two versions of the client.
        case records
    }

    package let kind: Kind
    package let sentence: String

    package init(_ kind: Kind, _ sentence: String) { (self.kind, self.sentence) = (kind, sentence) }
}

/// The exams of all clients with what is wrong beside their cases, and what of it fails the exam.
package struct ExamResults: Sendable {
    package let exams: [ExamRecord]
    package let faults: [ExamFault]
    package let gate: ExamGate

    package init(_ exams: [ExamRecord], faults: [ExamFault] = [], gate: ExamGate) {
        (self.exams, self.faults, self.gate) = (exams, faults, gate)
    }

    package var isFailure: Bool {
        faults.contains { gate.isFailed(by: $0) }
            || exams.contains { exam in exam.cases.contains { gate.isFailed(by: $0, of: exam.header) } }
    }

    /// The faults of one kind after the other, in the order in which the kinds came.
    package var faultsByKind: [(ExamFault.Kind, [ExamFault])] { faults.grouped(by: \.kind) }
}
