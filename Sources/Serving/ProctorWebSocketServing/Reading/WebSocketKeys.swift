internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorWebSocket

/// `websocket:` with options.
struct WebSocketKeys: Sendable {
    let turns = PlainKey("turns", \WebSocketScript.turns, Shape<[WebSocketTurn]> { $1.webSocketTurns($0) })
    let `protocol` = PlainKey(
        "protocol", \WebSocketScript.protocols,
        Shape<[String]> { node, reader in
            reader.oneOrMore(node, "protocol", limit: Bounds.times.lowerBound * 100).compactMap {
                reader.sink.nonEmptyText($0, "the name of a protocol")
            }
        })
    let deflate = PlainKey("deflate", \WebSocketScript.deflate, Shape<DeflateParameters> { $1.deflateWish($0) })
    let pongs = PlainKey("pongs", \WebSocketScript.answersPings, .boolean("pongs"))
    let closeReply = PlainKey("close-reply", \WebSocketScript.answersClose, .boolean("close-reply"))
    let strict = PlainKey("strict", \WebSocketScript.isStrict, .boolean("strict"))
    let leaveOut = PlainKey(
        "leave-out", \WebSocketScript.omittedFields,
        Shape<[String]> { node, reader in
            (reader.sink.list(node, "leave-out", limit: ScenarioReader.handshakeFields.count) ?? []).compactMap {
                reader.handshakeField($0)
            }
        })
    let messageLimit = PlainKey(
        "message-limit", \WebSocketScript.messageByteCount,
        .integer("the bytes of a message", in: 0...WebSocketLimits().messageByteCount))
}

/// What the server accepts of permessage-deflate.
struct DeflateWishKeys: Sendable {
    let serverTakeover = UsualKey(
        "server-no-context-takeover", Shape<Bool>.boolean("server-no-context-takeover"), usual: false)
    let clientTakeover = UsualKey(
        "client-no-context-takeover", Shape<Bool>.boolean("client-no-context-takeover"), usual: false)
    let serverBits = Key("server-max-window-bits", Shape<Int>.integer("the bits of a window", in: 8...15))
    let clientBits = Key("client-max-window-bits", Shape<Int>.integer("the bits of a window", in: 8...15))
}

/// One turn; `send`, `ping`, `pong`, `close`, `frame`, `expect`, `any-order`, `echo` and `script` exclude one another.
struct WebSocketTurnKeys: Sendable {
    let send = Key<Node>("send")
    let `as` = Key("as", Shape<WebSocketEvent.MessageKind>.choice("a kind of message"))
    let fragments = Key<[Int]>("fragments") { $1.fragmentSizes($0) }
    let compress = Key("compress", Shape<Bool>.boolean("compress"))
    let ping = Key("ping", Shape<ByteSource>.bytes("the payload of a Ping"))
    let pong = Key("pong", Shape<ByteSource>.bytes("the payload of a Pong"))
    let close = Key<Node>("close")
    let reason = Key("reason", Shape<ByteSource>.bytes("a reason"))
    let frame = Key(
        "frame",
        Shape<WebSocketFrameTemplate>.mapping(ScenarioReader.webSocketFrameTable) { $0.reader.webSocketFrame($0) })
    let expect = Key<WebSocketExpectation>("expect") { $1.webSocketExpectation($0) }
    let anyOrder = Key<[WebSocketExpectation]>("any-order") { node, reader in
        let items = reader.oneOrMore(node, "what must come", limit: ScenarioReader.conditionBound)
        let read = items.compactMap { reader.webSocketExpectation($0) }
        return read.isEmpty || read.count < items.count ? nil : read
    }
    let within = Key("within", Shape<Duration>.duration("within"))
    let echo = Key<Node>("echo")

    let script = Key("script", Shape<FixtureScript>.script)

    /// Each turn, with the keys that may stand beside it.
    static let companions: [(turn: String, others: [String])] = [
        ("send", ["as", "fragments", "compress"]), ("ping", []), ("pong", []), ("close", ["reason"]), ("frame", []),
        ("expect", ["within"]), ("any-order", ["within"]), ("echo", []), ("script", []),
    ]
}

/// A frame as it is written.
struct WebSocketFrameKeys: Sendable {
    let opcode = Key<Opcode>("opcode", isRequired: true) { $1.opcode($0) }
    let fin = UsualKey("fin", Shape<Bool>.boolean("fin"), usual: true)
    let rsv1 = UsualKey("rsv1", Shape<Bool>.boolean("rsv1"), usual: false)
    let rsv2 = UsualKey("rsv2", Shape<Bool>.boolean("rsv2"), usual: false)
    let rsv3 = UsualKey("rsv3", Shape<Bool>.boolean("rsv3"), usual: false)
    let mask = Key("mask", Shape<Bool>.boolean("mask"))
    let key = Key("key", Shape<[UInt8]>.literal("a masking key", limit: 4))
    let length = Key("length", Shape<Int>.integer("the length of a frame", in: 0...Int.max))
    let lengthForm = Key<Int>("length-form") { node, reader in
        reader.sink.integer(node, "the bits of a length", in: 7...64)
    }
    let payload = Key("payload", Shape<ByteSource>.bytes("a payload"))
}

/// What must come, in the long form.
struct WebSocketExpectationKeys: Sendable {
    let text = Key("text", Shape<ValueCondition>.condition("a message"))
    let json = Key("json", Shape<JSONPattern>.json)
    let binary = Key("binary", Shape<ByteSource>.bytes("a message"))
    let ping = Key("ping", Shape<ByteSource>.bytes("a payload"))
    let pong = Key("pong", Shape<ByteSource>.bytes("a payload"))
    let close = Key("close", Shape<Int>.integer("a code", in: 0...65_535))
}
