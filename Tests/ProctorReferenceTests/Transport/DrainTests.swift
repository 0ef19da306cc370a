import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Replies that nobody wants the rest of.
@Suite(.timeLimit(.minutes(5)))
struct DrainTests {
    private static func draining() -> RecordingHost { RecordingHost { _ in .drain } }

    @Test(arguments: [0, 5, 60_000])
    func `a short rest is read, and the connection is kept`(count: Int) async throws {
        let isAsked = Moment()
        try await TransportBench.run(limits: TransportLimits(drainTime: Patience.whole)) { peer in
            while try await peer.headOrEnd() != nil {
                try await peer.send("HTTP/1.1 302 Found\r\nContent-Length: \(count)\r\n\r\n")
                await isAsked.wait()
                try await peer.send(pattern(count))
            }
        } _: { bench in
            for _ in 1...2 {
                let host = RecordingHost { _ in
                    isAsked.come()
                    return .drain
                }
                await bench.load(try bench.get(), for: host)
                #expect(host.summary == ["302", "drained"])
                #expect(host.exchange?.connectionNumber == 1)
            }
        }
    }

    @Test func `a rest in chunks is read to its end`() async throws {
        try await TransportBench.run(limits: TransportLimits(drainTime: Patience.whole)) { peer in
            while try await peer.headOrEnd() != nil {
                try await peer.send("HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")
                try await peer.send("0\r\n\r\n")
            }
        } _: { bench in
            for _ in 1...2 {
                let host = await bench.load(try bench.get(), for: Self.draining())
                #expect(host.summary == ["401", "drained"])
            }
            #expect(bench.server.connectionCount == 1)
        }
    }

    @Test(arguments: [
        "Content-Length: 100000", "Transfer-Encoding: chunked", "Connection: close\r\nContent-Length: 3",
        "X: until-close",
    ])
    func `a rest that is long, or of a connection that ends, is not waited for`(field: String) async throws {
        try await TransportBench.run(limits: TransportLimits(drainTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 302 Found\r\n\(field)\r\n\r\n")
            if field.contains("chunked") {
                // Only reading on shows that it is too long.
                _ = try? await peer.send("ffffff\r\n")
                _ = try? await peer.send(pattern(200_000))
            }
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.get(), for: Self.draining())
            #expect(host.summary == ["302", "drained"])
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `a rest that does not come in time is given up`() async throws {
        try await TransportBench.run(limits: TransportLimits(drainTime: .milliseconds(50))) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 302 Found\r\nContent-Length: 10\r\n\r\nabc")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.get(), for: Self.draining())
            #expect(host.summary == ["302", "drained"])
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test(arguments: ["", "2\r\nabX"])
    func `a rest that is cut or malformed is out of the way too`(rest: String) async throws {
        try await TransportBench.run(limits: TransportLimits(drainTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 302 Found\r\nTransfer-Encoding: chunked\r\n\r\n\(rest)")
            if !rest.isEmpty { _ = try await peer.untilEnd() }
        } _: { bench in
            let host = await bench.load(try bench.get(), for: Self.draining())
            #expect(host.summary == ["302", "drained"])
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `the rest after some content can be drained too`() async throws {
        let hasContent = Moment()
        try await TransportBench.run(limits: TransportLimits(drainTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            await hasContent.wait()
            try await peer.send("def")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = RecordingHost(watch: { event, _ in if case .content = event { hasContent.come() } }) { host in
                host.content.isEmpty ? .readOn : .drain
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["200", "content", "drained"])
            #expect(host.text == "abc")
            #expect(bench.pool.idleCount == 1)
        }
    }
}
