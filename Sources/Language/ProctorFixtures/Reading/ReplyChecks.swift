import ProctorBase
import ProctorCoding
import ProctorDocument
import ProctorScenario

extension ScenarioReader {
    /// Reports contradictory keys, at the key that should be removed.
    func checkReply(_ reply: StructuredReply, _ keys: Mapping<ReplyKeys>) {
        checkFraming(reply, keys)
        if reply.coding != nil { checkCoding(reply, keys) }
        if let node = keys.entry(\.honours)?.keyNode {
            if reply.status != 200 {
                sink.report(node, "\"honours\" changes a 200 into something else; this reply is a \(reply.status)")
            }
            if reply.coding?.place == .transfer {
                sink.report(
                    node, "\"honours\" does not go with in: transfer",
                    hint: "ranges and conditions are about content codings")
            }
        }
        if let node = keys.entry(\.slice)?.keyNode, keys.has(\.pace) {
            sink.report(node, "\"slice\" does not go with \"pace\": both of them say where writes end")
        }
    }

    private func checkFraming(_ reply: StructuredReply, _ keys: Mapping<ReplyKeys>) {
        if case .chunked(let style) = reply.framing, let node = keys.entry(\.framing)?.value {
            checkChunkCount(style, of: reply, at: node)
        }
        if let node = keys.entry(\.trailers)?.keyNode {
            switch reply.framing {
            case .chunked(let style) where !style.hasLastChunk:
                sink.report(node, "trailers are sent after the last chunk, which last: missing leaves out")
            case .chunked: break
            case .unspecified, .length, .close, .none:
                sink.report(node, "trailers are sent after the last chunk only", hint: "add framing: chunked")
            }
        }
        if let node = keys.entry(\.body)?.keyNode, reply.framing == .unspecified,
            reply.status < 200 || [204, 304].contains(reply.status), reply.body.contains(where: \.isBytes)
        {
            sink.report(
                node, "a \(reply.status) reply never has a body (RFC 9112 §6.3)",
                hint: "say framing: none, close, length or chunked to send one all the same")
        }
    }

    private func checkChunkCount(_ style: ChunkStyle, of reply: StructuredReply, at node: Node) {
        guard reply.coding == nil else { return }
        let bound = style.chunkBound
        let pieceCount = reply.body.count { $0.isBytes }
        let content: String
        if style.sizes.isEmpty {
            guard pieceCount > bound else { return }
            content = "\(pieceCount) pieces of the body"
        } else {
            guard let byteCount = reply.contentByteCount, style.makesMoreChunks(than: bound, of: byteCount) else {
                return
            }
            content = "\(byteCount) bytes"
        }
        let reason =
            bound < Bounds.chunks
            ? "are permitted with these extensions, which may have \(ChunkStyle.extensionByteBound) bytes in all"
            : "are permitted"
        sink.report(node, "\(content) make more than \(bound) chunks; at most \(bound) \(reason)")
    }

    private func checkCoding(_ reply: StructuredReply, _ keys: Mapping<ReplyKeys>) {
        guard let coding = reply.coding, let node = keys.entry(\.coding) else { return }
        checkMembers(of: coding, reply, node.value)
        let isTransfer = coding.place == .transfer
        if isTransfer, reply.framing == .length || reply.framing == .unspecified && !reply.writesFraming {
            sink.report(
                keys.entry(\.framing)?.keyNode ?? node.keyNode,
                "a transfer coding does not go with Content-Length (RFC 9112 §6.1)",
                hint: "say framing: chunked, close or none")
        }
        guard !isTransfer, coding.label != .absent else { return }
        for field in reply.headers where field.isNamed("content-encoding") {
            sink.report(
                field.location, "\"coding\" writes Content-Encoding itself",
                hint: "say coding: { apply: …, says: null } to write it here")
        }
    }

    /// Reports a single member size that is smaller than the content: the last member takes all of the rest, so there
    /// is only one.
    private func checkMembers(of coding: BodyCoding, _ reply: StructuredReply, _ node: Node) {
        let steps: [CodingStep]
        var isNegotiated = false
        switch coding.plan {
        case .apply(let all): steps = all
        case .negotiate(let all): (steps, isNegotiated) = (all, true)
        }
        for (index, step) in steps.enumerated() where step.gzip.memberSizes.count == 1 {
            // After another step, the length of the content is unknown.
            let whole = index == 0 || isNegotiated ? reply.contentByteCount : nil
            let size = step.gzip.memberSizes[0]
            if let whole, size >= whole { continue }
            let rest = whole.map { "\($0 - size)" } ?? "N"
            sink.report(
                node, "members: [\(size)] makes one member of all, because the last one takes the rest",
                hint: "write members: [\(size), \(rest)], or leave members: out")
        }
    }

    /// Reports slices at places that the reply does not have, and too many slices.
    func checkSlicing(_ slicing: Slicing, of message: Reply.Message, at node: Node) {
        switch slicing {
        case .everyByte: checkSliceCount(of: 1, message, node)
        case .size(let size): checkSliceCount(of: size, message, node)
        case .offsets(let offsets):
            guard case .raw(let pieces) = message, let count = pieces.byteCount,
                let index = offsets.firstIndex(where: { $0 >= count })
            else { return }
            let item = node.items.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? node
            sink.report(item, "nothing is cut here: the raw reply has \(count) bytes")
        case .midChunkSize:
            guard case .structured(let reply) = message, !reply.framing.isChunked else { return }
            sink.report(node, "mid-chunk-size needs chunks", hint: "add framing: chunked")
        case .midCRLF, .midUTF8, .random, .once: return
        }
    }

    private func checkSliceCount(of size: Int, _ message: Reply.Message, _ node: Node) {
        let known: Int?
        switch message {
        case .raw(let pieces): known = pieces.byteCount
        case .forward, .script: known = nil
        case .structured(let reply): known = reply.knowsContentLength ? reply.contentByteCount : nil
        }
        guard let known, known / size > Bounds.slices else { return }
        sink.report(
            node,
            "slices of \(Plural.count(size, "byte")) make more than \(Bounds.slices) of \(known) bytes; "
                + "at most \(Bounds.slices) are permitted")
    }

    // MARK: Effects

    /// Reports effects at positions that the reply does not have.
    func checkEffects(_ effects: [Effect], of message: Reply.Message?, opensTunnel: Bool = false) {
        for effect in effects {
            guard let sentence = Self.misplaced(effect.position, message, opensTunnel: opensTunnel) else { continue }
            sink.report(effect.location, "this effect is never played: \(sentence)")
        }
        let ends = effects.enumerated().filter(\.element.action.row.isLast)
        for (index, effect) in effects.enumerated() {
            let last = ends.first { Self.isBefore($0.element, effect, isEarlier: $0.offset < index) }
            guard let last = last?.element.location else { continue }
            let end = "the reply ends with the effect at \(last.line):\(last.column)"
            sink.report(effect.location, "this effect is never played: \(end)")
        }
    }

    /// Why the reply does not have a position; nil when it has, or when that is unknown.
    private static func misplaced(
        _ position: Effect.Position, _ message: Reply.Message?, opensTunnel: Bool
    ) -> String? {
        if opensTunnel, position == .end { return "behind the head the connection is the origin's" }
        switch (message, position) {
        case (.structured(let reply), .body), (.structured(let reply), .wire), (.structured(let reply), .end):
            if reply.tunnel != nil { return "behind the head the connection is the origin's" }
        default: break
        }
        switch (message, position) {
        case (_, .end): return nil
        case (.structured, .frame): return nil
        case (nil, .frame(0)): return nil
        case (.raw, .frame): return "a raw reply has bytes in place of frames"
        case (nil, .head(0)), (nil, .body(0)), (nil, .wire(0)): return nil
        case (nil, _): return "a reply of effects alone has no bytes"
        case (.script, _): return "a script has the effects of its own table"
        case (.forward, _): return "a request that is handed on has the effects of the origin's reply"
        case (.raw, .head(0)): return nil
        case (.raw, .head), (.raw, .body): return "a raw reply has no head and body of its own; count with wire N"
        case (.raw(let pieces), .wire(let offset)):
            return pieces.byteCount.flatMap { $0 < offset ? "the raw reply has \($0) bytes" : nil }
        case (.structured, .head), (.structured, .wire): return nil
        case (.structured(let reply), .body(let offset)):
            // The length of coded content or of a range is unknown.
            guard reply.knowsContentLength else { return nil }
            return reply.contentByteCount.flatMap { $0 < offset ? "the body has \($0) bytes" : nil }
        }
    }

    /// Whether the first effect certainly happens before the second; `isEarlier` decides at equal positions.
    private static func isBefore(_ first: Effect, _ second: Effect, isEarlier: Bool) -> Bool {
        switch (first.position, second.position) {
        case (.head(let left), .head(let right)), (.body(let left), .body(let right)),
            (.wire(let left), .wire(let right)):
            left < right || left == right && isEarlier
        case (.frame(let left), .frame(let right)): left < right || left == right && isEarlier
        case (.frame, _), (_, .frame): false
        case (.end, .end): isEarlier
        case (.head, _), (_, .end): true
        default: false
        }
    }
}

extension StructuredReply {
    /// Whether the fixture writes a framing field itself.
    fileprivate var writesFraming: Bool {
        headers.contains { $0.isNamed("content-length") || $0.isNamed("transfer-encoding") }
    }
}
