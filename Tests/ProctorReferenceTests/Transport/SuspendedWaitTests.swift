import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// The limit of a wait for a connection is asked for while it lasts, since a load may be suspended meanwhile (R45).
@Suite(.timeLimit(.minutes(5)))
struct SuspendedWaitTests {
    private static let limits = TransportLimits(connectionsPerOrigin: 1, glanceTime: .milliseconds(10))
    private static let short: UInt64 = 50_000_000

    /// Holds the only connection until it is told to let go.
    private static let holding: RawServer.Script = { peer in
        while let head = try await peer.headOrEnd() {
            guard !head.hasPrefix("GET /held") else { continue }
            try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
    }

    @Test func `a load that is suspended in line lets no time run out`() async throws {
        try await TransportBench.run(limits: Self.limits, Self.holding) { bench in
            let holder = RecordingHost()
            async let held = bench.load(try bench.get("/held"), for: holder)
            while holder.exchange?.localPort == nil { await Task.yield() }
            let host = RecordingHost(idleLimit: Self.short, then: .max)
            async let waiting = bench.load(try bench.get("/next"), for: host)
            await bench.loop.sleep(for: .milliseconds(300))
            #expect(host.events.isEmpty)
            holder.exchange?.cancel()
            #expect(try await waiting.summary == ["204", "ended"])
            _ = try await held
        }
    }

    @Test func `a load that is resumed in line times out`() async throws {
        try await TransportBench.run(limits: Self.limits, Self.holding) { bench in
            let holder = RecordingHost()
            async let held = bench.load(try bench.get("/held"), for: holder)
            while holder.exchange?.localPort == nil { await Task.yield() }
            let host = RecordingHost(idleLimit: .max, then: Self.short)
            let request = try bench.get("/next")
            await bench.loop.inTime {
                host.exchange?.cancel()
            } _: {
                await bench.load(request, for: host)
            }
            #expect(host.summary == ["failed timedOut"])
            #expect(host.failure?.sentence.contains("came free for 0.05 s") == true)
            holder.exchange?.cancel()
            _ = try await held
        }
    }

    @Test func `a load that is suspended while it connects lets no time run out`() async throws {
        try await TransportBench.run(limits: Self.limits) { bench in
            try await FullBacklog.with(on: bench.loop) { address in
                let request = ClientRequest(url: try ClientURL("http://\(address)/"))
                let host = RecordingHost(idleLimit: Self.short, then: .max)
                async let end = bench.load(request, for: host)
                await bench.loop.sleep(for: .milliseconds(300))
                #expect(host.events.isEmpty)
                host.exchange?.cancel()
                #expect(await end.events.isEmpty)
            }
        }
    }

    @Test func `a load that is resumed while it connects times out`() async throws {
        try await TransportBench.run(limits: Self.limits) { bench in
            try await FullBacklog.with(on: bench.loop) { address in
                let request = ClientRequest(url: try ClientURL("http://\(address)/"))
                let host = RecordingHost(idleLimit: .max, then: Self.short)
                await bench.loop.inTime {
                    host.exchange?.cancel()
                } _: {
                    await bench.load(request, for: host)
                }
                #expect(host.summary == ["failed timedOut"])
                #expect(host.failure?.sentence.contains("did not answer for 0.05 s") == true)
            }
        }
    }
}
