import ProctorBase
import ProctorDocument
import ProctorScenario
import ProctorWebSocket

/// `websocket:` with options.
struct WebSocketKeys: Sendable {
    let turns = PlainKey(
        "turns", \WebSocketScript.turns,
        Shape<[WebSocketTurn]>(.ref("webSocketTurns"), takes: "a list of turns") { $1.webSocketTurns($0) },
        says: "The acts of the server, in order.")
    let `protocol` = PlainKey(
        "protocol", \WebSocketScript.protocols,
        Shape<[String]>(.oneOrMore(.ref("nonEmptyText"), [:]), takes: "a name, or a list") { node, reader in
            reader.oneOrMore(node, "protocol", limit: Bounds.times.lowerBound * 100).compactMap {
                reader.sink.nonEmptyText($0, "the name of a protocol")
            }
        },
        leftOut: "none",
        says: "The subprotocols that the server speaks: the client's first one among them is chosen.", example: "chat")
    let deflate = PlainKey(
        "deflate", \WebSocketScript.deflate,
        Shape<DeflateParameters>(
            ["anyOf": [["const": true], ScenarioReader.deflateWishTable.schema]], takes: "`true`, or a mapping"
        ) { $1.deflateWish($0) },
        leftOut: "it is declined", says: "permessage-deflate is accepted where the client offers it (RFC 7692).")
    let pongs = PlainKey(
        "pongs", \WebSocketScript.answersPings, .boolean("pongs"), leftOut: "`true`",
        says: "`false`: no Ping of the client is answered.")
    let closeReply = PlainKey(
        "close-reply", \WebSocketScript.answersClose, .boolean("close-reply"), leftOut: "`true`",
        says: "`false`: no Close of the client is answered.")
    let strict = PlainKey(
        "strict", \WebSocketScript.isStrict, .boolean("strict"), leftOut: "`true`",
        says: "`false`: a wrong handshake is accepted, and wrong frames end nothing.")
    let leaveOut = PlainKey(
        "leave-out", \WebSocketScript.omittedFields,
        Shape<[String]>(
            .items(.words(ScenarioReader.handshakeFields), ["uniqueItems": true]), takes: "a list of field names"
        ) { node, reader in
            (reader.sink.list(node, "leave-out", limit: ScenarioReader.handshakeFields.count) ?? []).compactMap {
                reader.handshakeField($0)
            }
        }, says: "Fields of the handshake that the reply does not have.", example: "[Sec-WebSocket-Accept]")
    let messageLimit = PlainKey(
        "message-limit", \WebSocketScript.messageByteCount,
        .integer("the bytes of a message", in: 0...WebSocketLimits().messageByteCount), leftOut: "16,777,216",
        says:
            "The most bytes of one message of the client, inflated; a longer message is answered with the Close code "
            + "1009.", example: "1000")
}

/// What the server accepts of permessage-deflate.
struct DeflateWishKeys: Sendable {
    let serverTakeover = UsualKey(
        "server-no-context-takeover", Shape<Bool>.boolean("server-no-context-takeover"), usual: false,
        leftOut: "`false`", says: "No message of the server refers to those before.")
    let clientTakeover = UsualKey(
        "client-no-context-takeover", Shape<Bool>.boolean("client-no-context-takeover"), usual: false,
        leftOut: "`false`", says: "The client is asked for the same.")
    let serverBits = Key(
        "server-max-window-bits", Shape<Int>.integer("the bits of a window", in: 8...15),
        says: "The server refers so far back at most: 2 to this power of bytes.")
    let clientBits = Key(
        "client-max-window-bits", Shape<Int>.integer("the bits of a window", in: 8...15),
        says: "The client is asked for the same, where its offer permits that.")
}

/// One turn; `send`, `ping`, `pong`, `close`, `frame`, `expect`, `any-order`, `echo` and `script` exclude one another.
struct WebSocketTurnKeys: Sendable {
    let send = Key(
        "send",
        Shape<Node>.node(["anyOf": [.ref("bytes"), ScenarioReader.madeBodyTable.form(["json"])]], takes: ofBytes),
        says: "A message: text is a text message, and other bytes a binary one.", example: "hello")
    let `as` = Key(
        "as", Shape<WebSocketEvent.MessageKind>.choice("a kind of message"),
        says: "Beside `send`: the kind of the message, whatever its form.")
    let fragments = Key(
        "fragments",
        Shape<[Int]>(.oneOrMore(.number(0...WebSocketScript.sentByteBound), [:]), takes: "a number, or a list") {
            $1.fragmentSizes($0)
        },
        leftOut: "one frame",
        says:
            "Beside `send`: bytes of each frame; the last number counts until the end, and a last 0 takes all of the rest.",
        example: "[1, 0, 3]")
    let compress = Key(
        "compress", Shape<Bool>.boolean("compress"), leftOut: "as agreed",
        says: "Beside `send`: whether it is compressed, also where that was not agreed on.")
    let ping = Key(
        "ping", Shape<ByteSource>.bytes("the payload of a Ping"),
        says: "A Ping with this payload, of 125 bytes at most.")
    let pong = Key(
        "pong", Shape<ByteSource>.bytes("the payload of a Pong"), says: "A Pong that answers no Ping of the client.")
    let close = Key(
        "close", Shape<Node>.node(["anyOf": [.number(0...65_535), ["type": "null"]]], takes: "a code, or `null`"),
        says: "A Close with this code, lawful or not, or without any.", example: "1000")
    let reason = Key("reason", Shape<ByteSource>.bytes("a reason"), says: "Beside `close`: the reason.")
    let frame = Key(
        "frame",
        Shape<WebSocketFrameTemplate>.mapping(ScenarioReader.webSocketFrameTable) { $0.reader.webSocketFrame($0) },
        says: "A frame as it is written, right or wrong.", example: "{ opcode: text, fin: false, payload: a }")
    let expect = Key(
        "expect",
        Shape<WebSocketExpectation>(.ref("webSocketExpectation"), takes: "what must come") {
            $1.webSocketExpectation($0)
        },
        says: "This must come next; anything else fails the case and ends the connection.", example: "hello")
    let anyOrder = Key(
        "any-order",
        Shape<[WebSocketExpectation]>(
            .items(.ref("webSocketExpectation"), ["minItems": 1, "maxItems": .integer(ScenarioReader.conditionBound)]),
            takes: "a list of what must come"
        ) { node, reader in
            let items = reader.oneOrMore(node, "what must come", limit: ScenarioReader.conditionBound)
            let read = items.compactMap { reader.webSocketExpectation($0) }
            return read.isEmpty || read.count < items.count ? nil : read
        }, says: "All of these must come next, in any order.", example: "[one, two]")
    let within = Key(
        "within", Shape<Duration>.duration("within"), leftOut: "10 s",
        says: "Beside `expect` and `any-order`: how long it is waited for.")
    let echo = Key(
        "echo", Shape<Node>.node(["anyOf": [["const": true], .number(Bounds.times)]], takes: "`true`, or a number"),
        says: "So many messages are sent back as they came; `true`: all of them until the Close.", example: "3")

    let script = Key(
        "script", Shape<FixtureScript>.script,
        says: "A [script](scripts.md#a-script-as-a-turn-of-a-websocket) that receives and sends messages until it ends."
    )

    static let ofBytes = "[bytes](bytes.md), or `{ json: VALUE }`"
    /// Each turn, with the keys that may stand beside it.
    static let companions: [(turn: String, others: [String])] = [
        ("send", ["as", "fragments", "compress"]), ("ping", []), ("pong", []), ("close", ["reason"]), ("frame", []),
        ("expect", ["within"]), ("any-order", ["within"]), ("echo", []), ("script", []),
    ]
}

/// A frame as it is written.
struct WebSocketFrameKeys: Sendable {
    let opcode = Key(
        "opcode",
        Shape<Opcode>(
            ["anyOf": [.words(ScenarioReader.opcodes.map(\.description)), .number(0...15)]],
            takes: "a name like `text`, or 0 … 15"
        ) { $1.opcode($0) }, leftOut: "required", says: "What the frame is.")
    let fin = UsualKey(
        "fin", Shape<Bool>.boolean("fin"), usual: true, leftOut: "`true`", says: "It is the last one of its message.")
    let rsv1 = UsualKey("rsv1", Shape<Bool>.boolean("rsv1"), usual: false, leftOut: "`false`", says: "The bit.")
    let rsv2 = UsualKey("rsv2", Shape<Bool>.boolean("rsv2"), usual: false, leftOut: "`false`", says: "The bit.")
    let rsv3 = UsualKey("rsv3", Shape<Bool>.boolean("rsv3"), usual: false, leftOut: "`false`", says: "The bit.")
    let mask = Key(
        "mask", Shape<Bool>.boolean("mask"), leftOut: "`true` beside `key`",
        says: "The mask bit, which a server does not set.")
    let key = Key(
        "key", Shape<[UInt8]>.literal("a masking key", limit: 4), leftOut: "`{ hex: 37fa213d }` beside `mask: true`",
        says: "Four bytes by which the payload is masked.")
    let length = Key(
        "length", Shape<Int>.integer("the length of a frame", in: 0...Int.max), leftOut: "that of the payload",
        says: "What the head says.")
    let lengthForm = Key(
        "length-form",
        Shape<Int>(["enum": [7, 16, 64]], takes: "`7`, `16` or `64`") { node, reader in
            reader.sink.integer(node, "the bits of a length", in: 7...64)
        }, leftOut: "the shortest", says: "The bits in which the length is written.")
    let payload = Key("payload", Shape<ByteSource>.bytes("a payload"), leftOut: "nothing", says: "The content of it.")
}

/// What must come, in the long form.
struct WebSocketExpectationKeys: Sendable {
    let text = Key("text", Shape<ValueCondition>.condition("a message"), says: "A text message of which this holds.")
    let json = Key("json", Shape<JSONPattern>.json, says: "A text message that is such JSON.")
    let binary = Key("binary", Shape<ByteSource>.bytes("a message"), says: "A binary message of these bytes.")
    let ping = Key("ping", Shape<ByteSource>.bytes("a payload"), says: "A Ping with this payload.")
    let pong = Key("pong", Shape<ByteSource>.bytes("a payload"), says: "A Pong with this payload.")
    let close = Key(
        "close", Shape<Int>.integer("a code", in: 0...65_535), says: "A Close with this code.", example: "1000")
}

extension ScenarioReader {
    static let webSocketTable = Table("a WebSocket", WebSocketKeys())
    static let deflateWishTable = Table("permessage-deflate", DeflateWishKeys())
    static let webSocketTurnTable = Table(
        "a turn", WebSocketTurnKeys(),
        hints: hintsOfPauses.mapValues { _ in "a pause is a turn of its own: { do: wait 100ms }" })
    static let webSocketFrameTable = Table("a frame", WebSocketFrameKeys())
    static let webSocketExpectationTable = Table("what must come", WebSocketExpectationKeys())

    static let webSocketTurnsSchema: Schema = .items(
        [
            "anyOf": .list(
                [.ref("inlineEffect"), .words(frameWords)]
                    + WebSocketTurnKeys.companions.map { webSocketTurnTable.form([$0.turn], optional: $0.others) })
        ], ["maxItems": .integer(Bounds.effects)])
    static let webSocketExpectationSchema: Schema = [
        "anyOf": .list(
            [.ref("text")] + webSocketExpectationTable.rows.map { webSocketExpectationTable.form([$0.name]) })
    ]
    static let webSocketSchema: Schema = ["oneOf": [.ref("webSocketTurns"), webSocketTable.schema]]

    /// Fields that are computed for the reply to an opening handshake.
    static let handshakeFields = [
        "Upgrade", "Connection", "Sec-WebSocket-Accept", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions",
    ]
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

    fileprivate func webSocketTurns(_ node: Node) -> [WebSocketTurn]? {
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

    fileprivate func webSocketExpectation(_ node: Node) -> WebSocketExpectation? {
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

    fileprivate func fragmentSizes(_ node: Node) -> [Int]? {
        let items = node.items ?? [node]
        guard !items.isEmpty, items.count <= Bounds.chunks else {
            return sink.refuse(node, "fragments are 1 to \(Bounds.chunks) numbers, found \(items.count)")
        }
        let sizes = items.compactMap {
            sink.integer($0, "the bytes of a fragment", in: 0...WebSocketScript.sentByteBound)
        }
        return sizes.count == items.count ? sizes : nil
    }

    fileprivate func opcode(_ node: Node) -> Opcode? {
        if let text = node.text, let named = Opcode(named: text) { return named }
        if node.text.flatMap({ Int($0) }) != nil {
            return sink.integer(node, "an opcode", in: 0...15).map { Opcode(rawValue: UInt8($0)) }
        }
        return sink.refuse(
            node, "expected an opcode, found \(node.found)",
            hint: "permitted: \(Self.opcodes.map(\.description).joined(separator: ", ")), or 0 to 15")
    }

    fileprivate func webSocketFrame(_ keys: Mapping<WebSocketFrameKeys>) -> WebSocketFrameTemplate? {
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

    fileprivate func handshakeField(_ node: Node) -> String? {
        guard let text = sink.text(node, "a field name") else { return nil }
        if let known = Self.handshakeFields.first(where: { $0.lowercased() == text.lowercased() }) { return known }
        return sink.refuse(
            node, "\(quoted(text)) is no field of the handshake",
            hint: DiagnosticSink.hint(for: text, among: Self.handshakeFields))
    }

    fileprivate func deflateWish(_ node: Node) -> DeflateParameters? {
        if node.plainText == "true" { return DeflateParameters() }
        guard let keys = Self.deflateWishTable.open(node, self, shape: "write deflate: true") else { return nil }
        var wish = DeflateParameters()
        wish.serverTakesContextOver = !keys[\.serverTakeover]
        wish.clientTakesContextOver = !keys[\.clientTakeover]
        wish.serverWindowBits = keys[\.serverBits]
        wish.clientWindow = keys[\.clientBits].map { .bits($0) } ?? .absent
        return wish
    }

    // MARK: Beside other keys

    /// The steps behind the reply; nil without `websocket`.
    func webSocketSteps(_ keys: Mapping<ReplyKeys>, _ kind: ReplyKind) -> [OpaqueStep]? {
        guard let entry = keys.entry(\.webSocket) else { return nil }
        if kind != .own {
            return sink.refuse(entry.keyNode, "\"websocket\" goes with a reply of an exchange alone")
        }
        for other in keys.entries where ["events", "opaque", "honours", "coding", "tunnel"].contains(other.key) {
            sink.report(other.keyNode, "\(quoted(other.key)) does not go with \"websocket\"")
        }
        guard var script = webSocket(entry.value) else { return nil }
        script.hasOwnStatus = keys.has(\.status)
        return [.webSocket(script)]
    }
}

extension BodyPiece {
    fileprivate var source: ByteSource? { if case .bytes(let source) = self { source } else { nil } }
}
