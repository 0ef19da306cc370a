import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Requests and replies on streams (RFC 9113 §8), frame by frame.
@Suite(.limit(minutes: 2))
struct HTTP2MessageTests {
    @Test func `a body stream that gives too little resets its stream`() async throws {
        let left = Moment()
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            let reset = try await peer.next(.resetStream)
            #expect(reset.stream == request.stream)
            #expect(FramePeer.code(of: reset) == .cancel)
            left.come()
            try await peer.answerAll()
        } _: { bench in
            let pieces = Locked([[1, 2, 3] as [UInt8]])
            let stream = BodyStream(byteCount: 10) { pieces.withLock { $0.popLast() } }
            let host = await bench.loadFrames(try bench.post(.stream(stream)))
            #expect(host.failure?.kind == .requestBodyStreamExhausted)
            await left.wait()
            let next = await bench.loadFrames(try bench.get())
            #expect(next.summary == ["200", "content", "ended"])
            #expect(next.transfer?.connectionNumber == 1)
        }
    }

    @Test func `content waits for a 100, and is not sent where the final status comes instead`() async throws {
        try await TransportBench.runFrames { peer in
            let first = try await peer.request()
            #expect(first["expect"] == "100-continue")
            #expect(!first.endsStream)
            try await peer.sendHead([(":status", "100")], on: first.stream)
            #expect(try await peer.content(of: first.stream) == Array("hello".utf8))
            try await peer.reply(on: first.stream)
            let second = try await peer.request()
            try await peer.reply(on: second.stream, 417)
            let reset = try await peer.next(.resetStream)
            #expect(reset.stream == second.stream)
            #expect(!peer.frames.contains { $0.type == .data && $0.stream == second.stream })
        } _: { bench in
            let expect = [HTTPField("Expect", "100-continue")]
            let first = await bench.loadFrames(try bench.post(.bytes(Array("hello".utf8)), fields: expect))
            #expect(first.summary == ["100", "sent", "200", "content", "ended"])
            let second = await bench.loadFrames(try bench.post(.bytes(Array("hello".utf8)), fields: expect))
            #expect(second.summary == ["417", "content", "ended"])
            #expect(second.transfer?.connectionNumber == 1)
        }
    }

    @Test func `credentials are never indexed`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            let field = try #require(request.fields.first { $0.name == Array("authorization".utf8) })
            #expect(field.isNeverIndexed)
            try await peer.reply(on: request.stream)
        } _: { bench in
            let host = await bench.loadFrames(try bench.get(fields: [HTTPField("Authorization", "Basic YTpi")]))
            #expect(host.summary == ["200", "content", "ended"])
        }
    }

    @Test func `a complete reply counts although the server resets the rest of the content`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            try await peer.reply(on: request.stream, 413)
            try await peer.send(.resetStream(request.stream, .noError))
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(1 << 20))))
            #expect(host.summary.suffix(3) == ["413", "content", "ended"])
            let next = await bench.loadFrames(try bench.get())
            #expect(next.transfer?.connectionNumber == 1)
        }
    }
}
