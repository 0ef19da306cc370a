import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// One connection for many requests, and its end (RFC 9113 §3.4, §5.1, §6.5–6.8).
@Suite(.limit(minutes: 2))
struct HTTP2ConnectionTests {
    @Test func `requests at once share one connection, on streams with odd numbers`() async throws {
        try await TransportBench.runFrames { peer in
            var streams: [UInt32] = []
            for _ in 0..<3 { streams.append(try await peer.request().stream) }
            #expect(streams == [1, 3, 5])
            for stream in streams.reversed() { try await peer.reply(on: stream) }
            try await peer.answerAll()
        } _: { bench in
            async let first = bench.loadFrames(try bench.get())
            async let second = bench.loadFrames(try bench.get())
            async let third = bench.loadFrames(try bench.get())
            for host in try await [first, second, third] {
                #expect(host.summary == ["200", "content", "ended"])
                #expect(host.transfer?.connectionNumber == 1)
            }
            #expect(bench.server.connectionCount == 1)
        }
    }

    @Test func `an idle connection is closed with GOAWAY after its time`() async throws {
        var limits = TransportLimits()
        limits.idleTime = .milliseconds(50)
        try await TransportBench.runFrames(limits: limits) { peer in
            try await peer.reply(on: try await peer.request().stream)
            let goAway = try await peer.next(.goAway)
            #expect(FramePeer.code(of: goAway) == .noError)
            await #expect(throws: Peer.Ended.self) { _ = try await peer.next() }
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["200", "content", "ended"])
            while !bench.pool.sharedConnections.isEmpty { _ = await bench.loop.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func `a connection on which a stream timed out carries no others`() async throws {
        try await TransportBench.runFrames { peer in
            guard peer.peer.number == 1 else { return try await peer.answerAll() }
            while (try? await peer.next()) != nil {}
        } _: { bench in
            let host = await bench.loadFrames(try bench.get(), for: RecordingHost(idleLimit: 200_000_000))
            #expect(host.failure?.kind == .timedOut)
            let next = await bench.loadFrames(try bench.get())
            #expect(next.transfer?.connectionNumber == 2)
        }
    }

    @Test func `the pool's end ends every load`() async throws {
        try await TransportBench.runFrames { peer in
            while (try? await peer.next()) != nil {}
        } _: { bench in
            async let host = bench.loadFrames(try bench.get())
            while bench.pool.sharedConnections.isEmpty { _ = await bench.loop.sleep(for: .milliseconds(5)) }
            bench.pool.close()
            let ended = try await host
            #expect(ended.failure?.kind == .cancelled)
        }
    }
}
