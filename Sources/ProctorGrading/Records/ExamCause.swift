package import ProctorScenario

/// Failures of one exam that share what broke: the rule, the kind of difference, the section.
package struct ExamCause: Sendable, Equatable {
    /// ``CaseRecord/cause`` of each of its cases.
    package let text: String
    /// In the order of the exam.
    package let cases: [CaseID]
    /// How many of the cases are of each kind, in the order of ``Case/Kind``.
    package let kinds: [(kind: Case.Kind, count: Int)]

    package static func == (left: ExamCause, right: ExamCause) -> Bool {
        left.text == right.text && left.cases == right.cases
    }
}

extension ExamRecord {
    /// The causes of the cases that failed, the one with the most cases first; of equal counts the one that came first.
    ///
    /// Known deviations have causes too, where `includesKnown`.
    package func causes(includesKnown: Bool = false) -> [ExamCause] {
        let failed = cases.filter { $0.cause != nil && ($0.isFailure || includesKnown) }
        let causes = failed.grouped { $0.cause ?? "" }.map { text, records in
            let kinds = Case.Kind.allCases.compactMap { kind in
                let count = records.count { $0.kind == kind }
                return count == 0 ? nil : (kind, count)
            }
            return ExamCause(text: text, cases: records.map(\.id), kinds: kinds)
        }
        let ordered = causes.enumerated().sorted { left, right in
            (right.element.cases.count, left.offset) < (left.element.cases.count, right.offset)
        }
        return ordered.map(\.element)
    }
}
