/// A WebSocket that a reply opens (`websocket:`), which a module above reads, plans and serves (RFC 6455).
package protocol WebSocketProgram: Sendable {
    /// Whether the fixture writes the status, so that a stream of HTTP/2 has it too.
    var hasOwnStatus: Bool { get set }
    /// Whether messages are compressed where the client offers it.
    var agreesOnCompression: Bool { get }
    /// Whether the reply is to lack a field of the handshake that HTTP/1.1 has and HTTP/2 has not.
    var omitsFieldsOfUpgrade: Bool { get }
    /// Scripts among the turns.
    var scripts: [ReplyScript] { get }
    /// Effects among the turns.
    var actions: [Effect.Action] { get }

    /// A copy of the program, with the values that are known when it is played.
    func bound(by binder: inout some LateBinding) -> any WebSocketProgram
}

extension Reply {
    /// nil where the reply opens none.
    package var webSocket: (any WebSocketProgram)? {
        guard case .webSocket(let program)? = opaque?.first else { return nil }
        return program
    }
}

extension Exchange {
    /// Whether it answers an opening handshake, by GET or, over HTTP/2, by an extended CONNECT (RFC 8441 §5).
    package var opensWebSocket: Bool { replies.contains { $0.webSocket != nil } }

    /// Whether it may answer an opening handshake over HTTP/2, where each 2xx reply opens the WebSocket: it does, or its replies
    /// have other statuses, such as redirects and challenges.
    package var answersOpeningHandshake: Bool {
        opensWebSocket
            || replies.allSatisfy { reply in
                guard case .structured(let message)? = reply.message else { return false }
                return message.status >= 300
            }
    }
}
