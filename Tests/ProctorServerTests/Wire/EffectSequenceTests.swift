import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// A reset whose client takes nothing; effects stand in Tests/Data/conversations/effects.
struct EffectSequenceTests {
    @Test func `a reset waits for a client that takes nothing, but not for ever`() async throws {
        let reply = """
            { status: 200, body: { repeat: x, bytes: 100000 }, effects: [ { at: end, do: reset } ] }
            """
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.settleDuration = .milliseconds(50) }
        try await withRun(always(reply), configure: configure) { run in
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base, receiveByteCount: 4_096)
                try wire.send(.request("GET /"))
                return wire
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == "c0 closed by server: reset")
            #expect(try await onThread { try wire.readToEnd().bytes.count } < 100_000)
        }
    }
}
