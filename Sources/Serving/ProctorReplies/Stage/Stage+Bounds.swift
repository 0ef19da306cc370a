package import ProctorJournal

extension Stage {
    func tooManyRequests(isFirst: Bool) -> Choice {
        .ended(isFirst ? bounds.map { ReachedBound(.requests, count: $0.requestCount) } : nil, status: 503)
    }

    /// The answer after one more refused credential; nil while the bound is not exceeded.
    func tooManyRefusals(by index: Int, _ answers: GuardAnswers) -> Choice? {
        guard let bounds, guards[index].refusalsInRow > bounds.refusalCount, let last = answers.verdicts.last,
            last.outcome == .refused || last.outcome == .stale || last.outcome == .gaveUp
        else { return nil }
        let bound = ReachedBound(
            .refusals, count: bounds.refusalCount, guardName: last.guardName, fault: last.faults.first)
        // The guard's further answers would be the same again.
        guard noteBound(.refusals(guard: index)) else { return .ended(status: 403) }
        return .ended(bound, answers: answers, status: 403)
    }

    /// Whether a connection is beyond the bound, and the bound for the journal, once.
    package func isBeyondBound(connection number: Int) -> (isBeyond: Bool, bound: ReachedBound?) {
        guard let bounds, number >= bounds.connectionCount else { return (false, nil) }
        let isFirst = noteBound(.connections)
        return (true, isFirst ? ReachedBound(.connections, count: bounds.connectionCount) : nil)
    }
}
