import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Effects together: their order, between the pieces of a body, alone, and without a body.
struct EffectSequenceTests {
    @Test func `a reset after a large body leaves every byte before it to be read`() async throws {
        let reply = """
            { status: 200, body: { repeat: abcdefgh, bytes: 8388608 }, effects: [ { at: body 4194304, do: reset } ] }
            """
        // However slow the machine is, the reset has to wait for the client here.
        let got = try await withRun(always(reply), configure: { $0.limits.settleDuration = .seconds(60) }) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                return try wire.drain { $1 == UInt8(ascii: "a") + UInt8($0 % 8) }
            }
        }
        #expect(got.byteCount == 4_194_304 && got.isRight && got.ending == .reset)
    }

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
