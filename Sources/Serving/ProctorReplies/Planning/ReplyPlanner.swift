internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// Turns a reply of a fixture into a plan, with all text bound, and that into the reply for a wire.
struct ReplyPlanner {
    /// Each plan takes a copy, which records what was read.
    let inputs: PlanInputs
    /// True for HEAD: the head is that of a reply with content (RFC 9110 §9.3.2).
    let omitsContent: Bool
    /// The cuts of a reply that has neither slices nor a pace.
    var reslicing: Slicing?
    /// A 2xx ends with its head, and the connection is no longer HTTP after it (RFC 9112 §6.3).
    var isAskedForTunnel = false
    /// The request is CONNECT, whatever its origin is.
    var isToConnect = false
    /// Cookies are judged, and the reply may set some.
    var mentionsSetCookie = false
    /// The chosen coding and the coded content; nil for a reply without coding.
    var coded: CodedChoice?

    struct CodedChoice {
        let variant: CodingVariant
        let content: ContentSource?
    }

    /// The reply for a wire, and a reusable one where it suits other requests; throws where a text of the reply can't be
    /// made, or the wire has no place for it.
    func reply(
        _ reply: Reply, as layout: WireLayout
    ) throws(ReplyFailure) -> (reply: LaidOutReply, replayable: ReplayableReply?) {
        var inputs = inputs
        let plan = plan(reply, &inputs)
        let laidOut: LaidOutReply
        switch layout {
        case .bytes:
            var layout = ByteLayout(plan)
            laidOut = layout.laidOut()
        case .sections:
            var layout = SectionLayout(plan)
            laidOut = try layout.laidOut()
        }
        if let failure = inputs.failure { throw .unanswerable(failure) }
        return (laidOut, ReplayableReply(laidOut, from: inputs))
    }

    private func plan(_ reply: Reply, _ inputs: inout PlanInputs) -> ReplyPlan {
        switch reply.message {
        // Forwarding replaces the reply before a plan is made.
        // A script's reply replaces it before a plan is made.
        case nil, .forward, .script:
            let items = reply.effects.map { effect in
                PendingEffects.Item(position: effect.position, action: inputs.bound(effect.action))
            }
            return plan(reply, .effects(items), PendingEffects([], &inputs), behind: bound(reply.opaque, &inputs))
        case .raw(let pieces):
            var effects = PendingEffects(reply.effects, &inputs)
            let content = rawContent(of: pieces, &inputs, &effects)
            return plan(
                reply, .raw(content), effects, slicing: reply.rawSlicing ?? reslicing, tunnel: reply.rawTunnel,
                behind: bound(reply.opaque, &inputs))
        case .structured(let message):
            var effects = PendingEffects(reply.effects, &inputs)
            var draft = draft(of: message, &inputs, &effects)
            if draft.isUnsatisfied, let own = message.unsatisfiable?.reply {
                var planner = self
                planner.coded = nil
                return planner.plan(own, &inputs)
            }
            let opening = reply.webSocket.flatMap { ($0 as? any PlannedWebSocket)?.open(&draft, &inputs) }
            let behind =
                opening.map { opening in opening.program.map { [.webSocket($0.bound(by: &inputs))] } }
                ?? bound(reply.opaque, &inputs)
            return plan(
                reply, .structured(structured(message, as: draft, &inputs)), effects,
                slicing: message.slicing ?? (message.pace == nil ? reslicing : nil), pace: message.pace,
                tunnel: message.tunnel, behind: behind, opening: opening)
        }
    }

    private func bound(_ steps: [OpaqueStep]?, _ inputs: inout PlanInputs) -> [OpaqueStep]? {
        steps.map { steps in steps.map { inputs.bound($0) } }
    }

    private func plan(
        _ reply: Reply, _ message: ReplyPlan.Message, _ effects: PendingEffects, slicing: Slicing? = nil,
        pace: Pace? = nil, tunnel: Tunnel? = nil, behind: [OpaqueStep]?, opening: WebSocketOpening? = nil
    ) -> ReplyPlan {
        ReplyPlan(
            message: message, effects: effects, method: inputs.method, isToConnect: isToConnect, slicing: slicing,
            pace: pace, tunnel: tunnel, opaque: behind, opening: opening, persistence: reply.persistence,
            mentionsSetCookie: mentionsSetCookie)
    }

    func bodyPieces(of message: StructuredReply) -> [ContentPiece] {
        var inputs = inputs
        return body(of: message, &inputs).compactMap { piece in
            guard case .bytes(let source) = piece else { return nil }
            return ContentPiece(ContentSource(inputs.bound(source)))
        }
    }

    /// The body as its Content-Type wants its late values written.
    private func body(of message: StructuredReply, _ inputs: inout PlanInputs) -> [BodyPiece] {
        guard let escaped = message.bodyInJSON, let type = message.contentType,
            StructuredReply.isJSON(inputs.bytes(of: type))
        else { return message.body }
        return escaped
    }

    // MARK: Structured replies

    /// The reply with its text bound, its content coded, and the request's fields honoured.
    private func draft(
        of message: StructuredReply, _ inputs: inout PlanInputs, _ effects: inout PendingEffects
    ) -> ReplyDraft {
        var draft = ReplyDraft(message, content: content(of: message, &inputs, &effects), &inputs)
        if let coding = message.coding, let coded {
            guard coded.variant.isAcceptable else {
                draft.refuse(406, ReplyDraft.nothingAcceptable(coding))
                return draft
            }
            draft.addFields(of: coding, as: coded.variant)
        }
        draft.honour(message.honours, &inputs, leavesUnsatisfied: message.unsatisfiable != nil)
        return draft
    }

    /// Binds the pieces of the body, or takes the coded content, and collects the effects between them.
    private func content(
        of message: StructuredReply, _ inputs: inout PlanInputs, _ effects: inout PendingEffects
    ) -> ReplyContent {
        var pieces: [ContentPiece] = []
        var inline: [PendingEffects.Item] = []
        var offset = 0
        for piece in body(of: message, &inputs) {
            switch piece {
            case .bytes(let source):
                let bound = inputs.bound(source)
                offset += bound.boundByteCount
                // Content that is replaced below is not made.
                if coded?.content == nil { pieces.append(ContentPiece(ContentSource(bound))) }
            case .effect(let action):
                inline.append(PendingEffects.Item(position: .body(offset), action: inputs.bound(action)))
            }
        }
        effects.prepend(inline)
        if let content = coded?.content { pieces = [ContentPiece(content)] }
        return ReplyContent(pieces: pieces)
    }

    private func structured(
        _ message: StructuredReply, as draft: ReplyDraft, _ inputs: inout PlanInputs
    ) -> ReplyPlan.Structured {
        var draft = draft
        let opensTunnel = isAskedForTunnel && (200...299).contains(draft.status)
        if opensTunnel { draft.omitFraming() }
        let hasContent = !omitsContent && !draft.isNotModified && !opensTunnel
        let content = draft.content
        for field in inputs.guardFields(content: { hasContent ? content.bytesInMemory ?? [] : [] }) {
            draft.append(field)
        }
        let interim = message.interim.map { piece in
            switch piece {
            case .reply(let interim):
                ReplyPlan.Interim.reply(
                    ReplySection(
                        version: Array(message.version.utf8), status: interim.status, reason: interim.reason,
                        fields: interim.headers.map { .init($0.name, inputs.bytes(of: $0.value)) }))
            case .effect(let action): ReplyPlan.Interim.effect(inputs.bound(action))
            }
        }
        let chunks: ChunkStyle? = if case .chunked(let style) = draft.framing { style } else { nil }
        return ReplyPlan.Structured(
            interim: interim, head: draft.section, content: content, chunks: chunks, hasContent: hasContent,
            trailers: hasContent && chunks != nil
                ? message.trailers.map { .init($0.name, inputs.bytes(of: $0.value)) } : [],
            endsByClose: draft.endsByClose, opensTunnel: opensTunnel,
            uncoded: hasContent ? contentBeforeCoding(draft, of: message) : nil)
    }

    // MARK: Raw replies

    /// The bytes of a raw reply; effects between them wait for their offsets.
    private func rawContent(
        of pieces: [BodyPiece], _ inputs: inout PlanInputs, _ effects: inout PendingEffects
    ) -> ReplyContent {
        var planned: [ContentPiece] = []
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
                if !together.isEmpty { planned.append(ContentPiece(together)) }
                together = []
                planned.append(ContentPiece(source))
            case .effect(let action):
                inline.append(PendingEffects.Item(position: .wire(offset), action: inputs.bound(action)))
            }
        }
        if !together.isEmpty { planned.append(ContentPiece(together)) }
        effects.prepend(inline)
        return ReplyContent(pieces: planned)
    }
}

/// A reply that suits every request with its key in ``PlanCache``: no value of one request, nor the time, was read.
struct ReplayableReply: Sendable {
    let reply: LaidOutReply
    let namesAddresses: Bool

    /// Nil for a reply to one request; `inputs` are those that it was made from.
    fileprivate init?(_ reply: LaidOutReply, from inputs: PlanInputs) {
        guard !inputs.areOfOneRequest else { return nil }
        self.reply = reply
        namesAddresses = inputs.nameAddresses
    }
}
