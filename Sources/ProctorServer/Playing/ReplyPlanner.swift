internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// Turns a reply of a fixture into a plan: text is bound, framing written, effects put at their positions.
struct ReplyPlanner {
    let addresses: BoundAddresses
    let servingOrigin: Int
    let pattern: RequestPattern
    let request: RequestView
    /// True for HEAD: the head is the one of the content, which stays away (RFC 9110 §9.3.2).
    let omitsContent: Bool
    /// How a reply is cut that says nothing about it, nor keeps a pace.
    var reslicing: Slicing?
    /// A 2xx ends with its head, and what follows on the connection is no HTTP (RFC 9112 §6.3).
    var isAskedForTunnel = false
    /// Field lines behind those of the fixture.
    var addition = Addition.none
    /// Somebody looks at cookies, and the reply may set some.
    var mentionsSetCookie = false
    /// What was chosen for a reply that codes its content, with the content so coded; nil for any other reply.
    var coded: CodedChoice?

    /// A choice of codings and what came of it.
    struct CodedChoice {
        let variant: CodingVariant
        let content: ContentSource?
    }

    func plan(_ reply: Reply) -> ReplyPlan {
        if case .structured(let message)? = reply.message, let own = unsatisfiable(message) { return own }
        var binding = Binding(context: context())
        let opaque = reply.opaque.map { steps in steps.map { binding.bound($0) } }
        var plan = plan(reply, binding)
        plan.opaque = opaque
        plan.persistence = reply.persistence
        return plan
    }

    private func plan(_ reply: Reply, _ binding: Binding) -> ReplyPlan {
        switch reply.message {
        // Forwarding replaces the reply before any plan is asked for.
        case nil, .forward:
            return planEffects(reply, binding)
        case .raw(let pieces):
            return planRaw(pieces, reply, binding)
        case .structured(let message):
            return planStructured(message, reply, binding)
        }
    }

    /// What text is bound to, and whether any of it was of this request only.
    struct Binding {
        let context: TemplateContext
        private(set) var isLateBound = false
        /// Whether our own address stands in any of it.
        private(set) var namesAddresses = false

        init(context: TemplateContext) {
            self.context = context
        }

        mutating func bytes(of template: Template) -> [UInt8] {
            for part in template.parts {
                switch part {
                case .now, .capture: isLateBound = true
                case .base, .origin, .authority, .host, .port: namesAddresses = true
                case .literal: break
                }
            }
            return template.rendered(in: context)
        }

        /// The bytes of an effect are bound like those of a body.
        mutating func bound(_ action: Effect.Action) -> Effect.Action {
            guard case .send(let source) = action else { return action }
            return .send(bound(source))
        }

        mutating func bound(_ step: OpaqueStep) -> OpaqueStep {
            switch step {
            case .effect(let action): .effect(bound(action))
            case .expect(let source, let limit): .expect(bound(source), within: limit)
            case .read: step
            }
        }

        /// A template becomes literal; everything else stays what it is.
        mutating func bound(_ source: ByteSource) -> ByteSource {
            guard case .template(let template) = source else { return source }
            return .literal(bytes(of: template))
        }
    }

    func context() -> TemplateContext {
        var captures = pattern.targetCaptures(of: request) ?? Captures()
        for condition in pattern.headers {
            guard let value = condition.value else { continue }
            for line in request.head.fields.values(named: Array(condition.name.utf8)) {
                guard let found = value.match(line.span) else { continue }
                captures.merge(found)
                break
            }
        }
        return addresses.context(origin: servingOrigin, captures: captures)
    }

    /// The content that is coded.
    func bodyPieces(of message: StructuredReply) -> [ContentPiece] {
        var binding = Binding(context: context())
        var pieces: [ContentPiece] = []
        for case .bytes(let source) in message.body {
            pieces.append(ContentPiece(ContentSource(binding.bound(source))))
        }
        return pieces
    }

    private func planEffects(_ reply: Reply, _ binding: Binding) -> ReplyPlan {
        var binding = binding
        var list = StepList()
        for effect in reply.effects { list.effect(binding.bound(effect.action), at: effect.position.text) }
        list.flush()
        return ReplyPlan(
            steps: list.steps, status: nil, endsConnection: false, saysKeepAlive: false,
            isReusable: !binding.isLateBound, namesAddresses: binding.namesAddresses, rhythm: nil)
    }

    private func planRaw(_ pieces: [BodyPiece], _ reply: Reply, _ binding: Binding) -> ReplyPlan {
        var binding = binding
        let slicing = reply.rawSlicing ?? reslicing
        var list = StepList(cuts: CutFinder(slicing))
        var cues = Cues(reply.effects, &binding)
        // A raw reply has no parts that we know of: every offset counts from its first byte.
        let content = rawContent(pieces, &binding, &cues)
        list.cuts?.seeRaw(content)
        let range = 0..<content.byteCount
        content.walk(range, stops: cues.offsets(in: range)) { step in
            cues.playBefore(rawOffset: step.range.lowerBound, into: &list)
            step.add(to: &list)
        }
        cues.playRest(into: &list)
        list.flush()
        return ReplyPlan(
            steps: list.steps, status: nil, endsConnection: false, saysKeepAlive: false,
            isReusable: !binding.isLateBound, namesAddresses: binding.namesAddresses, tunnel: reply.rawTunnel,
            rhythm: Rhythm.of(slicing, found: list.cuts, byteCount: list.byteCount),
            setCookies: setCookies(inRaw: content, list.steps), begun: sentReplies(inRaw: content, list.steps))
    }

    /// The bytes of a raw reply; effects between them become cues at their offsets.
    private func rawContent(_ pieces: [BodyPiece], _ binding: inout Binding, _ cues: inout Cues) -> ContentWalk {
        var found: [ContentPiece] = []
        // Neighbours in memory are one piece.
        var together: [UInt8] = []
        var inline: [Cues.Cue] = []
        var offset = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                let bound = binding.bound(bytes)
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
                inline.append(Cues.Cue(position: .wire(offset), action: binding.bound(action)))
            }
        }
        if !together.isEmpty { found.append(ContentPiece(together)) }
        cues.prepend(inline)
        return ContentWalk(pieces: found)
    }
}

extension ByteSource {
    /// How many bytes there are, once templates are bound.
    var boundByteCount: Int { byteCount ?? 0 }
}

extension Effect.Position {
    /// As a fixture writes it.
    var text: String {
        switch self {
        case .head(0): "head"
        case .head(let offset): "head \(offset)"
        case .body(let offset): "body \(offset)"
        case .wire(let offset): "wire \(offset)"
        case .end: "end"
        }
    }
}
