import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// A transfer that is cancelled at each of its moments.
@Suite(.limit(minutes: 5))
struct AbortTests {
    @Test func `in line`() async throws {
        try await TransportBench.run(limits: TransportLimits(connectionsPerOrigin: 1)) { peer in
            _ = try await peer.head()
            _ = try await peer.untilEnd()
        } _: { bench in
            let request = try bench.get()
            let hosts = [RecordingHost(), RecordingHost()]
            async let first = bench.load(request, for: hosts[0])
            while hosts[0].transfer?.localPort == nil { await Task.yield() }
            async let second = bench.load(request, for: hosts[1])
            while hosts[1].transfer == nil { await Task.yield() }
            await Task.yield()
            hosts[1].transfer?.cancel()
            #expect(await second.events.isEmpty)
            hosts[0].transfer?.cancel()
            #expect(await first.events.isEmpty)
            #expect(bench.server.connectionCount == 1)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `while a connection is being opened`() async throws {
        try await TransportBench.run { bench in
            try await FullBacklog.with(on: bench.loop) { address in
                let request = ClientRequest(url: try ClientURL("http://\(address)/"))
                let host = RecordingHost()
                async let end = bench.load(request, for: host)
                while host.transfer == nil { await Task.yield() }
                for _ in 1...10 { await Task.yield() }
                host.transfer?.cancel()
                #expect(await end.events.isEmpty)
            }
        }
    }

    @Test func `by cancelling its task`() async throws {
        let hasHead = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            hasHead.come()
            #expect(try await peer.untilEnd().isInOrder)
        } _: { bench in
            let request = try bench.get()
            let host = RecordingHost()
            await withTaskGroup { group in
                group.addTask { _ = await bench.load(request, for: host) }
                await hasHead.wait()
                group.cancelAll()
            }
            #expect(host.events.isEmpty)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `while the host is asked`() async throws {
        let isAsked = Moment()
        let isGone = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            await isAsked.wait()
            _ = try await peer.untilEnd()
            isGone.come()
        } _: { bench in
            let host = RecordingHost { host in
                isAsked.come()
                host.transfer?.cancel()
                // The connection is gone before the question is answered.
                await isGone.wait()
                return .readOn
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["200"])
        }
    }

    @Test func `while content is being sent`() async throws {
        let content = pattern(30_000_000)
        let host = RecordingHost()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            host.transfer?.cancel()
            let end = try await peer.untilEnd()
            #expect(end.bytes.count < content.count)
        } _: { bench in
            await bench.load(try bench.post(.bytes(content)), for: host)
            #expect(host.summary == ["sent"])
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `while a stream is being waited for`() async throws {
        let isAsked = Moment()
        let isGone = Moment()
        let mayGoOn = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            await isAsked.wait()
            // The connection does not wait for the stream.
            _ = try await peer.untilEnd()
            isGone.come()
        } _: { bench in
            let host = RecordingHost()
            let stream = BodyStream {
                isAsked.come()
                host.transfer?.cancel()
                await mayGoOn.wait()
                return [1]
            }
            await bench.load(try bench.post(.stream(stream)), for: host)
            await isGone.wait()
            mayGoOn.come()
            #expect(host.events.isEmpty)
        }
    }

    @Test func `while the rest is drained`() async throws {
        let host = RecordingHost { _ in .drain }
        try await TransportBench.run(limits: TransportLimits(drainTime: Patience.whole)) { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            while host.questionCount == 0 { await Task.yield() }
            await Task.yield()
            host.transfer?.cancel()
            _ = try await peer.untilEnd()
        } _: { bench in
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["200"])
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `after its end a cancel does nothing`() async throws {
        try await TransportBench.run { peer in
            while try await peer.headOrEnd() != nil { try await peer.send("HTTP/1.1 204 No Content\r\n\r\n") }
        } _: { bench in
            let host = await bench.load(try bench.get())
            host.transfer?.cancel()
            #expect(host.summary == ["204", "ended"])
            #expect(bench.pool.idleCount == 1)
        }
    }
}

/// Replies whose rest is not wanted.
@Suite(.limit(minutes: 5))
struct DrainTests {
    private static func draining() -> RecordingHost { RecordingHost { _ in .drain } }

    @Test(arguments: [5, 60_000])
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
                #expect(host.transfer?.connectionNumber == 1)
            }
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
