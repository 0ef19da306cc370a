import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Connections between transfers (RFC 9112 §9.3).
@Suite(.limit(minutes: 5))
struct KeepAliveTests {
    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `a connection that was opened and left without a request counts as new`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
        } _: { bench in
            let request = try bench.get()
            // As of a transfer that was cancelled while the connection was being opened.
            let wanted = PoolRequest(to: Destination(request.url.origin, nil), wantsNew: false, on: bench.loop)
            guard case .connection(let opened) = try await bench.pool.carrier(for: wanted, within: { patience }) else {
                return
            }
            bench.pool.store(opened)
            let host = await bench.load(request)
            #expect(host.transfer?.connectionNumber == 1)
            #expect(host.summary == ["failed connectionLost"])
        }
    }

    @Test func `bytes that come while a connection idles make it useless`() async throws {
        let isIdle = Moment()
        let isSent = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(Self.reply)
            guard peer.number == 1 else { return }
            await isIdle.wait()
            try await peer.send("HTTP/1.1 408 Request Timeout\r\n\r\n")
            while peer.socket.unacknowledgedByteCount ?? 0 > 0 { await Task.yield() }
            isSent.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let first = await bench.load(try bench.get())
            #expect(first.summary == ["200", "content", "ended"])
            #expect(bench.pool.idleCount == 1)
            isIdle.come()
            await isSent.wait()
            let second = await bench.load(try bench.get())
            #expect(second.summary == ["200", "content", "ended"])
            #expect(second.transfer?.connectionNumber == 2)
        }
    }

    @Test func `an idle connection is closed when its time is over`() async throws {
        let isClosed = Moment()
        try await TransportBench.run(limits: TransportLimits(idleTime: .milliseconds(50))) { peer in
            _ = try await peer.head()
            try await peer.send(Self.reply)
            #expect(try await peer.untilEnd().isInOrder)
            isClosed.come()
        } _: { bench in
            await bench.load(try bench.get())
            #expect(bench.pool.idleCount == 1)
            await isClosed.wait()
            #expect(bench.pool.idleCount == 0)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `an idle connection that its peer leaves is closed at once`() async throws {
        let mayClose = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(Self.reply)
            await mayClose.wait()
            peer.socket.halfClose()
            #expect(try await peer.untilEnd().isInOrder)
        } _: { bench in
            await bench.load(try bench.get())
            #expect(bench.pool.idleCount == 1)
            mayClose.come()
            while bench.pool.idleCount > 0 { await Task.yield() }
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `of too many idle connections the one that idled longest goes`() async throws {
        try await TransportBench.run(limits: TransportLimits(idleConnections: 2)) { peer in
            while try await peer.headOrEnd() != nil { try await peer.send(Self.reply) }
        } _: { bench in
            let allStand = Moment()
            let heads = Counter()
            await withTaskGroup { group in
                for _ in 1...3 {
                    group.addTask {
                        let host = RecordingHost { _ in
                            if heads.next() == 3 { allStand.come() }
                            await allStand.wait()
                            return .readOn
                        }
                        guard let request = try? bench.get() else { return }
                        await bench.load(request, for: host)
                    }
                }
            }
            #expect(bench.server.connectionCount == 3)
            #expect(bench.pool.idleCount == 2)
            #expect(bench.pool.connections.count == 2)
        }
    }

    @Test func `a closed pool ends its transfers and refuses others`() async throws {
        let hasHead = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            hasHead.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let request = try bench.get()
            async let host = bench.load(request)
            await hasHead.wait()
            bench.pool.close()
            #expect(await host.summary == ["failed cancelled"])
            #expect(await bench.load(request).summary == ["failed cancelled"])
        }
    }
}

/// How many connections an origin may have, and the line for them.
@Suite(.limit(minutes: 5))
struct ConnectionLimitTests {
    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `forty transfers get along with two connections, first come first served`() async throws {
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
            #expect(first.transfer?.connectionNumber == 1)
            #expect(second.transfer?.connectionNumber == 2)
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
            while holding.transfer?.localPort == nil { await Task.yield() }
            let second = await bench.load(request, for: RecordingHost(idleLimit: 20_000_000))
            #expect(second.summary == ["failed timedOut"])
            #expect(second.failure?.sentence.contains("all 1 that one origin may have are in use") == true)
            holding.transfer?.cancel()
            #expect(await first.summary == [])
        }
    }

    @Test func `a line that is too long is refused`() async throws {
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 1, waitingLimit: 1)) { peer in
            _ = try await peer.head()
            _ = try await peer.untilEnd()
        } _: { bench in
            let request = try bench.get()
            let hosts = [RecordingHost(), RecordingHost()]
            async let first = bench.load(request, for: hosts[0])
            while hosts[0].transfer?.localPort == nil { await Task.yield() }
            async let second = bench.load(request, for: hosts[1])
            while bench.pool.mayWait(to: Destination(request.url.origin, nil)) { await Task.yield() }
            let third = await bench.load(request)
            #expect(third.summary == ["failed resourceUnavailable"])
            for host in hosts { host.transfer?.cancel() }
            _ = await (first, second)
        }
    }
}

private final class Order: @unchecked Sendable {
    private(set) var paths: [Substring] = []

    func note(_ head: String) {
        paths.append(head.split(separator: " ").dropFirst().first ?? "")
    }
}
