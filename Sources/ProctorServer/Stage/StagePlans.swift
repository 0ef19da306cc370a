internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

extension Stage {
    /// The plan of a reply, made at its first use and kept while nothing in it depends on the request.
    ///
    /// Nil while content has to be coded first, which ``awaitPlan(of:for:on:_:)`` waits for.
    func plan(
        of part: PlayedPart, for request: RequestView, _ bounds: ConnectionBounds
    ) throws(ConnectionEnd) -> ReplyPlan? {
        if case .exchange(let index, let turn, let infos) = part, infos.isEmpty, request.head.form != .authority {
            let number = compiled.firstReplyNumber[index] + turn
            if !compiled.looksAtFields[number] {
                let slot = compiled.firstPlanSlot[number] + (request.head.hasMethod("HEAD") ? 1 : 0)
                if let kept = plans.plan(in: slot) { return kept }
            }
        }
        return try PlanMaker(self, part, for: request, bounds: bounds).planAtOnce()
    }

    /// The plan, once the content is coded; throws where that fails, and where the client is gone before.
    func awaitPlan(
        of part: PlayedPart, for request: RequestView, on socket: Socket, _ bounds: ConnectionBounds
    ) async throws(ConnectionEnd) -> ReplyPlan {
        try await PlanMaker(self, part, for: request, bounds: bounds).plan(on: socket)
    }
}

/// Makes the plan of one reply for one request.
private struct PlanMaker {
    private let stage: Stage
    private let reply: Reply
    /// Among all replies of the scenario.
    private let number: Int
    private let variant: CodingVariant?
    private let bound: BoundAddresses
    private let slot: Slot
    private let codedByteLimit: Int
    private var planner: ReplyPlanner

    /// Where the plan is kept that was made for another request, and may be kept for the next.
    private enum Slot {
        /// The plan is of this request only.
        case none
        case cache(Int)
        case refusal(RefusalPlans, RefusalPlans.Key)
    }

    init(_ stage: Stage, _ part: PlayedPart, for request: RequestView, bounds: ConnectionBounds) {
        codedByteLimit = bounds.codedByteCount
        self.stage = stage
        let exchange = stage.compiled.exchanges[part.exchange].exchange
        switch part {
        case .exchange(let index, let turn, _):
            reply = exchange.replies[turn]
            number = stage.compiled.firstReplyNumber[index] + turn
        case .refusal(_, let refusal, _):
            reply = refusal.played
            number = stage.compiled.firstRefusalNumber[refusal.desk.compiled.rules.index] + refusal.reply
        }
        variant = reply.structured?.coding?.variant(for: request)
        bound = stage.addresses.bound(for: request.head, request.scheme)
        planner = ReplyPlanner(
            addresses: bound, servingOrigin: exchange.origin, pattern: exchange.request, request: request,
            omitsContent: request.head.hasMethod("HEAD"))
        planner.reslicing = stage.reslice.map { [number] in Slicing.again(seed: $0, reply: number) }
        planner.isAskedForTunnel =
            request.head.form == .authority && stage.scenario.origins[exchange.origin].role == .proxy
        planner.addition = part.addition
        planner.mentionsSetCookie = stage.cookies != nil && stage.compiled.mentionsSetCookie[number]
        guard !(reply.structured?.dependsOnFields(of: request) ?? false), !planner.isAskedForTunnel else {
            slot = .none
            return
        }
        switch part {
        case .exchange(_, _, let infos):
            let index =
                stage.compiled.firstPlanSlot[number] + 2 * (variant?.number ?? 0) + (planner.omitsContent ? 1 : 0)
            slot = infos.isEmpty ? .cache(index) : .none
        case .refusal(_, let refusal, let infos):
            guard variant == nil, infos.isEmpty, let key = refusal.planKey else {
                slot = .none
                return
            }
            slot = .refusal(
                refusal.desk.plans,
                RefusalPlans.Key(
                    refusal: key, origin: exchange.origin, omitsContent: planner.omitsContent,
                    authority: bound.authorityKey))
        }
    }

    private var kept: ReplyPlan? {
        switch slot {
        case .none: nil
        case .cache(let index): stage.plans.plan(in: index, for: bound.authorityKey)
        case .refusal(let plans, let key): plans.plan(key)
        }
    }

    private func keep(_ plan: ReplyPlan) {
        guard plan.isReusable else { return }
        switch slot {
        case .none: break
        case .cache(let index): stage.plans.keep(plan, in: index, for: bound.authorityKey)
        case .refusal(let plans, let key): plans.keep(plan, as: key)
        }
    }

    func planAtOnce() throws(ConnectionEnd) -> ReplyPlan? {
        if let kept { return kept }
        guard let preparation else { return plan(coded: nil) }
        switch preparation.outcome {
        case .content(let content)?: return plan(coded: content)
        case .failed(let reason)?: throw .sourceFailed(reason)
        case .abandoned?, nil: return nil
        }
    }

    func plan(on socket: Socket) async throws(ConnectionEnd) -> ReplyPlan {
        while true {
            guard let preparation else { return plan(coded: nil) }
            switch try await preparation.outcome(for: socket) {
            case .content(let content): return plan(coded: content)
            case .failed(let reason): throw .sourceFailed(reason)
            // The last request that waited for it has left before this one came: it is made anew.
            case .abandoned: continue
            }
        }
    }

    private func plan(coded content: ContentSource?) -> ReplyPlan {
        var planner = planner
        planner.coded = variant.map { ReplyPlanner.CodedChoice(variant: $0, content: content) }
        let plan = planner.plan(reply)
        keep(plan)
        return plan
    }

    /// Nil where nothing is to be coded.
    private var preparation: Preparation? {
        guard let variant, variant.changesContent, let message = reply.structured else { return nil }
        let key = CodedBodies.Key(
            reply: number, variant: variant.number, addresses: message.bodyNamesAddresses ? bound.identity : [])
        return stage.compiled.coded.preparation(
            key, of: planner.bodyPieces(of: message), by: variant.steps, upTo: codedByteLimit)
    }
}

extension Reply {
    /// Nil for raw bytes and for effects alone.
    var structured: StructuredReply? {
        guard case .structured(let message)? = message else { return nil }
        return message
    }
}

extension StructuredReply {
    /// Whether our own address stands in the content.
    fileprivate var bodyNamesAddresses: Bool {
        body.contains { piece in
            guard case .bytes(.template(let template)) = piece else { return false }
            return template.parts.contains { part in
                switch part {
                case .base, .origin, .authority, .host, .port: true
                case .literal, .now, .capture: false
                }
            }
        }
    }
}

extension CodingVariant {
    /// Whether content that was coded is other content: identity as it stands changes nothing.
    fileprivate var changesContent: Bool { steps.contains { $0 != CodingStep(.identity) } }
}

extension BoundAddresses {
    /// All that text can be bound to, whichever stage it is of.
    fileprivate var identity: [UInt8] {
        path + base + Array(authorities.joined(separator: [UInt8(ascii: " ")]))
    }
}

/// The plans of a stage's replies that can be played again; safe from any thread.
final class PlanCache: Sendable {
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
