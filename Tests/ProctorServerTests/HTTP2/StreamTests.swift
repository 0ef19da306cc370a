import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorLoop
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer
@testable import ProctorServing

/// Streams beside one another, and what ends them.
struct StreamTests {
    private let yaml = """
        summary: streams
        origins: { main: { protocols: [h2] } }
        exchanges:
          - request: GET /slow
            reply: { status: 200, body: slow, effects: [ { at: head, do: wait 200ms } ] }
          - request: POST /echo
            reply: { status: 200, body: "{{request.body}}" }
        """

    @Test func `content in frames is one content, and the windows are given back`() async throws {
        let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let got = try await withRun(yaml) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("POST /echo", endsStream: false)
                var (stream, connection, sent) = (65_535, 65_535, 0)
                while sent < content.count {
                    let count = min(stream, connection, 16_384, content.count - sent)
                    if count == 0 {
                        let update = try #require(try frames.next(.windowUpdate))
                        guard case .windowUpdate(let increment)? = update.content else { continue }
                        if update.frame.stream == 0 { connection += Int(increment) } else { stream += Int(increment) }
                        continue
                    }
                    let isLast = sent + count == content.count
                    try frames.send(.data(content[sent..<sent + count], on: 1, endsStream: isLast))
                    (stream, connection, sent) = (stream - count, connection - count, sent + count)
                }
                return try frames.reply()
            }
        }
        #expect(got.content == content)
    }

    @Test func `a request that came before the server stops is answered, though it is not read yet`() async throws {
        try await withRun(yaml) { run in
            let gate = Monitor(false)
            for item in run.accepting { item.loop.loop.submit { gate.wait { $0 ? .done(()) : .wait() } } }
            let frames = try await onThread { () -> FrameWire in
                let frames = try FrameWire(Wire(to: run.base))
                try frames.request("GET /slow")
                return frames
            }
            for item in run.accepting { item.loop.stop(grace: Patience.whole) }
            gate.withLock { $0 = true }
            gate.wakeAll()
            #expect(try await onThread { try frames.reply().text } == "slow")
        }
    }
}
