import ProctorGrading
internal import ProctorScenario

/// How one client did in some cases of one kind.
struct MarkCounts: Sendable, Equatable {
    /// Cases that passed, as far as they were judged.
    private(set) var good = 0
    /// Cases that failed by the client: also as its ledger says.
    private(set) var bad = 0
    /// Cases that say nothing of the client: an ability that it lacks, a set-up that failed.
    private(set) var unasked = 0
    private(set) var observed = 0

    /// The cases that say something of the client.
    var judged: Int { good + bad }

    mutating func add(_ outcome: String) {
        switch outcome {
        case "pass", "partly": good += 1
        case "fail", "hang", "crash", "known": bad += 1
        // What the ledger lists no longer happens: the client passes.
        case "fixed": good += 1
        case "observed": observed += 1
        default: unasked += 1
        }
    }

    static func of(_ client: Int, _ kind: Case.Kind, _ items: some Sequence<Report.Item>) -> MarkCounts {
        items.reduce(into: MarkCounts()) { counts, item in
            guard let record = item.records[client], record.kind == kind else { return }
            counts.add(record.outcome)
        }
    }
}
