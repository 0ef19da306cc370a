import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// How many connections an origin may have, and the line for them.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `forty exchanges get along with two connections, first come first served`() async throws {
        let order = Order()
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 2)) { peer in
            while let head = try await peer.headOrEnd() {
                order.note(head)
                try await peer.send(Self.reply)
            }
        } _: { bench in
            let summaries = await withTaskGroup { group in
                for number in 100..<140 {
                    group.addTask { () -> [String] in
                        guard let request = try? bench.get("/\(number)") else { return [] }
                        return await bench.load(request).summary
                    }
                }
                return await group.reduce(into: [[String]]()) { $0.append($1) }
            }
            #expect(summaries == Array(repeating: ["200", "content", "ended"], count: 40))
            #expect(bench.server.connectionCount == 2)
            #expect(order.paths.count == 40)
            // Two are served side by side, so neighbours may change places.
            for (index, path) in order.paths.enumerated() {
                let number = Int(path.dropFirst()) ?? 0
                #expect(abs(number - 100 - index) <= 1)
            }
        }
    }

    @Test func `connections that can't be kept give their places to those in line`() async throws {
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 1)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            await withTaskGroup { group in
                for _ in 0..<10 {
                    group.addTask {
                        guard let request = try? bench.get() else { return }
                        #expect(await bench.load(request).summary == ["200", "ended"])
                    }
                }
            }
            #expect(bench.server.connectionCount == 10)
        }
    }

    @Test func `who wants a new connection does not get a kept one, though no other may be opened`() async throws {
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 1)) { peer in
            while try await peer.headOrEnd() != nil { try await peer.send(Self.reply) }
        } _: { bench in
            let first = await bench.load(try bench.get())
            let second = await bench.load(try bench.get(), onNewConnection: true)
            #expect(first.exchange?.connectionNumber == 1)
            #expect(second.exchange?.connectionNumber == 2)
            #expect(bench.pool.connections.count == 1)
        }
    }

    @Test func `waiting in line is a wait that times out`() async throws {
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 1)) { peer in
            _ = try await peer.head()
            _ = try await peer.untilEnd()
        } _: { bench in
            let request = try bench.get()
            let holding = RecordingHost()
            async let first = bench.load(request, for: holding)
            while holding.exchange?.localPort == nil { await Task.yield() }
            let second = await bench.load(request, for: RecordingHost(idleLimit: 20_000_000))
            #expect(second.summary == ["failed timedOut"])
            #expect(second.failure?.sentence.contains("all 1 that one origin may have are in use") == true)
            holding.exchange?.cancel()
            #expect(await first.summary == [])
        }
    }

    @Test func `a line that is too long is refused`() async throws {
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 1, lineLength: 1)) { peer in
            _ = try await peer.head()
            _ = try await peer.untilEnd()
        } _: { bench in
            let request = try bench.get()
            let hosts = [RecordingHost(), RecordingHost()]
            async let first = bench.load(request, for: hosts[0])
            while hosts[0].exchange?.localPort == nil { await Task.yield() }
            async let second = bench.load(request, for: hosts[1])
            while bench.pool.hasRoomInLine(to: Destination(request.url.origin, nil)) { await Task.yield() }
            let third = await bench.load(request)
            #expect(third.summary == ["failed resourceUnavailable"])
            for host in hosts { host.exchange?.cancel() }
            _ = await (first, second)
        }
    }
}

/// The paths that a server was asked for.
private final class Order: @unchecked Sendable {
    private(set) var paths: [Substring] = []

    func note(_ head: String) {
        paths.append(head.split(separator: " ").dropFirst().first ?? "")
    }
}
