import ProctorBase
package import ProctorScenario

/// The failures of one exam with the same cause, known ones included.
package struct ExamCause: Sendable {
    package let cause: FailureCause
    /// The cases in the order of the exam.
    package let cases: [CaseID]
    /// How many of the cases are of each kind, in the order of ``Case/Kind``.
    package let kinds: [(kind: Case.Kind, count: Int)]
    /// The number of these cases that the ledger does not list.
    package let newCount: Int
    /// The smallest case, or the first one of equal size.
    package let example: CaseID
    /// What the client's project says about the cause; nil when no ledger has an entry for it.
    package let upstream: UpstreamReport?

    /// `records` are those with that cause; never empty.
    private init(_ cause: FailureCause, _ records: [CaseRecord]) {
        self.cause = cause
        cases = records.map(\.id)
        kinds = Case.Kind.allCases.compactMap { kind in
            let count = records.count { $0.kind == kind }
            return count == 0 ? nil : (kind, count)
        }
        newCount = records.count { $0.isFailure }
        example = (records.smallest ?? records[0]).id
        upstream = records.lazy.compactMap(\.upstream).first
    }

    /// The causes of failed cases; the cause with the most cases is first, of equal counts the one that occurred first.
    package static func all(of records: [CaseRecord]) -> [ExamCause] {
        let failed = records.filter { $0.cause != nil && ($0.isFailure || $0.outcome == "known") }
        let causes = failed.grouped { $0.cause ?? "" }.map { ExamCause(FailureCause(key: $0.key), $0.elements) }
        let ordered = causes.enumerated().sorted { left, right in
            (right.element.cases.count, left.offset) < (left.element.cases.count, right.offset)
        }
        return ordered.map(\.element)
    }

    /// `2 cases (1 must, 1 should), 1 new`; the number of new cases is left out when all are new.
    package var counts: String {
        let kinds = kinds.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
        let new = newCount == cases.count ? "" : newCount == 0 ? ", known" : ", \(newCount) new"
        return "\(Plural.count(cases.count, "case")) (\(kinds))\(new)"
    }
}

/// The outcomes of cases, as totals count them.
package struct OutcomeCounts: Sendable, Equatable {
    /// Cases whose every claim held, also those with a ledger entry that is out of date.
    package private(set) var passed = 0
    /// Cases in which what was judged held, and some claims were not judged.
    package private(set) var partly = 0
    /// Failures that the client's ledger lists.
    package private(set) var known = 0
    /// Failures that no ledger lists.
    package private(set) var new = 0
    package private(set) var observed = 0
    /// Cases in which the client was not judged: it lacks an ability, or the set-up failed.
    package private(set) var unasked = 0

    package var failed: Int { known + new }
    /// The number of cases in which the client was judged.
    package var judged: Int { passed + partly + failed }

    /// `2 of 5 passed, 1 partly`.
    package var sentence: String { "\(passed) of \(judged) passed\(partly == 0 ? "" : ", \(partly) partly")" }

    package init() {}

    package init(_ outcomes: some Sequence<String>) { for outcome in outcomes { count(outcome) } }

    package mutating func count(_ outcome: String) {
        switch outcome {
        case "pass", "fixed": passed += 1
        case "partly": partly += 1
        case "fail", "hang", "crash": new += 1
        case "known": known += 1
        case "observed": observed += 1
        default: unasked += 1
        }
    }
}

extension [CaseRecord] {
    /// The case with the smallest ``CaseRecord/size``, or the first of equal size; nil when there is no case.
    ///
    /// A record without a size counts as larger than any other.
    package var smallest: CaseRecord? {
        enumerated().min { left, right in
            (left.element.size ?? .max, left.offset) < (right.element.size ?? .max, right.offset)
        }?.element
    }
}
