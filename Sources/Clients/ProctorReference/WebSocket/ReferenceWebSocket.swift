internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// One message of a WebSocket (RFC 6455 §5.6).
package struct WebSocketMessage: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Whether it is a text; else it is binary.
    package var isText: Bool

    package init(_ bytes: [UInt8], isText: Bool) {
        (self.bytes, self.isText) = (bytes, isText)
    }
}

/// What a Close frame says (RFC 6455 §5.5.1).
package struct WebSocketClose: Sendable, Hashable {
    /// 1005 where the frame has no code (§7.1.5).
    package var code: UInt16
    package var reason: [UInt8]
}

/// A delegate that is told of the WebSockets of its tasks.
package protocol ReferenceWebSocketDelegate: ReferenceTaskDelegate {
    /// The WebSocket is open; the protocol is nil where the server has chosen none (R57).
    func session(_ session: ReferenceSession, task: ReferenceTask, didOpenWebSocketWith protocolName: String?)

    /// The server's Close frame has come (R57).
    func session(_ session: ReferenceSession, task: ReferenceTask, didCloseWebSocketWith close: WebSocketClose)
}

/// A client in the shape of URLSessionWebSocketTask; any thread may call it.
///
/// Completions are called on the session's queue, in the order of the acts of each kind.
package final class ReferenceWebSocket: Sendable {
    package let task: ReferenceTask
    private let conversation: WebSocketConversation

    init(_ task: ReferenceTask, _ conversation: WebSocketConversation) {
        (self.task, self.conversation) = (task, conversation)
    }

    /// The completion has no error when the system has taken the whole message.
    package func send(_ message: WebSocketMessage, completion: @escaping @Sendable (LoadError?) -> Void) {
        task.session.onLoop { [conversation] in conversation.send(message, completion: completion) }
    }

    /// Also gives messages that came before the end, behind it.
    package func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, LoadError>) -> Void) {
        task.session.onLoop { [conversation] in conversation.receive(completion) }
    }

    /// The completion has no error when the Pong has come.
    package func ping(completion: @escaping @Sendable (LoadError?) -> Void) {
        task.session.onLoop { [conversation] in conversation.ping(completion) }
    }

    /// Starts the closing handshake, or cancels the task before it is open.
    package func close(_ code: UInt16?, reason: [UInt8]) {
        task.session.onLoop { [conversation, task] in
            if !conversation.startClosing(code, reason: reason) { task.cancel() }
        }
    }

    /// Drops the messages that come from now on.
    package func receiveNoMore() {
        task.session.onLoop { [conversation] in conversation.drain() }
    }
}

extension ReferenceSession {
    /// Makes a WebSocket task for an `http` or `https` URL; it does nothing before its task is resumed.
    ///
    /// `timeout` is the time without activity, in place of the configuration's.
    package func webSocket(
        with request: ClientRequest, protocols: [String] = [], timeout: Duration? = nil, fault: WebSocketFault? = nil
    ) -> ReferenceWebSocket {
        let conversation = WebSocketConversation(
            OpeningHandshake(protocols: protocols, fault: fault), on: loop
        ) { [queue] call in
            if !queue.submit(call) { call() }
        }
        let task = makeTask(.webSocket, request, timeout: timeout, sink: .delegate, conversation: conversation)
        return ReferenceWebSocket(task, conversation)
    }
}
