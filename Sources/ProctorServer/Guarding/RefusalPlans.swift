internal import ProctorBase

/// The plans of a guard's refusals that can be played again; safe from any thread.
final class RefusalPlans: Sendable {
    private let kept = Locked<[Key: ReplyPlan]>([:])

    /// What tells the plans of one guard apart.
    struct Key: Hashable {
        let refusal: Refusal.PlanKey
        /// What `{{origin}}` means.
        let origin: Int
        let omitsContent: Bool
        /// What our own address is called; one that no address stands in is kept under the empty name too.
        let authority: [UInt8]
    }

    /// Realms and refusals of one guard come to a few; a client that makes up authorities must not fill memory.
    private static let limit = 64

    func plan(_ key: Key) -> ReplyPlan? { kept.withLock { $0[key] } }

    func keep(_ plan: ReplyPlan, as key: Key) {
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[key] = plan
        }
    }
}
