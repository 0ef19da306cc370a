internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// Lays a plan out for HTTP/1.1: heads, content and framing are bytes, and effects stand at offsets of these.
struct ByteLayout {
    private let plan: ReplyPlan
    private var effects: PendingEffects
    private var list: StepList
    private var begun: [BegunReply] = []
    /// Bytes of the body so far, with its framing.
    private var bodyByteCount = 0

    init(_ plan: ReplyPlan) {
        self.plan = plan
        effects = plan.effects
        list = StepList(cuts: CutFinder(plan.slicing))
    }

    mutating func laidOut() -> LaidOutReply {
        switch plan.message {
        case .effects(let items):
            LaidOutReply(items.map { .effect($0.action, at: $0.position.text) }, plan.traits)
        case .raw(let content): laidOutRaw(content)
        case .structured(let message): laidOutMessage(message)
        }
    }

    private mutating func laidOutRaw(_ content: ReplyContent) -> LaidOutReply {
        list.cuts?.seeRaw(content)
        let range = 0..<content.byteCount
        content.walk(range, stops: effects.offsets(in: range, of: .raw)) { part in
            effects.appendDue(before: part.range.lowerBound, of: .raw, into: &list)
            list.add(part.piece)
        }
        effects.playRest(into: &list)
        let steps = list.allSteps()
        begun = RepliesRead.replies(inRaw: content, steps, to: plan.method)
        var traits = plan.traits
        traits.tunnel = plan.isToConnect ? plan.tunnel : nil
        traits.schedule = WriteSchedule(plan.slicing, found: list.cuts?.offsets ?? [], byteCount: list.byteCount)
        traits.setCookies = plan.setCookies(inRaw: content, steps)
        return reply(steps, traits)
    }

    private mutating func laidOutMessage(_ message: ReplyPlan.Structured) -> LaidOutReply {
        addInterim(message)
        let (head, headStart) = (message.head.bytes, list.byteCount)
        addHead(head)
        let bodyStart = list.byteCount
        if message.hasContent { addBody(message) } else { effects.dropBody() }
        effects.playRest(into: &list)
        let steps = list.allSteps()
        begun.append(BegunReply(offset: headStart, plan.sentReply(message, head: head, steps)))
        let fields = message.head.fields
        let connection = ConnectionField(fields.lazy.filter { $0.isNamed("connection") }.map(\.value))
        let isOldVersion = message.head.version.elementsEqual("HTTP/1.0".utf8)
        var traits = plan.traits
        traits.status = message.head.status
        traits.endsConnection =
            message.endsByClose || connection.saysClose || isOldVersion && !connection.saysKeepAlive
            || message.opensTunnel
        traits.saysKeepAlive = connection.saysKeepAlive
        traits.tunnel = message.opensTunnel ? plan.tunnel : nil
        traits.schedule = WriteSchedule(
            plan.slicing, found: list.cuts?.offsets ?? [], byteCount: list.byteCount, pace: plan.pace,
            bodyStart: bodyStart)
        traits.setCookies = plan.setCookies(fields, headEnd: bodyStart, steps)
        return reply(steps, traits)
    }

    private func reply(_ steps: [LaidOutReply.Step], _ traits: LaidOutReply.Traits) -> LaidOutReply {
        var traits = traits
        if let final = begun.last?.reply.status {
            traits.leavesHTTP = final == 101 || plan.isToConnect && 200...299 ~= final
        }
        return LaidOutReply(steps, begun: begun, traits)
    }

    // MARK: Heads

    private mutating func addInterim(_ message: ReplyPlan.Structured) {
        for piece in message.interim {
            switch piece {
            case .reply(let interim):
                let bytes = interim.bytes
                begun.append(
                    BegunReply(offset: list.byteCount, interim.sent(content: .empty, headByteCount: bytes.count)))
                list.cuts?.seeLines(bytes, at: list.byteCount)
                list.send(bytes)
            case .effect(let action): list.effect(action, at: "interim \(begun.count)")
            }
        }
    }

    private mutating func addHead(_ head: [UInt8]) {
        list.cuts?.seeLines(head, at: list.byteCount)
        var start = 0
        for stop in effects.offsets(in: 0..<head.count, of: .head) + [head.count] {
            list.send(head[start..<stop])
            effects.appendDue(before: min(stop, head.count - 1), of: .head, into: &list)
            start = stop
        }
    }

    // MARK: Body

    private mutating func addBody(_ message: ReplyPlan.Structured) {
        let content = message.content
        // Without chunks the content is the body.
        guard let chunks = message.chunks else { return add(0..<content.byteCount, of: content) }
        let ranges = chunks.ranges(of: content)
        for (index, range) in ranges.enumerated() {
            effects.appendDue(before: range.lowerBound, of: .content, into: &list)
            addChunkHead(chunks.head(index: index, byteCount: range.count))
            add(range, of: content)
            addLines([0x0D, 0x0A])
        }
        effects.appendDue(before: content.byteCount, of: .content, into: &list)
        guard chunks.hasLastChunk else { return }
        addChunkHead(chunks.head(index: ranges.count, byteCount: 0))
        var end: [UInt8] = []
        for field in message.trailers { ReplyWriter.fieldLine(name: field.name, value: field.value, into: &end) }
        ReplyWriter.lineEnd(into: &end)
        addLines(end)
    }

    private mutating func add(_ range: Range<Int>, of content: ReplyContent) {
        list.cuts?.seeContent(range, of: content, at: list.byteCount)
        let shift = bodyByteCount - range.lowerBound
        let stops =
            effects.offsets(in: range, of: .content)
            + effects.offsets(in: bodyByteCount..<bodyByteCount + range.count, of: .wire).map { $0 - shift }
        content.walk(range, stops: stops.sorted()) { part in
            effects.appendDue(before: part.range.lowerBound, of: .content, into: &list)
            effects.appendDue(before: part.range.lowerBound + shift, of: .wire, into: &list)
            list.add(part.piece)
        }
        bodyByteCount += range.count
    }

    private mutating func addChunkHead(_ head: (bytes: [UInt8], digitCount: Int)) {
        list.cuts?.seeChunkHead(head.bytes, digitCount: head.digitCount, at: list.byteCount)
        addFraming(head.bytes)
    }

    private mutating func addLines(_ bytes: [UInt8]) {
        list.cuts?.seeLines(bytes, at: list.byteCount)
        addFraming(bytes)
    }

    private mutating func addFraming(_ bytes: [UInt8]) {
        var start = 0
        for offset in effects.offsets(in: bodyByteCount..<bodyByteCount + bytes.count, of: .wire) {
            let stop = offset - bodyByteCount
            list.send(bytes[start..<stop])
            effects.appendDue(before: offset, of: .wire, into: &list)
            start = stop
        }
        list.send(bytes[start...])
        bodyByteCount += bytes.count
    }
}
