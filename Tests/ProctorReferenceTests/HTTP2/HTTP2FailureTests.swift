import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Replies that break off or break a rule (RFC 9113 §5.4, §7, §8.1.1).
@Suite(.limit(minutes: 2))
struct HTTP2FailureTests {
    @Test(arguments: [
        ([(":status", "200"), ("X-Upper", "1")], "§8.2.1"), ([("x-a", "1")], "§8.3"),
        ([(":status", "200"), ("connection", "close")], "§8.2.2"),
        ([(":status", "200"), (":status", "200")], "§8.3"),
    ])
    func `a malformed head resets its stream and says why`(fields: [(String, String)], section: String) async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            try await peer.sendHead(fields, on: stream)
            let reset = try await peer.next(.resetStream)
            #expect(reset.stream == stream && FramePeer.code(of: reset) == .protocolError)
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["failed cannotParseResponse"])
            let sentence = try #require(host.failure?.sentence)
            #expect(sentence.contains("stream 1") && sentence.contains(section), "\(sentence)")
            #expect(try await bench.loadFrames(bench.get()).transfer?.connectionNumber == 1)
        }
    }

    @Test func `a server that does not speak HTTP 2 fails the load`() async throws {
        try await TransportBench.run { peer in
            try await peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["failed cannotParseResponse"])
            #expect(host.failure?.sentence.contains("prior knowledge") == true)
        }
    }

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
