internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

extension Stage {
    /// The plan of a reply, made at its first use and kept while nothing in it depends on the request.
    ///
    /// nil while content has to be coded first, which ``awaitPlan(exchange:turn:for:on:_:)`` waits for.
    func plan(
        exchange index: Int, turn: Int, for request: RequestView, _ bounds: ConnectionBounds
    ) throws(ConnectionEnd) -> ReplyPlan? {
        let number = compiled.firstReplyNumber[index] + turn
        if !compiled.looksAtFields[number] {
            let slot = compiled.firstPlanSlot[number] + (request.head.hasMethod("HEAD") ? 1 : 0)
            if let kept = plans.plan(in: slot) { return kept }
        }
        return try PlanMaker(self, exchange: index, turn: turn, request, bounds).planAtOnce()
    }

    /// The same, when the content is coded; fails where it can't be, and where the client is gone before.
    func awaitPlan(
        exchange index: Int, turn: Int, for request: RequestView, on socket: Socket, _ bounds: ConnectionBounds
    ) async throws(ConnectionEnd) -> ReplyPlan {
        try await PlanMaker(self, exchange: index, turn: turn, request, bounds).plan(on: socket)
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
    private let slot: Int
    /// Whether the plan may be one that was made for another request.
    private let isShared: Bool
    private let codedByteLimit: Int
    private var planner: ReplyPlanner

    init(_ stage: Stage, exchange index: Int, turn: Int, _ request: RequestView, _ bounds: ConnectionBounds) {
        codedByteLimit = bounds.codedByteCount
        self.stage = stage
        let exchange = stage.compiled.exchanges[index].exchange
        reply = exchange.replies[turn]
        number = stage.compiled.firstReplyNumber[index] + turn
        variant = reply.structured?.coding?.variant(for: request)
        bound = stage.addresses.bound(for: request.head)
        isShared = !(reply.structured?.dependsOnFields(of: request) ?? false)
        planner = ReplyPlanner(
            addresses: bound, servingOrigin: exchange.origin, pattern: exchange.request, request: request,
            omitsContent: request.head.hasMethod("HEAD"))
        planner.reslicing = stage.reslice.map {
            Slicing.again(seed: $0, reply: stage.compiled.firstReplyNumber[index] + turn)
        }
        slot = stage.compiled.firstPlanSlot[number] + 2 * (variant?.number ?? 0) + (planner.omitsContent ? 1 : 0)
    }

    func planAtOnce() throws(ConnectionEnd) -> ReplyPlan? {
        if isShared, let kept = stage.plans.plan(in: slot, for: bound.authorityKey) { return kept }
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
            // The last who waited for it left before this one came: it is made anew.
            case .abandoned: continue
            }
        }
    }

    private func plan(coded content: ContentSource?) -> ReplyPlan {
        var planner = planner
        planner.coded = variant.map { ReplyPlanner.CodedChoice(variant: $0, content: content) }
        let plan = planner.plan(reply)
        if isShared, plan.isReusable { stage.plans.keep(plan, in: slot, for: bound.authorityKey) }
        return plan
    }

    /// nil where nothing is to be coded.
    private var preparation: Preparation? {
        guard let variant, variant.changesContent, let message = reply.structured else { return nil }
        let key = CodedBodies.Key(
            reply: number, variant: variant.number, addresses: message.bodyNamesAddresses ? bound.identity : [])
        return stage.compiled.coded.preparation(
            key, of: planner.bodyPieces(of: message), by: variant.steps, upTo: codedByteLimit)
    }
}

extension Reply {
    /// nil for raw bytes and for effects alone.
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
                case .base, .origin, .authority: true
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
        path + Array(authorities.joined(separator: [UInt8(ascii: " ")]))
    }
}
