import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import ProctorWebSocket
import Testing

/// A WebSocket whose client is gone; conversations stand in Tests/Data/conversations/websocket.
@Suite(.limit(minutes: 5))
struct WebSocketTests {
    @Test func `what a client said before it left is read, where a frame is still being sent too`() async throws {
        let reply = "{ slice: every-byte, websocket: [{ send: { repeat: a, bytes: 5000 } }, { send: too late }] }"
        try await withRun(always(reply)) { run in
            try await talk(to: run.base) { wire in
                var client = WebSocketClient(wire)
                try client.open()
                // The client leaves behind it, and takes no more of the frame.
                try client.send(.maskedClose(1002))
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines.filter { $0.contains(" ws ") }
            #expect(lines.contains { $0.hasSuffix("client: close of 2 bytes, masked: 1002 \"\"") }, "\(lines)")
            #expect(!lines.contains { $0.contains("too late") })
        }
    }
}
