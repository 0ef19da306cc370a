internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

extension ReplyPlanner {
    func planStructured(_ message: StructuredReply, _ reply: Reply, _ binding: Binding) -> ReplyPlan {
        var binding = binding
        var list = StepList()
        var cues = Cues(reply.effects, &binding)
        let content = content(of: message, &binding, &cues)

        for interim in message.interim { list.send(interimHead(interim, message.version, &binding)) }
        var connection = ConnectionField()
        let head = finalHead(message, contentByteCount: content.byteCount, &binding, &connection)
        addHead(head, &cues, to: &list)
        if !omitsContent {
            addBody(message, content, &cues, &binding, to: &list)
        }
        if omitsContent { cues.dropBody() }
        cues.playRest(into: &list)
        list.flush()

        let isOldVersion = message.version == "HTTP/1.0"
        return ReplyPlan(
            steps: list.steps, status: message.status,
            endsConnection: message.framing == .close || connection.saysClose
                || isOldVersion && !connection.saysKeepAlive,
            saysKeepAlive: connection.saysKeepAlive, isReusable: !binding.isLateBound,
            namesAddresses: binding.namesAddresses)
    }

    /// Binds the pieces of the body and notes the effects between them.
    private func content(of message: StructuredReply, _ binding: inout Binding, _ cues: inout Cues) -> ContentWalk {
        var pieces: [ByteSource] = []
        var inline: [Cues.Cue] = []
        var offset = 0
        for piece in message.body {
            switch piece {
            case .bytes(let source):
                let bound = binding.bound(source)
                offset += bound.boundByteCount
                pieces.append(bound)
            case .effect(let action):
                inline.append(Cues.Cue(position: .body(offset), action: binding.bound(action)))
            }
        }
        cues.prepend(inline)
        return ContentWalk(pieces: pieces)
    }

    // MARK: Head

    private func interimHead(_ interim: InterimReply, _ version: String, _ binding: inout Binding) -> [UInt8] {
        var bytes: [UInt8] = []
        writeStatusLine(version, interim.status, interim.reason, into: &bytes)
        for field in interim.headers {
            ReplyWriter.fieldLine(name: field.name, value: binding.bytes(of: field.value), into: &bytes)
        }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    private func finalHead(
        _ message: StructuredReply, contentByteCount: Int, _ binding: inout Binding,
        _ connection: inout ConnectionField
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        writeStatusLine(message.version, message.status, message.reason, into: &bytes)
        var saysFraming = false
        for field in message.headers {
            let value = binding.bytes(of: field.value)
            ReplyWriter.fieldLine(name: field.name, value: value, into: &bytes)
            let name = field.name.map(\.asciiLowercased)
            saysFraming =
                saysFraming || name.elementsEqual("content-length".utf8)
                || name.elementsEqual("transfer-encoding".utf8)
            if name.elementsEqual("connection".utf8) { connection.read(value) }
        }
        switch message.framing {
        case .length:
            writeContentLength(contentByteCount, into: &bytes)
        case .chunked:
            ReplyWriter.fieldLine(name: "Transfer-Encoding".utf8, value: "chunked".utf8, into: &bytes)
        case .unspecified:
            let needsNone = message.status.neverHasContent && message.body.isEmpty
            if !saysFraming, !needsNone { writeContentLength(contentByteCount, into: &bytes) }
        case .close, .none: break
        }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    private func writeStatusLine(_ version: String, _ status: Int, _ reason: String?, into bytes: inout [UInt8]) {
        let reason = reason ?? StatusPhrase.registered(status) ?? ""
        ReplyWriter.statusLine(
            version: Array(version.utf8), status: status, reason: Array(reason.utf8), into: &bytes)
    }

    private func writeContentLength(_ count: Int, into bytes: inout [UInt8]) {
        bytes += Array("Content-Length: ".utf8)
        ReplyWriter.decimal(count, into: &bytes)
        ReplyWriter.lineEnd(into: &bytes)
    }

    private func addHead(_ head: [UInt8], _ cues: inout Cues, to list: inout StepList) {
        var start = 0
        for stop in cues.headOffsets(in: 0..<head.count) + [head.count] {
            list.send(head[start..<stop])
            cues.playBefore(headOffset: min(stop, head.count - 1), into: &list)
            start = stop
        }
    }

    // MARK: Body

    private func addBody(
        _ message: StructuredReply, _ content: ContentWalk, _ cues: inout Cues, _ binding: inout Binding,
        to list: inout StepList
    ) {
        guard case .chunked(let sizes) = message.framing else {
            // Without chunk heads the content is the wire.
            addContent(0..<content.byteCount, content, wireStart: 0, &cues, to: &list)
            return
        }
        var wire = 0
        for range in ChunkRanges(content: content, sizes: sizes).ranges {
            cues.playBefore(bodyOffset: range.lowerBound, into: &list)
            var frame: [UInt8] = []
            ReplyWriter.chunkHead(byteCount: range.count, into: &frame)
            addFrame(frame, at: &wire, &cues, to: &list)
            addContent(range, content, wireStart: wire, &cues, to: &list)
            wire += range.count
            addFrame([0x0D, 0x0A], at: &wire, &cues, to: &list)
        }
        cues.playBefore(bodyOffset: content.byteCount, into: &list)
        var end: [UInt8] = []
        ReplyWriter.lastChunk(into: &end)
        for field in message.trailers {
            ReplyWriter.fieldLine(name: field.name, value: binding.bytes(of: field.value), into: &end)
        }
        ReplyWriter.lineEnd(into: &end)
        addFrame(end, at: &wire, &cues, to: &list)
    }

    private func addContent(
        _ range: Range<Int>, _ content: ContentWalk, wireStart: Int, _ cues: inout Cues, to list: inout StepList
    ) {
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

/// What the Connection fields of a reply say (RFC 9110 §7.6.1).
struct ConnectionField {
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false

    mutating func read(_ value: [UInt8]) {
        for option in value.split(separator: UInt8(ascii: ",")) {
            let name = option.map(\.asciiLowercased).filter { $0 != 0x20 && $0 != 0x09 }
            if name.elementsEqual("close".utf8) { saysClose = true }
            if name.elementsEqual("keep-alive".utf8) { saysKeepAlive = true }
        }
    }
}

extension Int {
    /// 1xx, 204 and 304 end with their head (RFC 9112 §6.3).
    fileprivate var neverHasContent: Bool { (100...199).contains(self) || self == 204 || self == 304 }
}
