internal import ProctorBase
internal import ProctorCoding
package import ProctorHTTP
package import ProctorScenario
internal import Synchronization

extension Stage {
    /// A reply for a wire, planned at its first use and kept if it does not depend on the request; nil while content has
    /// to be coded first; then call ``ReplyMaker/preparation(isAwaited:)``.
    package func reply(
        of part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers, as layout: WireLayout,
        codedByteLimit: Int
    ) throws(ReplyFailure) -> LaidOutReply? {
        if layout == .bytes, let reply = lateReply(of: part, for: request, numbers) { return reply }
        return try ReplyMaker(self, part, for: request, numbers, as: layout, codedByteLimit: codedByteLimit)
            .replyAtOnce()
    }

    /// The bytes of a plain reply with values of the request; nil for any other reply.
    private func lateReply(
        of part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers
    ) -> LaidOutReply? {
        guard case .turn(let turn) = part.reply, !part.hasInfos, !part.isScripted, recutting == nil,
            request.head.form != .authority,
            !request.head.asksToClose
                || !compiled.replies[compiled.firstReplyNumber[part.exchange] + turn].answersClose,
            let late = compiled.lateReplies[compiled.firstReplyNumber[part.exchange] + turn]
        else { return nil }
        let captures =
            late.hasCaptures
            ? request.captures(of: part.exchange, compiled.exchanges[part.exchange].exchange.request) : Captures()
        var texts = LateTexts(captures: captures, state: part.state)
        return late.plan(&texts, of: request, numbers, omitsContent: request.head.hasMethod("HEAD"))
    }

    /// A reply that was kept for every request; nil where the reply looks at fields or was not planned yet.
    package func keptReply(of part: PlayedPart, for head: RequestHead, as layout: WireLayout) -> LaidOutReply? {
        guard head.form != .authority, !part.hasInfos, case .turn(let turn) = part.reply else { return nil }
        let reply = compiled.replies[compiled.firstReplyNumber[part.exchange] + turn]
        guard !reply.looksAtFields, !reply.needsHTTP11 || head.version != .http10,
            !reply.answersClose || !head.asksToClose
        else { return nil }
        return plans.reply(in: reply.firstPlanSlot + (head.hasMethod("HEAD") ? 1 : 0), as: layout)
    }

    /// Whether the reply can't be planned without all content of its request.
    package func needsContent(_ part: PlayedPart) -> Bool {
        switch part.reply {
        case .turn(let turn): compiled.replies[compiled.firstReplyNumber[part.exchange] + turn].needsContent
        case .refusal(let refusal):
            compiled.replies[
                compiled.firstRefusalNumber[refusal.issuer.compiled.rules.index] + refusal.reply
            ].needsContent
        }
    }
}

/// Plans one reply of a stage for one request.
package struct ReplyMaker {
    private let stage: Stage
    private let part: PlayedPart
    private let request: RequestView
    private let numbers: RequestNumbers
    private let exchange: Exchange
    private let reply: Reply
    private let number: Int
    /// Whether the client gets another reply than the fixture has: one of HTTP/1.0, or one that said `close`.
    private let isForClient: Bool
    private let variant: CodingVariant?
    private let bound: BoundAddresses
    private let codedByteLimit: Int
    private let layout: WireLayout

    package init(
        _ stage: Stage, _ part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers, as layout: WireLayout,
        codedByteLimit: Int
    ) {
        (self.layout, self.numbers, self.stage, self.part, self.request) = (layout, numbers, stage, part, request)
        exchange = stage.compiled.exchanges[part.exchange].exchange
        let written: Reply
        switch part.reply {
        case .turn(let turn):
            written = part.scripted ?? exchange.replies[turn]
            number = stage.compiled.firstReplyNumber[part.exchange] + turn
        case .refusal(let refusal):
            written = refusal.played
            number = stage.compiled.firstRefusalNumber[refusal.issuer.compiled.rules.index] + refusal.reply
        }
        if request.head.version == .http10 {
            isForClient = written.needsHTTP11
            reply = isForClient ? written.forHTTP10 : written
        } else {
            isForClient = request.head.asksToClose && written.answersClose
            reply = isForClient ? written.withClose : written
        }
        variant = reply.structured?.coding?.variant(for: request)
        bound = stage.addresses.bound(for: request.head, request.scheme, from: numbers.source)
        self.codedByteLimit = codedByteLimit
    }

    private var isHead: Bool { request.head.hasMethod("HEAD") }

    /// The key of a reusable reply; nil where the reply is for this request only.
    private var place: PlanCache.Place? {
        guard !part.hasInfos, !part.isScripted, !isForClient, !request.head.asksForTunnel,
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
            reslicing: stage.recutting?.slicing(ofReply: number, as: layout),
            isAskedForTunnel: request.head.isMultiplexed
                ? request.head.asksForTunnel
                : request.head.form == .authority && stage.scenario.origins[exchange.origin].role == .proxy,
            isToConnect: request.head.form == .authority,
            mentionsSetCookie: stage.cookies != nil && stage.compiled.replies[number].mentionsSetCookie)
    }

    func replyAtOnce() throws(ReplyFailure) -> LaidOutReply? {
        if let place, let kept = stage.plans.reply(at: place, for: bound.authorityKey, as: layout) { return kept }
        guard let preparation = preparation(isAwaited: false) else {
            return isCodedForRequest ? nil : try reply(coded: nil)
        }
        switch preparation.outcome {
        case .content(let content)?: return try reply(coded: content)
        case .failed(let reason)?: throw .sourceFailed(reason)
        case .abandoned?, nil: return nil
        }
    }

    /// The reply on a thread that may wait: content of any length is coded here.
    package func replyNow() throws(ReplyFailure) -> LaidOutReply {
        guard let variant, variant.changesContent, let message = reply.structured else { return try reply(coded: nil) }
        let preparation = Preparation(planner.bodyPieces(of: message), variant.steps, upTo: codedByteLimit)
        preparation.run()
        switch preparation.outcome {
        case .content(let content)?: return try reply(coded: content)
        case .failed(let reason)?: throw .sourceFailed(reason)
        case .abandoned?, nil: throw .sourceFailed("its coding was abandoned")
        }
    }

    /// `content` is coded; nil where the reply has no coding.
    package func reply(coded content: ContentSource?) throws(ReplyFailure) -> LaidOutReply {
        var planner = planner
        planner.coded = variant.map { ReplyPlanner.CodedChoice(variant: $0, content: content) }
        let (laidOut, replayable) = try planner.reply(reply, as: layout)
        if let replayable, let place { stage.plans.insert(replayable, at: place, for: bound.authorityKey, as: layout) }
        return laidOut
    }

    /// Whether the content is coded for this request alone.
    private var isCodedForRequest: Bool {
        guard let variant, variant.changesContent, let message = reply.structured else { return false }
        return part.isScripted || message.bodyIsOfOneRequest
    }

    /// Nil without a coding, and for long content that is coded for this request alone, unless it is awaited.
    package func preparation(isAwaited: Bool) -> Preparation? {
        guard let variant, variant.changesContent, let message = reply.structured else { return nil }
        if part.isScripted || message.bodyIsOfOneRequest {
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

/// The replies of a scenario that are the same for each request of each run, as wires have them; safe from any thread.
final class ConstantReplies: Sendable {
    /// The replies as bytes, by slot; read for each request, so without a lock.
    let bytes: [Slot]
    /// Made for the first request of HTTP/2.
    private let sections = Locked<[Slot]?>(nil)

    /// A reply that is set once.
    ///
    /// An `AtomicLazyReference` does the same, but its generic code is not compiled for our type: three calls a request.
    final class Slot: Sendable {
        /// The address of a reply, valid since this object retains the reply until its own end; 0 before it is set.
        private let address = Atomic<UInt>(0)

        deinit { unsafe Self.reference(to: address.load(ordering: .acquiring))?.release() }

        var reply: LaidOutReply? {
            unsafe Self.reference(to: address.load(ordering: .acquiring))?.takeUnretainedValue()
        }

        /// Keeps the reply where none is kept yet.
        func set(_ reply: LaidOutReply) {
            let reference = unsafe Unmanaged.passRetained(reply)
            let new = unsafe UInt(bitPattern: reference.toOpaque())
            let isKept = address.compareExchange(expected: 0, desired: new, ordering: .acquiringAndReleasing).exchanged
            if !isKept { unsafe reference.release() }
        }

        private static func reference(to address: UInt) -> Unmanaged<LaidOutReply>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
            return unsafe Unmanaged.fromOpaque(pointer)
        }
    }

    init(slotCount: Int) {
        bytes = (0..<slotCount).map { _ in Slot() }
    }

    func slot(_ slot: Int, as layout: WireLayout) -> Slot {
        guard layout == .sections else { return bytes[slot] }
        return sections.withLock { made in
            let slots = made ?? bytes.map { _ in Slot() }
            made = slots
            return slots[slot]
        }
    }
}

/// The reusable replies of a stage, as wires have them; safe from any thread.
final class PlanCache: Sendable {
    private let constant: ConstantReplies
    private let constantBytes: [ConstantReplies.Slot]
    private let kept = Locked(Shelves())

    /// Replies that are reusable in this stage alone, by layout.
    private struct Shelves {
        private var bytes = Shelf()
        private var sections = Shelf()

        subscript(layout: WireLayout) -> Shelf {
            get { layout == .bytes ? bytes : sections }
            _modify { if layout == .bytes { yield &bytes } else { yield &sections } }
        }
    }

    private struct Shelf {
        /// As many as were needed.
        private var slots: [KeptReply?] = []
        /// Bounded by the number of refusals, realms and origins.
        private var refusals: [Place: KeptReply] = [:]

        subscript(place: Place) -> KeptReply? {
            get {
                guard case .slot(let slot) = place else { return refusals[place] }
                return slot < slots.count ? slots[slot] : nil
            }
            set {
                guard case .slot(let slot) = place else { return refusals[place] = newValue }
                if slot >= slots.count { slots += Array(repeating: nil, count: slot + 1 - slots.count) }
                slots[slot] = newValue
            }
        }
    }

    enum Place: Hashable {
        /// A slot of the scenario's replies: there is one for each reply, coding and HEAD or not.
        case slot(Int)
        /// `origin` is the meaning of `{{origin}}`.
        case refusal(Refusal.PlanKey, origin: Int, omitsContent: Bool)
    }

    /// A reply and the authority in its URLs; nil where it has none.
    private struct KeptReply {
        let authority: [UInt8]?
        let reply: LaidOutReply
    }

    /// `constant`: shared by the stages in which these replies are laid out alike.
    init(_ constant: ConstantReplies) {
        self.constant = constant
        constantBytes = constant.bytes
    }

    /// A reply that names no authority.
    func reply(in slot: Int, as layout: WireLayout) -> LaidOutReply? {
        // Of bytes without a call, since it is read for each request.
        layout == .bytes ? constantBytes[slot].reply : constant.slot(slot, as: layout).reply
    }

    func reply(at place: Place, for authority: [UInt8], as layout: WireLayout) -> LaidOutReply? {
        if case .slot(let slot) = place, let reply = reply(in: slot, as: layout) { return reply }
        return kept.withLock {
            $0[layout][place].flatMap { $0.authority == nil || $0.authority == authority ? $0.reply : nil }
        }
    }

    /// Keeps a reply; of two threads that plan the same reply at the same time, the first one's is kept.
    func insert(_ replayable: ReplayableReply, at place: Place, for authority: [UInt8], as layout: WireLayout) {
        if case .slot(let slot) = place, !replayable.namesAddresses {
            constant.slot(slot, as: layout).set(replayable.reply)
            return
        }
        let new = KeptReply(authority: replayable.namesAddresses ? authority : nil, reply: replayable.reply)
        kept.withLock { $0[layout][place] = new }
    }
}

/// The answer to a request of a stage: a reply of an exchange, or of a guard.
package struct PlayedPart {
    package let exchange: Int
    package let reply: Source
    /// What most replies do not have; nil for those, which are copied the faster.
    private let extras: Extras?

    /// The authentication information of the guards (RFC 9110 §11.7.3).
    package var infos: [ReplyInfo] { extras?.infos ?? [] }
    package var hasInfos: Bool { extras?.infos.isEmpty == false }
    /// The state behind the changes of the reply; nil where there is none.
    package var state: StateValues? { extras?.state }
    /// What the conditions of the request came to before these changes; nil where there are none.
    package var precondition: Preconditions.Outcome? { extras?.precondition }
    /// What a script has made in place of the fixture's reply; nil: nothing.
    package var scripted: Reply? { extras?.scripted }
    package var isScripted: Bool { extras.map { $0.scripted != nil } ?? false }

    package init(
        exchange: Int, reply: Source, infos: [ReplyInfo], state: StateValues? = nil,
        precondition: Preconditions.Outcome? = nil
    ) {
        (self.exchange, self.reply) = (exchange, reply)
        extras =
            infos.isEmpty && state == nil && precondition == nil
            ? nil : Extras(infos: infos, state: state, precondition: precondition, scripted: nil)
    }

    /// `scripted` is what the script of the part has made.
    package init(_ part: PlayedPart, scripted: Reply) {
        exchange = part.exchange
        reply = part.reply
        extras = Extras(
            infos: part.infos, state: part.state, precondition: part.precondition, scripted: scripted)
    }

    private final class Extras {
        let infos: [ReplyInfo]
        let state: StateValues?
        let precondition: Preconditions.Outcome?
        let scripted: Reply?

        init(infos: [ReplyInfo], state: StateValues?, precondition: Preconditions.Outcome?, scripted: Reply?) {
            (self.infos, self.state, self.precondition, self.scripted) = (infos, state, precondition, scripted)
        }
    }

    package enum Source {
        /// From 0.
        case turn(Int)
        indirect case refusal(Refusal)
    }

    package var refusal: Refusal? {
        if case .refusal(let refusal) = reply { refusal } else { nil }
    }
}
