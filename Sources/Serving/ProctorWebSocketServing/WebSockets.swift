internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// WebSockets that replies open: the key `websocket`, the opening handshake, and what is sent and expected behind it.
package enum WebSockets {
    /// Hands the key over to the language, with what is planned and served of its value.
    ///
    /// For every scenario that this process reads from then on; safe from any thread, and again. Without it a fixture with the key
    /// is refused.
    package static func register() {
        ScenarioReader.webSocket.register(Shape { $1.webSocket($0) })
    }
}
