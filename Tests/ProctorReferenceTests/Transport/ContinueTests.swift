import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// `Expect: 100-continue` (RFC 9110 §10.1.1).
@Suite(.timeLimit(.minutes(5)))
struct ContinueTests {
    private static let expectation = [HTTPField("Expect", "100-continue")]
    private static let content = pattern(1000)

    @Test func `content waits for 100`() async throws {
        let isSent = Moment()
        try await TransportBench.run(limits: TransportLimits(continueTime: Patience.whole)) { peer in
            #expect(try await peer.head().contains("Expect: 100-continue\r\n"))
            #expect(peer.socket.isQuiet)
            try await peer.send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
            #expect(try await peer.bytes(1000) == Self.content)
            isSent.come()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content), fields: Self.expectation))
            #expect(host.summary == ["102", "100", "sent", "200", "ended"])
            #expect(bench.pool.idleCount == 1)
        }
    }

    @Test(arguments: ["417 Expectation Failed", "401 Unauthorized", "200 OK"])
    func `content is not sent after a final status, and the connection is not kept`(status: String) async throws {
        try await TransportBench.run(limits: TransportLimits(continueTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\n")
            // The reply is not complete, and nothing comes.
            #expect(try await peer.untilSilence() == 0)
            try await peer.send("no")
            #expect(try await peer.untilEnd().bytes == [])
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content), fields: Self.expectation))
            #expect(host.summary == [String(status.prefix(3)), "content", "ended"])
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `a stream that is not wanted is not read`() async throws {
        let count = Counter()
        try await TransportBench.run(limits: TransportLimits(continueTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            let stream = BodyStream {
                _ = count.next()
                return nil
            }
            let host = await bench.load(try bench.post(.stream(stream), fields: Self.expectation))
            #expect(host.summary == ["417", "ended"])
            #expect(count.value == 0)
        }
    }

    @Test func `a server that knows nothing of expectations gets the content after a while`() async throws {
        try await TransportBench.run(limits: TransportLimits(continueTime: .milliseconds(100))) { peer in
            let start = MonotonicClock.nanoseconds
            _ = try await peer.head()
            #expect(try await peer.bytes(1000) == Self.content)
            // The client's clock began before ours could.
            #expect(MonotonicClock.nanoseconds - start > 50_000_000)
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content), fields: Self.expectation))
            #expect(host.summary == ["sent", "200", "ended"])
            #expect(bench.pool.idleCount == 1)
        }
    }

    @Test func `a server that leaves instead of continuing fails the exchange`() async throws {
        try await TransportBench.run(limits: TransportLimits(continueTime: Patience.whole)) { peer in
            _ = try await peer.head()
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content), fields: Self.expectation))
            #expect(host.summary == ["failed connectionLost"])
        }
    }

    @Test func `100 with a final reply right behind it sends the content all the same`() async throws {
        try await TransportBench.run(limits: TransportLimits(continueTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            let content = try await peer.bytes(1000)
            #expect(content == Self.content)
            try await peer.send(content)
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content), fields: Self.expectation))
            #expect(host.content == Self.content)
            #expect(host.summary.filter { $0 != "sent" } == ["100", "200", "content", "ended"])
            #expect(host.sentByteCount == 1000)
            #expect(bench.pool.idleCount == 1)
        }
    }
}
