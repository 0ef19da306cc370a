internal import ProctorJournal

/// How much a run takes of one client; beyond it the client repeats itself, and is told so and refused.
///
/// A run without bounds answers for ever, and its journal says less and less of it.
public struct RunBounds: Sendable {
    /// Requests that are answered.
    public var requestCount: Int
    /// Connections that are served.
    public var connectionCount: Int
    /// Credentials that one guard refuses in a row.
    public var refusalCount: Int

    /// More than any case of an exam needs.
    public init(requestCount: Int = 1_000, connectionCount: Int = 1_000, refusalCount: Int = 32) {
        self.requestCount = max(1, requestCount)
        self.connectionCount = max(1, connectionCount)
        self.refusalCount = max(1, refusalCount)
    }
}

extension Stage {
    /// What becomes of a request beyond the run's bound.
    func tooManyRequests(isFirst: Bool) -> Choice {
        .ended(isFirst ? bounds.map { ReachedBound(.requests, count: $0.requestCount) } : nil, status: 503)
    }

    /// What becomes of a request whose credential a guard has refused once more; nil while the guard hears the client.
    func tooManyRefusals(by desk: Int, _ guarding: Guarding) -> Choice? {
        guard let bounds, desks[desk].refusalsInRow > bounds.refusalCount, let last = guarding.verdicts.last,
            last.outcome == .refused || last.outcome == .stale || last.outcome == .gaveUp
        else { return nil }
        let bound = ReachedBound(
            .refusals, count: bounds.refusalCount, guardName: last.guardName, fault: last.faults.first)
        // What the guard says from then on is the same again.
        guard noteBound(.refusals(guard: desk)) else { return .ended(status: 403) }
        return .ended(bound, guarding: guarding, status: 403)
    }

    /// Whether a connection is beyond the run's bound, and what the journal is told then.
    func isBeyondBound(connection number: Int) -> (isBeyond: Bool, bound: ReachedBound?) {
        guard let bounds, number >= bounds.connectionCount else { return (false, nil) }
        let isFirst = noteBound(.connections)
        return (true, isFirst ? ReachedBound(.connections, count: bounds.connectionCount) : nil)
    }
}
