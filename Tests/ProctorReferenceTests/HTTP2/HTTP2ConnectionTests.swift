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
