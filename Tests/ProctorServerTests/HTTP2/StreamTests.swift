import ProctorBase
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
          - request: GET /fast
            reply: { status: 200, body: fast }
          - request: POST /echo
            reply: { status: 200, body: "{{request.body}}" }
          - request: GET /stall
            reply: { status: 200, body: 0123456789, effects: [ { at: body 5, do: stall } ] }
          - request: GET /reset
            reply: { status: 200, body: 0123456789, effects: [ { at: body 5, do: reset } ] }
          - request: GET /close
            reply: { status: 200, body: 0123456789, effects: [ { at: body 5, do: close } ] }
          - request: POST /early
            expect: final
            reads: none
            reply: { status: 403 }
        """

    private func frames<Result: Sendable>(
        _ body: @escaping @Sendable (FrameWire) throws -> Result
    ) async throws -> Result {
        try await withRun(yaml) { run in
            try await talk(to: run.base) { try body(FrameWire($0)) }
        }
    }

    @Test func `content in frames is one content, and the windows are given back`() async throws {
        let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let got = try await frames { frames in
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
        #expect(got.content == content)
    }

    @Test func `a stopping server says GOAWAY and ends what it has begun`() async throws {
        try await withRun(yaml) { run in
            let frames = try await onThread { () -> FrameWire in
                let frames = try FrameWire(Wire(to: run.base))
                try frames.request("GET /slow")
                try frames.send(.ping([0, 0, 0, 0, 0, 0, 0, 0]))
                // Behind the request.
                _ = try frames.next(.ping)
                return frames
            }
            async let stopped: Void = run.stop(grace: Patience.whole)
            let (text, goAway, ending) = try await onThread {
                let reply = try frames.reply()
                let goAway =
                    try reply.goAway
                    ?? (frames.next(.goAway)?.content).flatMap { content in
                        if case .goAway(_, let code, _) = content { code } else { nil }
                    }
                return (reply.text, goAway, try frames.wire.readToEnd().ending)
            }
            await stopped
            #expect(text == "slow" && goAway == .noError && ending == .closed)
        }
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
