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
        ScenarioReader.webSocket.register(
            Shape(ScenarioReader.webSocketSchema, takes: "a list of turns, or [a mapping](websocket.md)") {
                $1.webSocket($0)
            },
            tables: [
                ("websocket", ScenarioReader.webSocketTable.rows),
                ("websocket deflate", ScenarioReader.deflateWishTable.rows),
                ("websocket turn", ScenarioReader.webSocketTurnTable.rows),
                ("websocket frame", ScenarioReader.webSocketFrameTable.rows),
                ("websocket expectation", ScenarioReader.webSocketExpectationTable.rows),
            ],
            definitions: [
                ("webSocketTurns", ScenarioReader.webSocketTurnsSchema),
                ("webSocketExpectation", ScenarioReader.webSocketExpectationSchema),
            ])
    }
}
