internal import ProctorBase
internal import ProctorScenario

/// The plans of a stage's replies that can be played again; safe from any thread.
final class PlanShelf: Sendable {
    private let kept: Locked<[KeptPlan?]>

    /// A reply's plan and the authority that its URLs were made for; nil when it names none.
    private struct KeptPlan {
        let authority: [UInt8]?
        let plan: ReplyPlan
    }

    init(slotCount: Int) {
        kept = Locked(Array(repeating: nil, count: slotCount))
    }

    /// A plan that suits every authority.
    func plan(in slot: Int) -> ReplyPlan? {
        kept.withLock { $0[slot].flatMap { $0.authority == nil ? $0.plan : nil } }
    }

    /// The plan for an authority.
    func plan(in slot: Int, for authority: [UInt8]) -> ReplyPlan? {
        kept.withLock { $0[slot].flatMap { $0.authority == nil || $0.authority == authority ? $0.plan : nil } }
    }

    func keep(_ plan: ReplyPlan, in slot: Int, for authority: [UInt8]) {
        let new = KeptPlan(authority: plan.namesAddresses ? authority : nil, plan: plan)
        kept.withLock { $0[slot] = new }
    }
}
