internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

extension ReplyPlanner {
    func planStructured(_ message: StructuredReply, _ reply: Reply, _ binding: Binding) -> ReplyPlan {
        var binding = binding
        let slicing = message.slicing ?? (message.pace == nil ? reslicing : nil)
        var list = StepList(cuts: CutFinder(slicing))
        var cues = Cues(reply.effects, &binding)
        var draft = draft(of: message, &binding, &cues)
        let opensTunnel = isAskedForTunnel && (200...299).contains(draft.status)
        if opensTunnel { draft.omitFraming() }
        let hasContent = !omitsContent && !draft.isNotModified && !opensTunnel
        add(to: &draft, hasContent: hasContent, &binding)
        var begun = addInterim(message, &binding, to: &list)
        let (head, headStart) = (draft.head, list.byteCount)
        addHead(head, &cues, to: &list)
        let bodyStart = list.byteCount
        if !hasContent {
            cues.dropBody()
        } else {
            addBody(draft, trailers: message.trailers, &cues, &binding, to: &list)
        }
        cues.playRest(into: &list)
        list.flush()
        let sent = sentReply(draft, head, hasContent: hasContent, of: message, list.steps)
        begun.append(BegunReply(offset: headStart, sent))

        var connection = ConnectionField()
        for field in draft.fields where field.isNamed("connection") { connection.read(field.value) }
        let isOldVersion = message.version == "HTTP/1.0"
        return ReplyPlan(
            steps: list.steps, status: draft.status,
            endsConnection: draft.endsByClose || connection.saysClose || isOldVersion && !connection.saysKeepAlive
                || opensTunnel,
            saysKeepAlive: connection.saysKeepAlive,
            isReusable: !binding.isLateBound && !message.dependsOnFields(of: request),
            namesAddresses: binding.namesAddresses, tunnel: opensTunnel ? message.tunnel : nil,
            rhythm: Rhythm.of(
                slicing, found: list.cuts, byteCount: list.byteCount, pace: message.pace, bodyStart: bodyStart),
            setCookies: setCookies(draft.fields, headEnd: bodyStart, list.steps), begun: begun)
    }

    /// The fixture's own reply to ranges of which none is within the content; nil where another reply is due.
    func unsatisfiable(_ message: StructuredReply) -> ReplyPlan? {
        guard let own = message.unsatisfiable?.reply, request.head.fields.contains(named: "Range") else { return nil }
        var binding = Binding(context: context())
        var cues = Cues([], &binding)
        guard draft(of: message, &binding, &cues).isUnsatisfied else { return nil }
        var planner = self
        planner.coded = nil
        var plan = planner.plan(own)
        plan.isReusable = false
        return plan
    }

    /// The reply with its text bound, its content coded, and what it honours of the request worked out.
    private func draft(
        of message: StructuredReply, _ binding: inout Binding, _ cues: inout Cues
    ) -> ReplyDraft {
        var draft = ReplyDraft(message, content: content(of: message, &binding, &cues), &binding)
        if let coding = message.coding, let coded {
            guard coded.variant.isAcceptable else {
                draft.refuse(406, ReplyDraft.nothingAcceptable(coding))
                return draft
            }
            draft.note(coding, as: coded.variant)
        }
        if !message.honours.isEmpty {
            draft.honour(
                message.honours, request.head.method, request.head.fields.map { HTTPField($0) },
                now: binding.context.unixSeconds,
                leavesUnsatisfied: message.unsatisfiable != nil)
        }
        return draft
    }

    /// Binds the pieces of the body, or takes the content coded of them, and notes the effects between them.
    private func content(of message: StructuredReply, _ binding: inout Binding, _ cues: inout Cues) -> ContentWalk {
        var pieces: [ContentPiece] = []
        var inline: [Cues.Cue] = []
        var offset = 0
        for piece in message.body {
            switch piece {
            case .bytes(let source):
                let bound = binding.bound(source)
                offset += bound.boundByteCount
                // What is replaced below needs not be made.
                if coded?.content == nil { pieces.append(ContentPiece(ContentSource(bound))) }
            case .effect(let action):
                inline.append(Cues.Cue(position: .body(offset), action: binding.bound(action)))
            }
        }
        cues.prepend(inline)
        if let content = coded?.content { pieces = [ContentPiece(content)] }
        return ContentWalk(pieces: pieces)
    }

    // MARK: Heads

    private func addInterim(
        _ message: StructuredReply, _ binding: inout Binding, to list: inout StepList
    ) -> [BegunReply] {
        var begun: [BegunReply] = []
        for piece in message.interim {
            switch piece {
            case .reply(let interim):
                let head = ReplyDraft.head(of: interim, version: message.version, &binding)
                let sent = SentReply(
                    status: interim.status, fields: FieldSection(head.lines.map { ($0.name, $0.value) }),
                    headByteCount: head.bytes.count, content: .empty)
                begun.append(BegunReply(offset: list.byteCount, sent))
                list.cuts?.seeLines(head.bytes, at: list.byteCount)
                list.send(head.bytes)
            case .effect(let action):
                list.effect(binding.bound(action), at: "interim \(begun.count)")
            }
        }
        return begun
    }

    private func addHead(_ head: [UInt8], _ cues: inout Cues, to list: inout StepList) {
        list.cuts?.seeLines(head, at: list.byteCount)
        var start = 0
        for stop in cues.headOffsets(in: 0..<head.count) + [head.count] {
            list.send(head[start..<stop])
            cues.playBefore(headOffset: min(stop, head.count - 1), into: &list)
            start = stop
        }
    }

    // MARK: Body

    private func addBody(
        _ draft: ReplyDraft, trailers: [ReplyField], _ cues: inout Cues, _ binding: inout Binding,
        to list: inout StepList
    ) {
        let content = draft.content
        guard case .chunked(let style) = draft.framing else {
            // Without chunk heads the content is the wire.
            addContent(0..<content.byteCount, content, wireStart: 0, &cues, to: &list)
            return
        }
        var wire = 0
        let ranges = ChunkRanges(content: content, style: style).ranges
        for (index, range) in ranges.enumerated() {
            cues.playBefore(bodyOffset: range.lowerBound, into: &list)
            let head = style.head(index: index, byteCount: range.count)
            list.cuts?.seeChunkHead(head.bytes, digitCount: head.digitCount, at: list.byteCount)
            addFrame(head.bytes, at: &wire, &cues, to: &list)
            addContent(range, content, wireStart: wire, &cues, to: &list)
            wire += range.count
            list.cuts?.seeLines([0x0D, 0x0A], at: list.byteCount)
            addFrame([0x0D, 0x0A], at: &wire, &cues, to: &list)
        }
        cues.playBefore(bodyOffset: content.byteCount, into: &list)
        guard style.hasLastChunk else { return }
        let last = style.head(index: ranges.count, byteCount: 0)
        list.cuts?.seeChunkHead(last.bytes, digitCount: last.digitCount, at: list.byteCount)
        addFrame(last.bytes, at: &wire, &cues, to: &list)
        var end: [UInt8] = []
        for field in trailers {
            ReplyWriter.fieldLine(name: field.name, value: binding.bytes(of: field.value), into: &end)
        }
        ReplyWriter.lineEnd(into: &end)
        list.cuts?.seeLines(end, at: list.byteCount)
        addFrame(end, at: &wire, &cues, to: &list)
    }

    private func addContent(
        _ range: Range<Int>, _ content: ContentWalk, wireStart: Int, _ cues: inout Cues, to list: inout StepList
    ) {
        list.cuts?.seeContent(range, of: content, at: list.byteCount)
        let shift = wireStart - range.lowerBound
        let stops =
            cues.bodyOffsets(in: range)
            + cues.wireOffsets(in: wireStart..<wireStart + range.count).map { $0 - shift }
        content.walk(range, stops: stops.sorted()) { part in
            cues.playBefore(bodyOffset: part.range.lowerBound, into: &list)
            cues.playBefore(wireOffset: part.range.lowerBound + shift, into: &list)
            part.add(to: &list)
        }
    }

    private func addFrame(_ bytes: [UInt8], at wire: inout Int, _ cues: inout Cues, to list: inout StepList) {
        var start = 0
        for stop in cues.wireOffsets(in: wire..<wire + bytes.count).map({ $0 - wire }) {
            list.send(bytes[start..<stop])
            cues.playBefore(wireOffset: wire + stop, into: &list)
            start = stop
        }
        list.send(bytes[start...])
        wire += bytes.count
    }
}

extension StructuredReply {
    /// Whether fields of this very request change the reply beyond what negotiation chose.
    func dependsOnFields(of request: RequestView) -> Bool {
        guard !honours.isEmpty else { return false }
        let fields = request.head.fields
        return honours.contains(.ranges) && fields.contains(named: "Range")
            || honours.contains(.conditions)
                && (fields.contains(named: "If-Match") || fields.contains(named: "If-None-Match")
                    || fields.contains(named: "If-Modified-Since") || fields.contains(named: "If-Unmodified-Since"))
    }
}
