import CLua

// Messages of WebSockets, and channels between them.
extension NativeCall {
    /// `send(bytes)`, or `send(content, kind)` of a message.
    func sending(_ name: String) throws(ScriptFailure) -> ScriptStep {
        guard call.host.hasMessages else {
            try requireNoMessages(3, name, "a kind")
            return .send(try text(2, name))
        }
        let message = ScriptMessage(try kind(3, name, among: ScriptMessage.Kind.allCases), try text(2, name))
        guard message.kind.isOfData || message.content.count <= 125 else {
            throw ScriptFailure(
                "bad argument to 'send' (a \(message.kind) of 125 bytes at most expected, RFC 6455 §5.5; "
                    + "got \(message.content.count))")
        }
        return .sendMessage(message)
    }

    /// `close{ abrupt = true }`, or `close(code, reason)`: arguments 2 to 4 are whether it is abrupt, the code and the reason.
    func closing(_ name: String) throws(ScriptFailure) -> ScriptStep {
        guard call.host.hasMessages, !stack.flag(2) else {
            try requireNoMessages(3, name, "a code")
            return effect(name)
        }
        guard stack.type(3) > LUA_TNIL else { return .sendClose(code: nil, reason: []) }
        guard let code = stack.whole(3).flatMap({ UInt16(exactly: $0) }) else {
            throw ScriptFailure("bad argument to 'close' (code expected, 0 to 65535)")
        }
        let reason = stack.type(4) <= LUA_TNIL ? [] : try text(4, name)
        guard reason.count <= 123 else {
            throw ScriptFailure(
                "bad argument to 'close' (a reason of 123 bytes at most expected, RFC 6455 §5.5; got \(reason.count))")
        }
        return .sendClose(code: code, reason: reason)
    }

    func receivingTime(_ name: String) throws(ScriptFailure) -> Duration? {
        guard call.host.hasMessages else {
            throw ScriptFailure(
                "'receive' receives messages of a WebSocket, in a script among its turns; "
                    + "the content of a request is read by 'read'")
        }
        return stack.type(2) <= LUA_TNIL ? nil : try seconds(2, name)
    }

    func joinChannel() throws(ScriptFailure) {
        let name = try text(1, "channel.join")
        guard call.host.hasMessages else {
            throw ScriptFailure(
                "'channel.join' is for a script among the turns of a WebSocket, which receives what is sent to the channel"
            )
        }
        if let refusal = call.host.joinChannel(name) { throw ScriptFailure("channel.join: \(refusal)") }
        buffer.none()
    }

    func sendToChannel() throws(ScriptFailure) {
        let function = "channel.send"
        let name = try text(1, function)
        let content = try text(2, function)
        let message = ScriptMessage(try kind(3, function, among: [.text, .binary]), content)
        do throws(ScriptFailure) {
            buffer.whole(try call.host.sendToChannel(name, message).get())
        } catch {
            throw ScriptFailure("channel.send: \(error.message)")
        }
    }

    private func requireNoMessages(_ index: Int, _ name: String, _ what: String) throws(ScriptFailure) {
        guard stack.type(index) > LUA_TNIL, !call.host.hasMessages else { return }
        throw ScriptFailure("'\(name)' has \(what) only in a script among the turns of a WebSocket")
    }

    /// The kind of a message, which is text where none is given.
    private func kind(
        _ index: Int, _ name: String, among kinds: [ScriptMessage.Kind]
    ) throws(ScriptFailure) -> ScriptMessage.Kind {
        guard stack.type(index) > LUA_TNIL else { return .text }
        let word = stack.text(index).map { String(decoding: $0.prefix(40), as: UTF8.self) }
        guard let kind = kinds.first(where: { $0.rawValue == word }) else {
            let words = kinds.map(\.rawValue).joined(separator: ", ")
            throw ScriptFailure("bad argument to '\(name)' (kind of a message expected: \(words))")
        }
        return kind
    }
}
