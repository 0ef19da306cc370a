import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Replies that break off or break a rule (RFC 9113 §5.4, §7, §8.1.1).
@Suite(.limit(minutes: 2))
struct HTTP2FailureTests {
    @Test func `a closed connection may have its request repeated where it was kept`() async throws {
        try await TransportBench.runFrames { peer in
            try await peer.reply(on: try await peer.request().stream)
            _ = try await peer.request()
        } _: { bench in
            #expect(try await bench.loadFrames(bench.get()).summary == ["200", "content", "ended"])
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["failed connectionLost (again)"])
            #expect(host.transfer?.connectionNumber == 1)
        }
    }

    @Test func `interim replies have a bound`() async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            for _ in 0..<40 { try await peer.sendHead([(":status", "102")], on: stream) }
            let reset = try await peer.next(.resetStream)
            #expect(FramePeer.code(of: reset) == .enhanceYourCalm)
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.failure?.kind == .cannotParseResponse)
            #expect(host.failure?.sentence.contains("interim") == true)
        }
    }

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
}
