import ProctorBase
import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// Connections between exchanges (RFC 9112 §9.3).
@Suite(.timeLimit(.minutes(5)))
struct KeepAliveTests {
    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `a thousand requests share one connection`() async throws {
        try await TransportBench.run { peer in
            while try await peer.headOrEnd() != nil { try await peer.send(Self.reply) }
        } _: { bench in
            let request = try bench.get()
            for _ in 1...1000 {
                let host = await bench.load(request)
                guard host.summary == ["200", "content", "ended"] else {
                    Issue.record("\(host.events)")
                    return
                }
            }
            #expect(bench.server.connectionCount == 1)
            #expect(bench.pool.connections.map(\.number) == [1])
        }
    }

    @Test func `a connection that the server closed after its reply is not used again`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(Self.reply)
        } _: { bench in
            for number in 1...20 {
                let host = await bench.load(try bench.get())
                #expect(host.summary == ["200", "content", "ended"])
                #expect(host.exchange?.connectionNumber == number)
                // The pool hears of the FIN by itself.
                while !bench.pool.connections.isEmpty { await Task.yield() }
            }
        }
    }

    @Test func `a request on a connection that is just being closed may be sent again`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(Self.reply)
            guard peer.number == 1 else { return }
            _ = try await peer.head()
            // Not a byte of a reply to the second.
        } _: { bench in
            let first = await bench.load(try bench.get())
            let second = await bench.load(try bench.get())
            #expect(first.summary == ["200", "content", "ended"])
            #expect(second.summary == ["failed connectionLost (again)"])
            #expect(second.failure?.sentence.contains("before any byte of a reply") == true)
            let third = await bench.load(try bench.get(), onNewConnection: true)
            #expect(third.summary == ["200", "content", "ended"])
            #expect(third.exchange?.connectionNumber == 2)
        }
    }

    @Test func `a reset on a kept connection may be sent again too`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(Self.reply)
            _ = try await peer.head()
            peer.socket.reset()
        } _: { bench in
            await bench.load(try bench.get())
            let second = await bench.load(try bench.get())
            #expect(second.summary == ["failed connectionLost (again)"])
        }
    }

    @Test func `the same on a new connection is final`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
        } _: { bench in
            let host = await bench.load(try bench.get())
            #expect(host.summary == ["failed connectionLost"])
        }
    }

    @Test func `a connection that was opened and left without a request counts as new`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
        } _: { bench in
            let request = try bench.get()
            // As of an exchange that was cancelled while the connection was being opened.
            let wish = ConnectionRequest(to: Destination(request.url.origin, nil), wantsNew: false)
            bench.pool.keep(try await bench.pool.connection(for: wish) { patience })
            let host = await bench.load(request)
            #expect(host.exchange?.connectionNumber == 1)
            #expect(host.summary == ["failed connectionLost"])
        }
    }

    @Test func `a connection is not kept for a request that asked to close it`() async throws {
        try await TransportBench.run { peer in
            #expect(try await peer.head().contains("Connection: close\r\n"))
            try await peer.send(Self.reply)
            #expect(try await peer.untilEnd().isInOrder)
        } _: { bench in
            for number in 1...2 {
                let host = await bench.load(try bench.get(fields: [HTTPField("Connection", "close")]))
                #expect(host.exchange?.connectionNumber == number)
            }
            #expect(bench.pool.connections.isEmpty)
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
            #expect(second.exchange?.connectionNumber == 2)
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

    @Test func `a closed pool ends its exchanges and refuses others`() async throws {
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
