internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

extension ReplyPlanner {
    /// The plan of a reply whose draft has its text bound; `pending` are its effects.
    func planStructured(
        _ message: StructuredReply, of reply: Reply, as draft: ReplyDraft, with pending: PendingEffects,
        _ inputs: inout PlanInputs
    ) -> ReplyPlan {
        var draft = draft
        var effects = pending
        let slicing = message.slicing ?? (message.pace == nil ? reslicing : nil)
        var list = StepList(cuts: CutFinder(slicing))
        let opensTunnel = isAskedForTunnel && (200...299).contains(draft.status)
        if opensTunnel { draft.omitFraming() }
        let hasContent = !omitsContent && !draft.isNotModified && !opensTunnel
        let content = draft.content
        for field in inputs.guardFields(content: { hasContent ? content.bytesInMemory ?? [] : [] }) {
            draft.append(field)
        }
        var begun = addInterim(message, &inputs, to: &list)
        let (head, headStart) = (draft.head, list.byteCount)
        addHead(head, &effects, to: &list)
        let bodyStart = list.byteCount
        if hasContent {
            addBody(of: draft, trailers: message.trailers, &effects, &inputs, to: &list)
        } else {
            effects.dropBody()
        }
        effects.playRest(into: &list)
        list.flush()
        let sent = sentReply(draft, head: head, hasContent: hasContent, of: message, list.steps)
        begun.append(BegunReply(offset: headStart, sent))

        let connection = ConnectionField(draft.fields.lazy.filter { $0.isNamed("connection") }.map(\.value))
        let isOldVersion = message.version == "HTTP/1.0"
        return ReplyPlan(
            steps: list.steps, status: draft.status,
            endsConnection: draft.endsByClose || connection.saysClose || isOldVersion && !connection.saysKeepAlive
                || opensTunnel,
            saysKeepAlive: connection.saysKeepAlive, tunnel: opensTunnel ? message.tunnel : nil,
            schedule: WriteSchedule(
                slicing, found: list.cuts?.offsets ?? [], byteCount: list.byteCount, pace: message.pace,
                bodyStart: bodyStart),
            setCookies: setCookies(draft.fields, headEnd: bodyStart, list.steps), begun: begun,
            opaque: opaque(after: reply, &inputs), persistence: reply.persistence)
    }

    /// The reply with its text bound, its content coded, and the request's fields honoured.
    func draft(
        of message: StructuredReply, _ inputs: inout PlanInputs, _ effects: inout PendingEffects
    ) -> ReplyDraft {
        var draft = ReplyDraft(message, content: content(of: message, &inputs, &effects), &inputs)
        if let coding = message.coding, let coded {
            guard coded.variant.isAcceptable else {
                draft.refuse(406, ReplyDraft.nothingAcceptable(coding))
                return draft
            }
            draft.note(coding, as: coded.variant)
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
        for piece in message.body {
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

    // MARK: Heads

    private func addInterim(
        _ message: StructuredReply, _ inputs: inout PlanInputs, to list: inout StepList
    ) -> [BegunReply] {
        var begun: [BegunReply] = []
        for piece in message.interim {
            switch piece {
            case .reply(let interim):
                let head = ReplyDraft.head(of: interim, version: message.version, &inputs)
                let sent = SentReply(
                    status: interim.status, fields: FieldSection(head.lines.map { ($0.name, $0.value) }),
                    headByteCount: head.bytes.count, content: .empty)
                begun.append(BegunReply(offset: list.byteCount, sent))
                list.cuts?.seeLines(head.bytes, at: list.byteCount)
                list.send(head.bytes)
            case .effect(let action):
                list.effect(inputs.bound(action), at: "interim \(begun.count)")
            }
        }
        return begun
    }

    private func addHead(_ head: [UInt8], _ effects: inout PendingEffects, to list: inout StepList) {
        list.cuts?.seeLines(head, at: list.byteCount)
        var start = 0
        for stop in effects.offsets(in: 0..<head.count, of: .head) + [head.count] {
            list.send(head[start..<stop])
            effects.play(before: min(stop, head.count - 1), of: .head, into: &list)
            start = stop
        }
    }

    // MARK: Body

    private func addBody(
        of draft: ReplyDraft, trailers: [ReplyField], _ effects: inout PendingEffects, _ inputs: inout PlanInputs,
        to list: inout StepList
    ) {
        let content = draft.content
        guard case .chunked(let style) = draft.framing else {
            // Without chunks the content is the body.
            addContent(0..<content.byteCount, of: content, wireStart: 0, &effects, to: &list)
            return
        }
        var wire = 0
        let ranges = style.ranges(of: content)
        for (index, range) in ranges.enumerated() {
            effects.play(before: range.lowerBound, of: .content, into: &list)
            let head = style.head(index: index, byteCount: range.count)
            list.cuts?.seeChunkHead(head.bytes, digitCount: head.digitCount, at: list.byteCount)
            addFrame(head.bytes, at: &wire, &effects, to: &list)
            addContent(range, of: content, wireStart: wire, &effects, to: &list)
            wire += range.count
            list.cuts?.seeLines([0x0D, 0x0A], at: list.byteCount)
            addFrame([0x0D, 0x0A], at: &wire, &effects, to: &list)
        }
        effects.play(before: content.byteCount, of: .content, into: &list)
        guard style.hasLastChunk else { return }
        let last = style.head(index: ranges.count, byteCount: 0)
        list.cuts?.seeChunkHead(last.bytes, digitCount: last.digitCount, at: list.byteCount)
        addFrame(last.bytes, at: &wire, &effects, to: &list)
        var end: [UInt8] = []
        for field in trailers {
            ReplyWriter.fieldLine(name: field.name, value: inputs.bytes(of: field.value), into: &end)
        }
        ReplyWriter.lineEnd(into: &end)
        list.cuts?.seeLines(end, at: list.byteCount)
        addFrame(end, at: &wire, &effects, to: &list)
    }

    private func addContent(
        _ range: Range<Int>, of content: ReplyContent, wireStart: Int, _ effects: inout PendingEffects,
        to list: inout StepList
    ) {
        list.cuts?.seeContent(range, of: content, at: list.byteCount)
        let shift = wireStart - range.lowerBound
        let stops =
            effects.offsets(in: range, of: .content)
            + effects.offsets(in: wireStart..<wireStart + range.count, of: .wire).map { $0 - shift }
        content.walk(range, stops: stops.sorted()) { part in
            effects.play(before: part.range.lowerBound, of: .content, into: &list)
            effects.play(before: part.range.lowerBound + shift, of: .wire, into: &list)
            part.add(to: &list)
        }
    }

    private func addFrame(
        _ bytes: [UInt8], at wire: inout Int, _ effects: inout PendingEffects, to list: inout StepList
    ) {
        var start = 0
        for stop in effects.offsets(in: wire..<wire + bytes.count, of: .wire).map({ $0 - wire }) {
            list.send(bytes[start..<stop])
            effects.play(before: wire + stop, of: .wire, into: &list)
            start = stop
        }
        list.send(bytes[start...])
        wire += bytes.count
    }
}
