internal import ProctorScenario
internal import ProctorWebSocket

/// A WebSocket that a reply opens, and what is sent and expected on it (RFC 6455).
struct WebSocketScript: WebSocketProgram {
    /// In their order; behind the last one the server reads on until the client leaves.
    var turns: [WebSocketTurn] = []
    /// The subprotocols that the server speaks; the first one of the client's that is among them is chosen.
    var protocols: [String] = []
    /// What the server accepts of permessage-deflate where the client offers it; nil: it declines.
    var deflate: DeflateParameters?
    /// Whether a Ping is answered by a Pong.
    var answersPings = true
    /// Whether a Close is answered by one with the same code.
    var answersClose = true
    /// Whether a wrong handshake is refused, and a wrong frame ends the conversation.
    var isStrict = true
    /// Bytes of one message of the client, inflated.
    var messageByteCount = WebSocketLimits().messageByteCount
    /// The names of computed fields that the reply does not have.
    var omittedFields: [String] = []
    /// Whether the fixture writes the status, so that a stream of HTTP/2 has it too.
    var hasOwnStatus = false
    /// What the reply to one request says; nil before it is planned.
    var agreement: WebSocketAgreement?

    /// Frames of one client that are read.
    static let frameBound = 100_000
    /// Bytes of one message that is sent.
    static let sentByteBound = 16 << 20
}

/// What a reply says of the WebSocket behind it.
struct WebSocketAgreement: Sendable, Equatable {
    /// The value of Sec-WebSocket-Protocol; nil without one.
    let protocolName: String?
    /// The values of Sec-WebSocket-Extensions, each as it is written.
    let extensions: [String]
    /// The parameters of permessage-deflate, where the reply accepts it.
    let compression: DeflateParameters?

    init(protocolName: String?, extensions: [String], compression: DeflateParameters?) {
        (self.protocolName, self.extensions, self.compression) = (protocolName, extensions, compression)
    }
}

/// One thing that the server does on a WebSocket.
enum WebSocketTurn: Sendable {
    case effect(Effect.Action)
    case send(WebSocketMessage)
    /// A Ping or a Pong.
    case control(Opcode, ByteSource)
    /// Without a code the frame has no payload.
    case close(CloseCode?, reason: ByteSource)
    /// A frame as it is written, right or wrong.
    case frame(WebSocketFrameTemplate)
    /// These must come next, in any order; nil: the server's time limit.
    case expect([WebSocketExpectation], within: Duration?)
    /// So many messages are sent back; nil: all of them until the Close.
    case echo(messageCount: Int?)
    /// A script that receives and sends messages; the turn ends with it.
    case script(ReplyScript)
}

/// A message that is sent.
struct WebSocketMessage: Sendable {
    var content: ByteSource
    var isText: Bool
    /// Bytes of each fragment, of which the last one counts until the end; empty: one frame.
    var sizes: [Int]
    /// nil: where that was agreed on.
    var isCompressed: Bool?

    init(_ content: ByteSource, isText: Bool, sizes: [Int] = [], isCompressed: Bool? = nil) {
        (self.content, self.isText, self.sizes, self.isCompressed) = (content, isText, sizes, isCompressed)
    }
}

/// A frame, whose payload is bound when it is sent.
struct WebSocketFrameTemplate: Sendable {
    /// Without its payload.
    var frame: WebSocketFrame
    var payload: ByteSource

    init(_ frame: WebSocketFrame, payload: ByteSource) {
        (self.frame, self.payload) = (frame, payload)
    }
}

/// What a client must send.
enum WebSocketExpectation: Sendable {
    /// A message with exactly this content.
    case message(ByteSource, isText: Bool)
    case text(ValueCondition)
    case json(JSONPattern)
    /// A Ping or a Pong; nil: with any payload.
    case control(Opcode, ByteSource?)
    /// nil: with any code, or none.
    case close(CloseCode?)
}

extension WebSocketScript {
    func bound(by binder: inout some LateBinding) -> any WebSocketProgram {
        // What has nothing to bind is shared by all conversations.
        guard turns.contains(where: \.hasBytes) else { return self }
        var script = self
        script.turns = turns.map { $0.bound(by: &binder) }
        return script
    }

    var agreesOnCompression: Bool { deflate != nil }

    var omitsFieldsOfUpgrade: Bool {
        omittedFields.contains { ["upgrade", "connection", "sec-websocket-accept"].contains($0.lowercased()) }
    }

    var scripts: [ReplyScript] {
        turns.compactMap { if case .script(let script) = $0 { script } else { nil } }
    }

    var actions: [Effect.Action] {
        turns.compactMap { if case .effect(let action) = $0 { action } else { nil } }
    }
}

extension WebSocketTurn {
    /// Whether the fixture says bytes of it.
    fileprivate var hasBytes: Bool {
        switch self {
        case .echo, .script: false
        case .effect, .send, .control, .close, .frame, .expect: true
        }
    }

    fileprivate func bound(by binder: inout some LateBinding) -> WebSocketTurn {
        switch self {
        case .effect(let action): return .effect(action.bound(by: &binder))
        case .send(var message):
            message.content = binder.bound(message.content)
            return .send(message)
        case .control(let opcode, let source): return .control(opcode, binder.bound(source))
        case .close(let code, let reason): return .close(code, reason: binder.bound(reason))
        case .frame(var template):
            template.payload = binder.bound(template.payload)
            return .frame(template)
        case .expect(let expectations, let limit):
            let bound = expectations.map { expectation -> WebSocketExpectation in
                switch expectation {
                case .message(let source, let isText): .message(binder.bound(source), isText: isText)
                case .control(let opcode, let source): .control(opcode, source.map { binder.bound($0) })
                case .text, .json, .close: expectation
                }
            }
            return .expect(bound, within: limit)
        case .echo, .script: return self
        }
    }
}
