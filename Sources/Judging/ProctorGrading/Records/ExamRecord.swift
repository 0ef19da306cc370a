/// One client's exam: its header and its cases, in their order.
package struct ExamRecord: Sendable, Equatable {
    package var header: ExamHeader
    package var cases: [CaseRecord]

    package init(header: ExamHeader, cases: [CaseRecord] = []) {
        (self.header, self.cases) = (header, cases)
    }

    package var counts: [String: Int] { cases.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 } }
}

extension CaseRecord {
    /// Whether the record is a failure for a case of any kind.
    package var isFailure: Bool { FailingCases().include(outcome, of: kind) }
}
