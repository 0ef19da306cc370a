internal import ProctorTrace

extension Stage {
    /// What becomes of a request beyond the run's bound.
    func tooManyRequests(isFirst: Bool) -> Choice {
        .ended(isFirst ? bounds.map { ReachedBound(.requests, count: $0.requestCount) } : nil, nil, status: 503)
    }

    /// What becomes of a request whose credential a guard has refused once more; nil while the guard hears the client.
    func tooManyRefusals(by desk: Int, _ guarding: Guarding) -> Choice? {
        guard let bounds, desks[desk].refusalsInRow > bounds.refusalCount, let last = guarding.verdicts.last,
            last.outcome == .refused || last.outcome == .stale || last.outcome == .gaveUp
        else { return nil }
        let bound = ReachedBound(
            .refusals, count: bounds.refusalCount, guardName: last.guardName, fault: last.faults.first)
        // What the guard says from then on is the same again.
        guard noteBound(.refusals(guard: desk)) else { return .ended(nil, nil, status: 403) }
        return .ended(bound, guarding, status: 403)
    }

    /// Whether a connection is beyond the run's bound, and what the journal is told then.
    func isBeyondBound(connection number: Int) -> (isBeyond: Bool, bound: ReachedBound?) {
        guard let bounds, number >= bounds.connectionCount else { return (false, nil) }
        let isFirst = noteBound(.connections)
        return (true, isFirst ? ReachedBound(.connections, count: bounds.connectionCount) : nil)
    }
}
