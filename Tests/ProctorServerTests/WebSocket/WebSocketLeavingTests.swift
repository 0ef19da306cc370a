import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import ProctorWebSocket
import Testing

/// What becomes of open WebSockets when a run, or the server, stops (RFC 6455 §7.4.1).
@Suite(.limit(minutes: 5))
struct WebSocketLeavingTests {
    private func websocket(_ value: String) -> String {
        "summary: a WebSocket that stays open\nexchanges: [{ request: GET /, reply: { websocket: \(value) } }]\n"
    }

    /// An open WebSocket, on which `body` has been said.
    private func open(
        _ run: Run, _ body: @escaping @Sendable (inout WebSocketClient) throws -> Void = { _ in }
    ) async throws -> WebSocketClient {
        try await onThread {
            var client = WebSocketClient(try Wire(to: run.base))
            try client.open()
            try body(&client)
            return client
        }
    }

    private func lines(_ run: Run) -> [String] {
        run.journal.lines.filter { $0.contains(" ws ") || $0.contains("closed") }
    }

    @Test(arguments: ["[{ echo: true }]", "[{ send: hello }]"])
    func `an open WebSocket gets 1001, and is ended when the client has answered`(_ turns: String) async throws {
        try await withRun(websocket(turns)) { run in
            let client = try await open(run) { client in
                guard turns.contains("send") else { return }
                let text = try client.text()
                #expect(text == "hello")
            }
            async let stopped: Void = run.stop(grace: Patience.whole)
            let (close, end) = try await onThread {
                var client = client
                let close = try client.close()
                try client.send(.maskedClose(1001))
                return (close, try client.wire.readToEnd())
            }
            await stopped
            #expect(close == "1001 ")
            #expect(end == Wire.Received("", .closed))
            #expect(
                lines(run).suffix(3) == [
                    "c0 r0 ws server: close of 2 bytes: 1001 \"\"",
                    "c0 r0 ws client: close of 2 bytes, masked: 1001 \"\"",
                    "c0 closed by server: closed",
                ])
        }
    }

    @Test func `a client that does not answer holds the stop no longer than a closing takes`() async throws {
        try await withRun(
            websocket("[{ echo: true }]"), configure: { $0.limits.lingerDuration = .milliseconds(100) },
            { run in
                let client = try await open(run)
                await run.stop(grace: Patience.whole)
                #expect(lines(run).contains("c0 r0 ws server: close of 2 bytes: 1001 \"\""))
                let close = try await onThread {
                    var client = client
                    return try client.close()
                }
                #expect(close == "1001 ")
            })
    }

    @Test func `without a grace, and within a turn that waits for the client, the Close is the last that is sent`()
        async throws
    {
        for turns in ["[{ echo: true }]", "[{ expect: never, within: 100s }, { send: over }]"] {
            try await withRun(websocket(turns)) { run in
                let client = try await open(run)
                await run.stop(grace: .zero)
                let (close, end) = try await onThread {
                    var client = client
                    return (try client.close(), try client.wire.readToEnd())
                }
                #expect(close == "1001 ", "\(turns)")
                #expect(end.bytes.isEmpty)
                #expect(lines(run).last == "c0 closed by server: stopped")
            }
        }
    }

    @Test(arguments: [
        // Within a frame, whose payload the Close would be.
        "[{ frame: { opcode: text, length: 100, payload: cut } }, { expect: never, within: 100s }]",
        "[{ do: { send: { hex: 8105 } } }, { expect: never, within: 100s }]",
        // In the middle of what the script plays.
        "[{ do: stall }]", "[{ do: wait 100s }, { send: late }]",
        // Behind a Close, and behind the end of our half.
        "[{ close: 1000 }, { expect: never, within: 100s }]", "[{ do: half-close }]",
    ])
    func `nothing is put into what a script plays exactly`(_ turns: String) async throws {
        try await withRun(websocket(turns)) { run in
            let client = try await open(run)
            await run.stop(grace: .zero)
            let end = try await onThread { try client.wire.readToEnd() }
            #expect(!end.bytes.contains([0x88, 2, 0x03, 0xE9]), "\(end)")
            #expect(!lines(run).contains { $0.contains("1001") })
        }
    }

    @Test func `a WebSocket that stays open behind another stop of the server is told by the server itself`()
        async throws
    {
        let scenario = try scenario(websocket("[{ echo: true }]"))
        try await withServer([scenario]) { server in
            let run = try await server.run(scenario.id)
            let client = try await open(run)
            async let stopped: Void = server.stop(grace: Patience.whole)
            let close = try await onThread {
                var client = client
                defer { client.wire.close() }
                return try client.close()
            }
            await stopped
            #expect(close == "1001 ")
        }
    }
}
