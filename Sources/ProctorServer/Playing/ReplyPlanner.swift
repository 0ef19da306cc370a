internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// Turns a reply of a fixture into a plan: binds text, writes framing, places effects.
struct ReplyPlanner {
    /// Each plan takes a copy, which records what was read.
    let inputs: PlanInputs
    /// True for HEAD: the head is that of a reply with content (RFC 9110 §9.3.2).
    let omitsContent: Bool
    /// The cuts of a reply that has neither slices nor a pace.
    var reslicing: Slicing?
    /// A 2xx ends with its head, and the connection is no longer HTTP after it (RFC 9112 §6.3).
    var isAskedForTunnel = false
    /// For a stream of HTTP/2: the plan has field sections and content in place of bytes.
    var isMultiplexed = false
    /// Cookies are judged, and the reply may set some.
    var mentionsSetCookie = false
    /// The chosen coding and the coded content; nil for a reply without coding.
    var coded: CodedChoice?

    struct CodedChoice {
        let variant: CodingVariant
        let content: ContentSource?
    }

    /// The plan, and a reusable one where it suits other requests; throws where a text of the reply can't be made.
    func plan(_ reply: Reply) throws(ConnectionEnd) -> (plan: ReplyPlan, replayable: ReplayablePlan?) {
        var inputs = inputs
        let plan = plan(reply, &inputs)
        if let failure = inputs.failure { throw .unanswerable(failure) }
        return (plan, ReplayablePlan(plan, from: inputs))
    }

    private func plan(_ reply: Reply, _ inputs: inout PlanInputs) -> ReplyPlan {
        switch reply.message {
        // Forwarding replaces the reply before a plan is made.
        // A script's reply replaces it before a plan is made.
        case nil, .forward, .script: return planEffects(reply, &inputs)
        case .raw where isMultiplexed:
            inputs.fail(
                "its bytes are written in the fixture, and a stream of HTTP/2 has no place for bytes of HTTP/1.1")
            return planEffects(reply, &inputs)
        case .raw(let pieces): return planRaw(pieces, of: reply, &inputs)
        case .structured(let message):
            var effects = PendingEffects(reply.effects, &inputs)
            let draft = draft(of: message, &inputs, &effects)
            if draft.isUnsatisfied, let own = message.unsatisfiable?.reply {
                var planner = self
                planner.coded = nil
                return planner.plan(own, &inputs)
            }
            if isMultiplexed { return planStream(message, of: reply, as: draft, with: effects, &inputs) }
            return planStructured(message, of: reply, as: draft, with: effects, &inputs)
        }
    }

    /// What follows the reply where the connection is no longer HTTP.
    func opaque(after reply: Reply, _ inputs: inout PlanInputs) -> [OpaqueStep]? {
        reply.opaque.map { steps in steps.map { inputs.bound($0) } }
    }

    func bodyPieces(of message: StructuredReply) -> [ContentPiece] {
        var inputs = inputs
        return message.body.compactMap { piece in
            guard case .bytes(let source) = piece else { return nil }
            return ContentPiece(ContentSource(inputs.bound(source)))
        }
    }

    private func planEffects(_ reply: Reply, _ inputs: inout PlanInputs) -> ReplyPlan {
        ReplyPlan(
            steps: reply.effects.map { .effect(inputs.bound($0.action), at: $0.position.text) },
            opaque: opaque(after: reply, &inputs), persistence: reply.persistence)
    }

    // MARK: Raw replies

    private func planRaw(_ pieces: [BodyPiece], of reply: Reply, _ inputs: inout PlanInputs) -> ReplyPlan {
        let slicing = reply.rawSlicing ?? reslicing
        var list = StepList(cuts: CutFinder(slicing))
        var effects = PendingEffects(reply.effects, &inputs)
        let content = rawContent(of: pieces, &inputs, &effects)
        list.cuts?.seeRaw(content)
        let range = 0..<content.byteCount
        content.walk(range, stops: effects.offsets(in: range, of: .raw)) { part in
            effects.play(before: part.range.lowerBound, of: .raw, into: &list)
            part.add(to: &list)
        }
        effects.playRest(into: &list)
        list.flush()
        return ReplyPlan(
            steps: list.steps, tunnel: reply.rawTunnel,
            schedule: WriteSchedule(slicing, found: list.cuts?.offsets ?? [], byteCount: list.byteCount),
            setCookies: setCookies(inRaw: content, list.steps),
            begun: RepliesRead.replies(inRaw: content, list.steps, to: inputs.method),
            opaque: opaque(after: reply, &inputs), persistence: reply.persistence)
    }

    /// The bytes of a raw reply; effects between them wait for their offsets.
    private func rawContent(
        of pieces: [BodyPiece], _ inputs: inout PlanInputs, _ effects: inout PendingEffects
    ) -> ReplyContent {
        var found: [ContentPiece] = []
        // Neighbours in memory become one piece.
        var together: [UInt8] = []
        var inline: [PendingEffects.Item] = []
        var offset = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                let bound = inputs.bound(bytes)
                offset += bound.boundByteCount
                let source = ContentSource(bound)
                if case .bytes(let bytes) = source {
                    together += bytes
                    continue
                }
                if !together.isEmpty { found.append(ContentPiece(together)) }
                together = []
                found.append(ContentPiece(source))
            case .effect(let action):
                inline.append(PendingEffects.Item(position: .wire(offset), action: inputs.bound(action)))
            }
        }
        if !together.isEmpty { found.append(ContentPiece(together)) }
        effects.prepend(inline)
        return ReplyContent(pieces: found)
    }
}

/// A plan that suits every request with its key in ``PlanCache``: no value of one request, nor the time, was read.
struct ReplayablePlan: Sendable {
    let plan: ReplyPlan
    let namesAddresses: Bool

    /// Nil for a plan of one request; `inputs` are those that it was made from.
    fileprivate init?(_ plan: ReplyPlan, from inputs: PlanInputs) {
        guard !inputs.areOfOneRequest else { return nil }
        self.plan = plan
        namesAddresses = inputs.nameAddresses
    }
}
