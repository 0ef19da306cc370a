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

    @Test func `a stream that waits holds no other`() async throws {
        let texts = try await frames { frames in
            try frames.request("GET /slow", on: 1)
            try frames.request("GET /fast", on: 3)
            return [try frames.reply(on: 3).text, try frames.reply(on: 1).text]
        }
        #expect(texts == ["fast", "slow"])
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

    @Test func `a stall is silent until the client resets the stream`() async throws {
        let (portion, isSilent, text) = try await frames { frames in
            try frames.request("GET /stall")
            let portion = try frames.next(.data)?.payloadByteCount
            let isSilent = frames.wire.isSilent(milliseconds: 50)
            try frames.send(.resetStream(1, .cancel))
            try frames.request("GET /fast", on: 3)
            return (portion, isSilent, try frames.reply(on: 3).text)
        }
        #expect(portion == 5 && isSilent && text == "fast")
    }

    @Test func `a request that is reset before its answer has begun`() async throws {
        let text = try await frames { frames in
            _ = try frames.next(.settings)
            let fields = [(":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", "/slow")]
            // In one write, so that both are read before the task of the answer runs.
            let head = Frame.headers(try frames.block(fields), on: 1, endsStream: true)
            try frames.send(head, .resetStream(1, .cancel))
            _ = frames.wire.isSilent(milliseconds: 20)
            try frames.request("GET /fast", on: 3)
            return try frames.reply(on: 3).text
        }
        #expect(text == "fast")
    }

    @Test func `a stream beyond the limit is refused`() async throws {
        let limited = """
            summary: one stream at a time
            origins: { main: { protocols: [h2], h2: { settings: { max-concurrent-streams: 1 } } } }
            exchanges: [{ request: GET /stall, reply: { status: 200, effects: [{ at: head, do: stall }] } }]
            """
        let code = try await withRun(limited) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                _ = try frames.next(.settings)
                try frames.send(.settingsAck)
                try frames.request("GET /stall", on: 1)
                try frames.request("GET /stall", on: 3)
                let code = try frames.reply(on: 3).resetCode
                try frames.send(.resetStream(1, .cancel))
                return code
            }
        }
        #expect(code == .refusedStream)
    }

    @Test func `a reset ends the connection with RST, a close with FIN`() async throws {
        for (path, ending) in [("/reset", Wire.Ending.reset), ("/close", .closed)] {
            let end = try await frames { frames in
                try frames.request("GET \(path)")
                _ = try frames.next(.data)
                return try frames.wire.readToEnd().ending
            }
            #expect(end == ending, "\(path)")
        }
    }

    @Test func `content that nothing reads is refused without an error`() async throws {
        let got = try await frames { frames in
            try frames.request("POST /early", "expect: 100-continue", "content-length: 5", endsStream: false)
            let reply = try frames.reply()
            return (reply, try frames.next(.resetStream)?.content)
        }
        #expect(got.0.sections == [[":status: 403", "content-length: 0"]])
        #expect(got.1 == .resetStream(.noError))
    }

    @Test func `PING and SETTINGS are acknowledged`() async throws {
        let (ping, settings) = try await frames { frames in
            try frames.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
            // Its own SETTINGS, and the acknowledgement of ours.
            let own = try frames.next(.settings)
            let ack = try frames.next(.settings)
            return (try frames.next(.ping), [own, ack].map { $0?.frame.isAck })
        }
        #expect(ping?.frame.isAck == true && ping?.frame.payload == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(settings == [false, true])
    }

    @Test func `a departure on a stream ends the stream, and the next one is answered`() async throws {
        let (code, text) = try await frames { frames in
            try frames.request("GET /fast", "X-Upper: case", on: 1)
            let code = try frames.reply(on: 1).resetCode
            try frames.request("GET /fast", on: 3)
            return (code, try frames.reply(on: 3).text)
        }
        #expect(code == .protocolError && text == "fast")
    }

    @Test func `a departure on the connection ends it with GOAWAY`() async throws {
        let (code, ending) = try await frames { frames in
            try frames.send(.data([1, 2, 3], on: 1))
            let frame = try frames.next(.goAway)
            guard case .goAway(_, let code, _)? = frame?.content else { return (nil as ErrorCode?, Wire.Ending.silent) }
            return (code, try frames.wire.readToEnd().ending)
        }
        #expect(code == .protocolError && ending == .closed)
    }

    @Test func `bytes of HTTP/1.1 get GOAWAY where HTTP/2 alone is spoken`() async throws {
        let got = try await withRun(yaml) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /fast"))
                return try wire.readToEnd()
            }
        }
        var reader = FrameReader(expectsPreface: false)
        var position = 0
        var types: [FrameType] = []
        while let part = reader.next(got.bytes.span, at: &position) {
            if case .frame(let frame) = part { types.append(frame.frame.type) }
        }
        #expect(types == [.settings, .goAway] && got.ending == .closed)
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

    @Test func `FIN of the client ends what waits for it, and what needs it no more is answered`() async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /stall
                reply: { status: 200, body: page, effects: [{ at: body 2, do: stall }] }
              - request: GET /long
                reply: { status: 200, body: { repeat: x, bytes: 1000000 } }
              - request: POST /unsent
                reply: { status: 200 }
              - request: GET /late
                reply: { status: 200, body: late, effects: [{ at: body 0, do: wait 300ms }] }
            """
        try await withRun(yaml) { run in
            let (late, hasEnded) = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire, settings: [Setting(.initialWindowSize, 100)])
                try frames.request("GET /stall", on: 1)
                try frames.request("GET /long", on: 3)
                try frames.request("POST /unsent", on: 5, endsStream: false)
                try frames.request("GET /late", on: 7)
                wire.finish()
                var late: [UInt8] = []
                while let frame = try frames.next() {
                    guard frame.frame.stream == 7, case .data(let range, _) = frame.content else { continue }
                    late += frame.frame.payload[range]
                }
                return (late, frames.hasEnded)
            }
            #expect(late == Array("late".utf8) && hasEnded)
        }
    }
}
