import ProctorDocument
package import ProctorScenario

/// What a module reads of `websocket:`, and where it may stand.
extension ScenarioReader {
    package static let webSocket = LanguageSlot<any WebSocketProgram>("the part for WebSockets")

    /// Fields of the handshake that a module computes for the reply.
    package static let handshakeFields = [
        "Upgrade", "Connection", "Sec-WebSocket-Accept", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions",
    ]

    /// The steps behind the reply; nil without `websocket`.
    func webSocketSteps(_ keys: Mapping<ReplyKeys>, _ kind: ReplyKind) -> [OpaqueStep]? {
        guard let entry = keys.entry(\.webSocket) else { return nil }
        if kind != .own {
            return sink.refuse(entry.keyNode, "\"websocket\" goes with a reply of an exchange alone")
        }
        for other in keys.entries where ["events", "opaque", "honours", "coding", "tunnel"].contains(other.key) {
            sink.report(other.keyNode, "\(quoted(other.key)) does not go with \"websocket\"")
        }
        guard var program = Self.webSocket.shape.read(entry.value, self) else { return nil }
        program.hasOwnStatus = keys.has(\.status)
        return [.webSocket(program)]
    }
}
