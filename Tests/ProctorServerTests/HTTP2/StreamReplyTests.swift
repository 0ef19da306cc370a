import ProctorHTTP2
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Replies on streams, frame by frame.
struct StreamReplyTests {
    /// What one request gets from an origin that speaks HTTP/2.
    private func reply(
        _ reply: String, to line: String = "GET /", settings: [Setting] = [],
        _ body: @escaping @Sendable (FrameWire) throws -> FrameWire.Reply = { try $0.reply() }
    ) async throws -> FrameWire.Reply {
        try await withRun(always(reply, more: "origins: { main: { protocols: [h2] } }")) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire, settings: settings)
                try frames.request(line)
                return try body(frames)
            }
        }
    }

    @Test func `long content comes in frames that the client takes`() async throws {
        let got = try await reply("{ status: 200, body: { pattern: offset, bytes: 300000 } }")
        #expect(got.content.count == 300_000 && got.endsStream)
        #expect(got.portions.allSatisfy { $0 <= 16_384 })
        let isRight = got.content.enumerated().allSatisfy { offset, byte in
            byte == UInt8(truncatingIfNeeded: (UInt64(offset) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
        #expect(isRight)
    }

    /// Each write counts for the turn of a connection, which is over behind 64 of them.
    @Test func `a reply of many small pieces comes whole to a client that sends nothing meanwhile`() async throws {
        let got = try await reply(
            "{ status: 200, body: { pattern: offset, bytes: 300 }, pace: { bytes: 1, every: 1ms } }")
        #expect(got.content.count == 300 && got.endsStream)
    }

}
