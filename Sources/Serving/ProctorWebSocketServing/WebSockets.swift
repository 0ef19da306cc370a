internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorScenario

/// WebSockets that replies open: the key `websocket`, the opening handshake, what is sent and expected behind it, and how it is judged.
package enum WebSockets {
    /// Hands the key over to the language, with what is planned and served of its value.
    ///
    /// For every scenario that this process reads from then on; safe from any thread, and again. Without it a fixture with the key
    /// is refused.
    package static func register() {
        ScenarioReader.webSocket.register(Shape { $1.webSocket($0) })
        FactGatherers.register(SeenWebSockets.self)
        ContentChecks.register([
            WebSocketOpenCheck.self, WebSocketResultCheck.self, WebSocketMessageCheck.self, ConversationCheck.self,
        ])
    }
}
