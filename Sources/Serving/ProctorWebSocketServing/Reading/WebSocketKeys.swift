internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorWebSocket

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
        Shape<Node>.node(["anyOf": [.ref("bytes"), ScenarioReader.jsonBodySchema]], takes: ofBytes),
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
