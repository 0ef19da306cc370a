internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorWebSocket

extension ScenarioReader {
    static let webSocketTable = Table("a WebSocket", WebSocketKeys())
    static let deflateWishTable = Table("permessage-deflate", DeflateWishKeys())
    static let webSocketTurnTable = Table(
        "a turn", WebSocketTurnKeys(),
        hints: hintsOfPauses.mapValues { _ in "a pause is a turn of its own: { do: wait 100ms }" })
    static let webSocketFrameTable = Table("a frame", WebSocketFrameKeys())
    static let webSocketExpectationTable = Table("what must come", WebSocketExpectationKeys())

    static let opcodes: [Opcode] = [.continuation, .text, .binary, .close, .ping, .pong]
    /// Turns, and what must come, that are a word alone.
    private static let frameWords = ["ping", "pong", "close"]

    /// `websocket:` as a list of turns, or a mapping.
    func webSocket(_ node: Node) -> WebSocketScript? {
        var script = WebSocketScript()
        if node.items != nil {
            script.turns = webSocketTurns(node) ?? []
            return script
        }
        guard let keys = Self.webSocketTable.open(node, self, shape: "write a list of turns, or { turns: [ … ] }")
        else { return nil }
        keys.read(Self.webSocketTable.plainKeys(of: WebSocketScript.self), into: &script)
        return script
    }

    func webSocketTurns(_ node: Node) -> [WebSocketTurn]? {
        guard let items = sink.list(node, "turns", limit: Bounds.effects) else { return nil }
        return upToEnd(of: "conversation", items, webSocketTurn) {
            if case .effect(let action) = $0 { action } else { nil }
        }
    }

    private func webSocketTurn(_ item: Node) -> WebSocketTurn? {
        if item.isEffect { return inlineEffect(item, "between turns").map { .effect($0) } }
        switch item.plainText {
        case "ping"?: return .control(.ping, .literal([]))
        case "pong"?: return .control(.pong, .literal([]))
        case "close"?: return .close(nil, reason: .literal([]))
        default: break
        }
        guard let keys = Self.webSocketTurnTable.open(item, self), !keys.hasUnknownKeys else { return nil }
        let turns = WebSocketTurnKeys.companions.filter { row in keys.entries.contains { $0.key == row.turn } }
        guard turns.count == 1, let (turn, others) = turns.first else {
            let names = WebSocketTurnKeys.companions.map(\.turn).joined(separator: ", ")
            return sink.refuse(item, "a turn needs exactly one of do, \(names), found \(turns.count)")
        }
        if let other = keys.entries.first(where: { $0.key != turn && !others.contains($0.key) }) {
            return sink.refuse(other.keyNode, "\(quoted(other.key)) does not go with \(quoted(turn))")
        }
        switch turn {
        case "send": return webSocketMessage(keys).map { .send($0) }
        case "ping": return control(keys[\.ping], keys).map { .control(.ping, $0) }
        case "pong": return control(keys[\.pong], keys).map { .control(.pong, $0) }
        case "close": return close(keys)
        case "frame": return keys[\.frame].map { .frame($0) }
        case "expect": return keys[\.expect].map { .expect([$0], within: keys[\.within]) }
        case "any-order": return keys[\.anyOrder].map { .expect($0, within: keys[\.within]) }
        case "script": return keys[\.script].map { .script(replyScript($0)) }
        default: return keys[\.echo].flatMap(echo)
        }
    }

    private func webSocketMessage(_ keys: Mapping<WebSocketTurnKeys>) -> WebSocketMessage? {
        guard let node = keys[\.send] else { return nil }
        let form = node.entries?.first?.key
        let isText = keys[\.as].map { $0 == .text } ?? (node.text != nil || form == "text" || form == "json")
        let content = form == "json" ? madeBody(node)?.first?.source : bytes(node, "a message")
        let isCompressed = keys[\.compress]
        let sizes = keys[\.fragments]
        guard let content, isShort(content, "a message", node) else { return nil }
        if let size = sizes?.last, size > 0, let count = content.byteCount, count / size > Bounds.chunks {
            return sink.refuse(
                node, "the message has more than \(Bounds.chunks) fragments; at most \(Bounds.chunks) are permitted")
        }
        return WebSocketMessage(content, isText: isText, sizes: sizes ?? [], isCompressed: isCompressed)
    }

    /// Reports content that is too long for memory.
    private func isShort(_ source: ByteSource, _ what: String, _ node: Node) -> Bool {
        guard let count = source.byteCount, count > WebSocketScript.sentByteBound else { return true }
        sink.report(
            node, "\(what) has \(count) bytes; at most \(WebSocketScript.sentByteBound) are permitted")
        return false
    }

    /// The payload of a control frame (RFC 6455 §5.5).
    private func control(_ payload: ByteSource?, _ keys: Mapping<WebSocketTurnKeys>) -> ByteSource? {
        guard let payload else { return nil }
        guard let count = payload.byteCount, count > 125 else { return payload }
        return sink.refuse(
            keys.node, "a control frame has a payload of 125 bytes at most (RFC 6455 §5.5), found \(count)",
            hint: "write frame: to send a longer one")
    }

    private func close(_ keys: Mapping<WebSocketTurnKeys>) -> WebSocketTurn? {
        guard let node = keys[\.close] else { return nil }
        let reason = keys[\.reason]
        guard !node.isNull else {
            guard let entry = keys.entry(\.reason) else { return .close(nil, reason: .literal([])) }
            return sink.refuse(entry.keyNode, "a reason stands behind a code (RFC 6455 §5.5.1)")
        }
        guard let code = sink.integer(node, "a code", in: 0...65_535) else { return nil }
        guard control(reason ?? .literal([]), keys) != nil else { return nil }
        return .close(CloseCode(rawValue: UInt16(code)), reason: reason ?? .literal([]))
    }

    private func echo(_ node: Node) -> WebSocketTurn? {
        if node.plainText == "true" { return .echo(messageCount: nil) }
        return sink.integer(node, "a number of messages", in: Bounds.times).map { .echo(messageCount: $0) }
    }

    func webSocketExpectation(_ node: Node) -> WebSocketExpectation? {
        switch node.plainText {
        case "ping"?: return .control(.ping, nil)
        case "pong"?: return .control(.pong, nil)
        case "close"?: return .close(nil)
        default: break
        }
        if node.text != nil { return bytes(node, "a message").map { .message($0, isText: true) } }
        guard let keys = Self.webSocketExpectationTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard keys.entries.count == 1, let entry = keys.entries.first else {
            let names = Self.webSocketExpectationTable.rows.map(\.name).joined(separator: ", ")
            return sink.refuse(node, "what must come needs exactly one of \(names), found \(keys.entries.count)")
        }
        switch entry.key {
        case "text": return keys[\.text].map { .text($0) }
        case "json": return keys[\.json].map { .json($0) }
        case "binary": return keys[\.binary].map { .message($0, isText: false) }
        case "ping": return keys[\.ping].map { .control(.ping, $0) }
        case "pong": return keys[\.pong].map { .control(.pong, $0) }
        default: return keys[\.close].map { .close(CloseCode(rawValue: UInt16($0))) }
        }
    }

    func fragmentSizes(_ node: Node) -> [Int]? {
        let items = node.items ?? [node]
        guard !items.isEmpty, items.count <= Bounds.chunks else {
            return sink.refuse(node, "fragments are 1 to \(Bounds.chunks) numbers, found \(items.count)")
        }
        return items.mapAll { sink.integer($0, "the bytes of a fragment", in: 0...WebSocketScript.sentByteBound) }
    }

    func opcode(_ node: Node) -> Opcode? {
        if let text = node.text, let named = Opcode(named: text) { return named }
        if node.text.flatMap({ Int($0) }) != nil {
            return sink.integer(node, "an opcode", in: 0...15).map { Opcode(rawValue: UInt8($0)) }
        }
        return sink.refuse(
            node, "expected an opcode, found \(node.found)",
            hint: "permitted: \(Self.opcodes.map(\.description).joined(separator: ", ")), or 0 to 15")
    }

    func webSocketFrame(_ keys: Mapping<WebSocketFrameKeys>) -> WebSocketFrameTemplate? {
        let payload = keys[\.payload] ?? .literal([])
        let key = keys[\.key]
        guard let opcode = keys[\.opcode], isShort(payload, "a payload", keys.node) else { return nil }
        if let key, key.count != 4 {
            return sink.refuse(keys.node, "a masking key has 4 bytes (RFC 6455 §5.3), found \(key.count)")
        }
        var reserved: ReservedBits = []
        if keys[\.rsv1] { reserved.insert(.rsv1) }
        if keys[\.rsv2] { reserved.insert(.rsv2) }
        if keys[\.rsv3] { reserved.insert(.rsv3) }
        let hasMask = keys[\.mask]
        let word = key.map { $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        let maskingKey = word ?? (hasMask == true ? 0x37FA_213D : nil)
        var frame = WebSocketFrame(
            opcode, isFinal: keys[\.fin], reserved: reserved, maskingKey: maskingKey.map { MaskingKey($0) })
        frame.departures.hasMaskBit = hasMask
        frame.departures.statedByteCount = keys[\.length].map { UInt64($0) }
        if let bits = keys[\.lengthForm] {
            guard let form: LengthForm = [7: .short, 16: .medium, 64: .long][bits] else {
                return sink.refuse(keys.node, "a length has 7, 16 or 64 bits, found \(bits)")
            }
            frame.departures.lengthForm = form
        }
        return WebSocketFrameTemplate(frame, payload: payload)
    }

    func handshakeField(_ node: Node) -> String? {
        guard let text = sink.text(node, "a field name") else { return nil }
        if let known = Self.handshakeFields.first(where: { $0.lowercased() == text.lowercased() }) { return known }
        return sink.refuse(
            node, "\(quoted(text)) is no field of the handshake",
            hint: DiagnosticSink.hint(for: text, among: Self.handshakeFields))
    }

    func deflateWish(_ node: Node) -> DeflateParameters? {
        if node.plainText == "true" { return DeflateParameters() }
        guard let keys = Self.deflateWishTable.open(node, self, shape: "write deflate: true") else { return nil }
        var wish = DeflateParameters()
        wish.serverTakesContextOver = !keys[\.serverTakeover]
        wish.clientTakesContextOver = !keys[\.clientTakeover]
        wish.serverWindowBits = keys[\.serverBits]
        wish.clientWindow = keys[\.clientBits].map { .bits($0) } ?? .absent
        return wish
    }
}

extension BodyPiece {
    fileprivate var source: ByteSource? { if case .bytes(let source) = self { source } else { nil } }
}
