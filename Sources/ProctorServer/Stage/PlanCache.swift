internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import Synchronization

extension Stage {
    /// The plan of a reply, made at its first use and kept if it does not depend on the request; nil while content has
    /// to be coded first; then call ``awaitPlan(of:for:_:on:_:)``.
    func plan(
        of part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers, _ bounds: ConnectionBounds
    ) throws(ConnectionEnd) -> ReplyPlan? {
        if let plan = latePlan(of: part, for: request, numbers) { return plan }
        return try PlanMaker(self, part, for: request, numbers, bounds: bounds).planAtOnce()
    }

    /// The plan of a plain reply with values of the request; nil for any other reply.
    private func latePlan(of part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers) -> ReplyPlan? {
        guard !request.head.isMultiplexed, case .turn(let turn) = part.reply, part.infos.isEmpty, part.scripted == nil,
            reslice == nil,
            request.head.form != .authority,
            let late = compiled.lateReplies[compiled.firstReplyNumber[part.exchange] + turn]
        else { return nil }
        let captures =
            late.hasCaptures
            ? request.captures(of: part.exchange, compiled.exchanges[part.exchange].exchange.request) : Captures()
        var texts = LateTexts(captures: captures, state: part.state)
        return late.plan(&texts, of: request, numbers, omitsContent: request.head.hasMethod("HEAD"))
    }

    /// A plan that was kept for every request; nil where the reply looks at fields or has no such plan yet.
    func keptPlan(of part: PlayedPart, for head: RequestHead) -> ReplyPlan? {
        guard head.form != .authority, part.infos.isEmpty, case .turn(let turn) = part.reply else { return nil }
        let reply = compiled.replies[compiled.firstReplyNumber[part.exchange] + turn]
        guard !reply.looksAtFields else { return nil }
        return plans(of: head).plan(in: reply.firstPlanSlot + (head.hasMethod("HEAD") ? 1 : 0))
    }

    /// The plans for requests of the same protocol.
    fileprivate func plans(of head: RequestHead) -> PlanCache { head.isMultiplexed ? streamPlans : plans }

    /// Whether the reply can't be planned without all content of its request.
    func needsContent(_ part: PlayedPart) -> Bool {
        switch part.reply {
        case .turn(let turn): compiled.replies[compiled.firstReplyNumber[part.exchange] + turn].needsContent
        case .refusal(let refusal):
            compiled.replies[
                compiled.firstRefusalNumber[refusal.issuer.compiled.rules.index] + refusal.reply
            ].needsContent
        }
    }

    /// Waits for the coding and returns the plan; throws where the coding fails or the client leaves.
    func awaitPlan(
        of part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers,
        on channel: any PeerWaiting, _ bounds: ConnectionBounds
    ) async throws(ConnectionEnd) -> ReplyPlan {
        try await PlanMaker(self, part, for: request, numbers, bounds: bounds).plan(on: channel)
    }
}

private struct PlanMaker {
    private let stage: Stage
    private let part: PlayedPart
    private let request: RequestView
    private let numbers: RequestNumbers
    private let exchange: Exchange
    private let reply: Reply
    private let number: Int
    private let variant: CodingVariant?
    private let bound: BoundAddresses
    private let codedByteLimit: Int

    init(
        _ stage: Stage, _ part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers,
        bounds: ConnectionBounds
    ) {
        self.numbers = numbers
        self.stage = stage
        self.part = part
        self.request = request
        exchange = stage.compiled.exchanges[part.exchange].exchange
        switch part.reply {
        case .turn(let turn):
            reply = part.scripted ?? exchange.replies[turn]
            number = stage.compiled.firstReplyNumber[part.exchange] + turn
        case .refusal(let refusal):
            reply = refusal.played
            number = stage.compiled.firstRefusalNumber[refusal.issuer.compiled.rules.index] + refusal.reply
        }
        variant = reply.structured?.coding?.variant(for: request)
        bound = stage.addresses.bound(for: request.head, request.scheme)
        codedByteLimit = bounds.codedByteCount
    }

    private var isHead: Bool { request.head.hasMethod("HEAD") }

    /// The key of a reusable plan; nil where the reply is for this request only.
    private var place: PlanCache.Place? {
        guard part.infos.isEmpty, part.scripted == nil, !request.head.asksForTunnel,
            !request.head.asks(for: reply.structured?.honours ?? [])
        else { return nil }
        switch part.reply {
        case .turn:
            return .slot(stage.compiled.replies[number].firstPlanSlot + 2 * (variant?.number ?? 0) + (isHead ? 1 : 0))
        case .refusal(let refusal):
            guard variant == nil else { return nil }
            return refusal.planKey.map { .refusal($0, origin: exchange.origin, omitsContent: isHead) }
        }
    }

    private var planner: ReplyPlanner {
        let inputs = PlanInputs(
            part, for: request, numbers, pattern: exchange.request, addresses: bound, origin: exchange.origin)
        return ReplyPlanner(
            inputs: inputs, omitsContent: isHead,
            reslicing: stage.reslice.map { Slicing.again(seed: $0, reply: number) },
            isAskedForTunnel: request.head.isMultiplexed
                ? request.head.asksForTunnel
                : request.head.form == .authority && stage.scenario.origins[exchange.origin].role == .proxy,
            isMultiplexed: request.head.isMultiplexed,
            mentionsSetCookie: stage.cookies != nil && stage.compiled.replies[number].mentionsSetCookie)
    }

    func planAtOnce() throws(ConnectionEnd) -> ReplyPlan? {
        if let place, let kept = stage.plans(of: request.head).plan(at: place, for: bound.authorityKey) { return kept }
        guard let preparation = preparation(isAwaited: false) else {
            return isCodedForRequest ? nil : try plan(coded: nil)
        }
        switch preparation.outcome {
        case .content(let content)?: return try plan(coded: content)
        case .failed(let reason)?: throw .sourceFailed(reason)
        case .abandoned?, nil: return nil
        }
    }

    func plan(on channel: any PeerWaiting) async throws(ConnectionEnd) -> ReplyPlan {
        while true {
            guard let preparation = preparation(isAwaited: true) else { return try plan(coded: nil) }
            switch try await preparation.outcome(for: channel) {
            case .content(let content): return try plan(coded: content)
            case .failed(let reason): throw .sourceFailed(reason)
            // The last waiting request left before this one came: the content is coded again.
            case .abandoned: continue
            }
        }
    }

    private func plan(coded content: ContentSource?) throws(ConnectionEnd) -> ReplyPlan {
        var planner = planner
        planner.coded = variant.map { ReplyPlanner.CodedChoice(variant: $0, content: content) }
        let (plan, replayable) = try planner.plan(reply)
        if let replayable, let place {
            stage.plans(of: request.head).keep(replayable, at: place, for: bound.authorityKey)
        }
        return plan
    }

    /// Whether the content is coded for this request alone.
    private var isCodedForRequest: Bool {
        guard let variant, variant.changesContent, let message = reply.structured else { return false }
        return part.scripted != nil || message.bodyIsOfOneRequest
    }

    /// Nil without a coding, and for long content that is coded for this request alone, unless it is awaited.
    private func preparation(isAwaited: Bool) -> Preparation? {
        guard let variant, variant.changesContent, let message = reply.structured else { return nil }
        if part.scripted != nil || message.bodyIsOfOneRequest {
            let own = Preparation(planner.bodyPieces(of: message), variant.steps, upTo: codedByteLimit)
            guard isAwaited || own.isShort else { return nil }
            own.start()
            return own
        }
        let key = CodedBodies.Key(
            reply: number, variant: variant.number, addresses: message.bodyNamesAddresses ? bound.identity : [])
        return stage.compiled.coded.preparation(
            key, of: planner.bodyPieces(of: message), by: variant.steps, upTo: codedByteLimit)
    }
}

extension Reply {
    var forwards: Bool {
        if case .forward? = message { true } else { false }
    }

    /// Nil for raw bytes and for effects alone.
    var structured: StructuredReply? {
        guard case .structured(let message)? = message else { return nil }
        return message
    }
}

extension StructuredReply {
    fileprivate var bodyIsOfOneRequest: Bool {
        body.contains { piece in
            if case .bytes(.template(let template)) = piece { template.isOfOneRequest } else { false }
        }
    }

    fileprivate var bodyNamesAddresses: Bool {
        body.contains { piece in
            if case .bytes(.template(let template)) = piece { template.namesAddresses } else { false }
        }
    }
}

extension CodingVariant {
    /// Whether coding changes the bytes, which identity does not.
    fileprivate var changesContent: Bool { steps.contains { $0 != CodingStep(.identity) } }
}

extension BoundAddresses {
    /// All values that text can be bound to.
    fileprivate var identity: [UInt8] {
        path + base + Array(authorities.joined(separator: [UInt8(ascii: " ")]))
    }
}

/// The reusable plans of a stage's replies; safe from any thread.
final class PlanCache: Sendable {
    /// By slot, the plans that name no authority; read for each request, so without the lock.
    private let constant: [ConstantPlan]
    private let kept: Locked<Kept>

    /// A plan that is set once.
    ///
    /// An `AtomicLazyReference` does the same, but its generic code is not compiled for our type: three calls a request.
    private final class ConstantPlan: Sendable {
        /// Of a plan that this object retains until its own end, so that the address stays valid; 0 before it is set.
        private let address = Atomic<UInt>(0)

        deinit { unsafe Self.reference(to: address.load(ordering: .acquiring))?.release() }

        var plan: ReplyPlan? {
            unsafe Self.reference(to: address.load(ordering: .acquiring))?.takeUnretainedValue()
        }

        /// Keeps the plan where none is kept yet.
        func keep(_ plan: ReplyPlan) {
            let reference = unsafe Unmanaged.passRetained(plan)
            let new = unsafe UInt(bitPattern: reference.toOpaque())
            let isKept = address.compareExchange(expected: 0, desired: new, ordering: .acquiringAndReleasing).exchanged
            if !isKept { unsafe reference.release() }
        }

        private static func reference(to address: UInt) -> Unmanaged<ReplyPlan>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
            return unsafe Unmanaged.fromOpaque(pointer)
        }
    }

    private struct Kept {
        var slots: [KeptPlan?]
        /// Bounded by the number of refusals, realms and origins.
        var refusals: [Place: KeptPlan] = [:]

        subscript(place: Place) -> KeptPlan? {
            get { if case .slot(let slot) = place { slots[slot] } else { refusals[place] } }
            set { if case .slot(let slot) = place { slots[slot] = newValue } else { refusals[place] = newValue } }
        }
    }

    enum Place: Hashable {
        /// By reply, coding and HEAD.
        case slot(Int)
        /// `origin` is the meaning of `{{origin}}`.
        case refusal(Refusal.PlanKey, origin: Int, omitsContent: Bool)
    }

    /// A plan and the authority in its URLs; nil where it has none.
    private struct KeptPlan {
        let authority: [UInt8]?
        let plan: ReplyPlan
    }

    init(slotCount: Int) {
        constant = (0..<slotCount).map { _ in ConstantPlan() }
        kept = Locked(Kept(slots: Array(repeating: nil, count: slotCount)))
    }

    /// A plan that names no authority.
    func plan(in slot: Int) -> ReplyPlan? { constant[slot].plan }

    func plan(at place: Place, for authority: [UInt8]) -> ReplyPlan? {
        if case .slot(let slot) = place, let plan = constant[slot].plan { return plan }
        return kept.withLock { $0[place].flatMap { $0.authority == nil || $0.authority == authority ? $0.plan : nil } }
    }

    /// Of two threads that plan the same reply at the same time, the first one's plan is kept.
    func keep(_ replayable: ReplayablePlan, at place: Place, for authority: [UInt8]) {
        if case .slot(let slot) = place, !replayable.namesAddresses {
            constant[slot].keep(replayable.plan)
            return
        }
        let new = KeptPlan(authority: replayable.namesAddresses ? authority : nil, plan: replayable.plan)
        kept.withLock { $0[place] = new }
    }
}

/// The answer to a request of a stage: a reply of an exchange, or of a guard.
struct PlayedPart {
    let exchange: Int
    let reply: Source
    /// The authentication information of the guards (RFC 9110 §11.7.3).
    let infos: [ReplyInfo]
    /// The state behind the changes of the reply; nil where there is none.
    var state: StateValues?
    /// What the conditions of the request came to before these changes; nil where there are none.
    var precondition: Preconditions.Outcome?
    /// What a script has made in place of the fixture's reply; nil: nothing.
    var scripted: Reply?

    enum Source {
        /// From 0.
        case turn(Int)
        case refusal(Refusal)
    }

    var refusal: Refusal? {
        if case .refusal(let refusal) = reply { refusal } else { nil }
    }
}
