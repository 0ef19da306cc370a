import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Replies that break off or break a rule (RFC 9113 §5.4, §7, §8.1.1).
@Suite(.limit(minutes: 2))
struct HTTP2FailureTests {
    @Test(arguments: [ErrorCode.internalError, .protocolError, .cancel, .enhanceYourCalm])
    func `a reset stream is a lost connection to its load alone`(code: ErrorCode) async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            try await peer.sendHead([(":status", "200")], on: stream)
            try await peer.send(.data("half".utf8, on: stream), .resetStream(stream, code))
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["200", "content", "failed connectionLost"])
            #expect(host.text == "half")
            let sentence = try #require(host.failure?.sentence)
            #expect(sentence.contains("stream 1") && sentence.contains("\(code)"), "\(sentence)")
            #expect(try await bench.loadFrames(bench.get()).transfer?.connectionNumber == 1)
        }
    }

    @Test func `a refused stream was not processed`() async throws {
        try await TransportBench.runFrames { peer in
            try await peer.send(.resetStream(try await peer.request().stream, .refusedStream))
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.post(.bytes([1])))
            #expect(host.summary.last == "failed connectionLost (unprocessed)")
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

    @Test(arguments: [(3, "cannotParseResponse"), (5, "connectionLost")])
    func `content of another length than was stated fails the load`(length: Int, kind: String) async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            try await peer.reply(on: stream, fields: [("content-length", "\(length)")], "page")
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary.last == "failed \(kind)", "\(host.summary)")
            #expect(host.failure?.sentence.contains("§8.1.1") == true)
        }
    }

    @Test func `a fault of the connection ends all its streams with GOAWAY`() async throws {
        try await TransportBench.runFrames { peer in
            guard peer.peer.number == 1 else { return try await peer.answerAll() }
            _ = try await peer.request()
            _ = try await peer.request()
            try await peer.send(.windowUpdate(0))
            let goAway = try await peer.next(.goAway)
            #expect(FramePeer.code(of: goAway) == .protocolError)
            await #expect(throws: (any Error).self) { while true { _ = try await peer.next() } }
        } _: { bench in
            async let first = bench.loadFrames(try bench.get())
            async let second = bench.loadFrames(try bench.get())
            for host in try await [first, second] {
                #expect(host.summary == ["failed cannotParseResponse"])
                #expect(host.failure?.sentence.contains("§6.9") == true, "\(host.failure?.sentence ?? "")")
            }
            #expect(try await bench.loadFrames(bench.get()).transfer?.connectionNumber == 2)
        }
    }

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

    @Test func `a broken header table ends the connection`() async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            var block = RawBlock()
            block.indexed(70)
            try await peer.send(.headers(block.bytes, on: stream))
            let goAway = try await peer.next(.goAway)
            #expect(FramePeer.code(of: goAway) == .compressionError)
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["failed cannotParseResponse"])
        }
    }
}
