internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorScenario

/// A field section that a stream of HTTP/2 sends (RFC 9113 §8.1).
struct StreamSection: Sendable {
    let kind: SectionKind
    /// With `:status` first, except in trailers.
    let fields: [HeaderField]
    let endsStream: Bool
    /// The journal's event; nil for trailers.
    let reply: SentReply?
}

/// A final reply of a stream whose content is in memory.
struct StreamMessage: Sendable {
    let section: StreamSection
    let content: [UInt8]
    let status: Int

    /// Nil where the steps are anything else.
    init?(_ steps: [ReplyPlan.Step]) {
        guard case .section(let section)? = steps.first, section.kind == .response, let status = section.reply?.status
        else { return nil }
        switch steps.count {
        case 1 where section.endsStream: content = []
        case 3:
            guard case .send(let bytes) = steps[1], case .end = steps[2] else { return nil }
            content = bytes
        default: return nil
        }
        self.section = section
        self.status = status
    }
}

extension ReplyPlan.Step {
    var isEnd: Bool { if case .end = self { true } else { false } }

    var isContent: Bool {
        switch self {
        case .send, .stream: true
        case .effect, .section, .end: false
        }
    }
}

extension [ReplyPlan.Step] {
    /// Whether they are a whole reply of a stream, without effects.
    var areOfContent: Bool {
        guard case .section? = first else { return false }
        return allSatisfy { if case .effect = $0 { false } else { true } }
    }
}

extension ReplyPlanner {
    /// The plan of a structured reply for a stream.
    ///
    /// Connection-specific fields are left out (RFC 9113 §8.2.2), and so are the version and the reason phrase, which
    /// HTTP/2 has not (§8.3.2). Chunks become DATA, and what ends a body by closing the connection, END_STREAM. Cuts are
    /// those of the content.
    func planStream(
        _ message: StructuredReply, of reply: Reply, as draft: ReplyDraft, with pending: PendingEffects,
        _ inputs: inout PlanInputs
    ) -> ReplyPlan {
        var draft = draft
        var effects = pending
        var list = StepList()
        let opensTunnel = isAskedForTunnel && (200...299).contains(draft.status)
        if opensTunnel { draft.omitFraming() }
        let hasContent = !omitsContent && !draft.isNotModified && !opensTunnel
        let content = draft.content
        for field in inputs.guardFields(content: { hasContent ? content.bytesInMemory ?? [] : [] }) {
            draft.append(field)
        }
        addInterimSections(message, &inputs, to: &list)
        let trailers = hasContent && draft.isChunked ? message.trailers : []
        let endsWithHead =
            !opensTunnel && trailers.isEmpty && (!hasContent || content.byteCount == 0 && effects.isEmpty)
        effects.play(before: 0, of: .head, into: &list)
        let fields = draft.streamFields
        list.section(
            StreamSection(
                kind: .response, fields: fields, endsStream: endsWithHead,
                reply: streamedReply(draft, fields, hasContent: hasContent, of: message)))
        effects.play(before: .max - 1, of: .head, into: &list)
        if hasContent {
            let range = 0..<content.byteCount
            let stops = effects.offsets(in: range, of: .content) + effects.offsets(in: range, of: .wire)
            content.walk(range, stops: stops.sorted()) { part in
                effects.play(before: part.range.lowerBound, of: .content, into: &list)
                effects.play(before: part.range.lowerBound, of: .wire, into: &list)
                part.add(to: &list)
            }
            effects.play(before: .max - 1, of: .content, into: &list)
            effects.play(before: .max - 1, of: .wire, into: &list)
        } else {
            effects.dropBody()
        }
        if !trailers.isEmpty {
            let fields = trailers.map { HeaderField($0.name.lowercasedASCII, inputs.bytes(of: $0.value)) }
            list.section(StreamSection(kind: .trailers, fields: fields, endsStream: true, reply: nil))
        } else if !endsWithHead, !opensTunnel {
            list.end()
        }
        effects.playRest(into: &list)
        list.flush()
        let slicing = message.slicing ?? (message.pace == nil ? reslicing : nil)
        return ReplyPlan(
            steps: list.steps, status: draft.status, tunnel: opensTunnel ? message.tunnel : nil,
            schedule: WriteSchedule(slicing, byteCount: content.byteCount, pace: message.pace),
            setCookies: setCookies(draft.fields, headEnd: 0, []), opaque: opaque(after: reply, &inputs),
            persistence: reply.persistence,
            beforeFrames: effects.beforeFrames)
    }

    private func addInterimSections(
        _ message: StructuredReply, _ inputs: inout PlanInputs, to list: inout StepList
    ) {
        var count = 0
        for piece in message.interim {
            switch piece {
            // 101 is of HTTP/1.1 alone (RFC 9113 §8.6).
            case .reply(let interim) where interim.status == 101: continue
            case .reply(let interim):
                let fields = ReplyDraft.streamFields(of: interim, &inputs)
                list.section(
                    StreamSection(
                        kind: .interim, fields: fields, endsStream: false,
                        reply: SentReply(
                            status: interim.status, fields: fields.section, headByteCount: nil, content: .empty)))
                count += 1
            case .effect(let action): list.effect(inputs.bound(action), at: "interim \(count)")
            }
        }
    }

    /// What a client receives.
    private func streamedReply(
        _ draft: ReplyDraft, _ fields: [HeaderField], hasContent: Bool, of message: StructuredReply
    ) -> SentReply {
        func reply(_ content: SentContent?, coded: SentContent? = nil) -> SentReply {
            SentReply(
                status: draft.status, fields: fields.section, headByteCount: nil, content: content,
                codedContent: coded)
        }
        guard hasContent else { return reply(.empty) }
        let sent = SentContent(reading: draft.content.pieces)
        guard fields.section.namesCodings else { return reply(sent) }
        guard let content = contentBeforeCoding(draft, of: message) else { return reply(nil, coded: sent) }
        return reply(content, coded: sent)
    }
}

extension [HeaderField] {
    /// Without pseudo-fields.
    var section: FieldSection { FieldSection(filter { !$0.isPseudo }.map { ($0.name, $0.value) }) }
}

extension ReplyDraft {
    var isChunked: Bool { if case .chunked = framing { true } else { false } }

    /// The fields of HEADERS.
    var streamFields: [HeaderField] { Self.streamFields(status: status, lines) }

    static func streamFields(of interim: InterimReply, _ inputs: inout PlanInputs) -> [HeaderField] {
        streamFields(status: interim.status, interim.headers.map { Field($0.name, inputs.bytes(of: $0.value)) })
    }

    private static func streamFields(status: Int, _ lines: [Field]) -> [HeaderField] {
        var fields = [HeaderField(Array(":status".utf8), Array(String(status).utf8))]
        fields.reserveCapacity(lines.count + 1)
        for line in lines where !ConnectionSpecificFields.contain(line.name) {
            fields.append(HeaderField(line.name.lowercasedASCII, line.value))
        }
        return fields
    }
}

extension [UInt8] {
    var lowercasedASCII: [UInt8] { map(\.asciiLowercased) }
}
