import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// A body stream that gives no bytes and ignores cancelling delays only itself.
@Suite(.limit(minutes: 5))
struct StuckStreamTests {
    private static let redirect =
        "HTTP/1.1 303 See Other\r\nLocation: /next\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    private static let redirecting: RawServer.Script = { peer in
        let head = try await peer.head()
        if peer.number == 1 {
            try await peer.send(redirect)
        } else {
            #expect(head.hasPrefix("GET /next "))
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage")
        }
        _ = try await peer.untilEnd()
    }

    /// A reply that ends the transfer while the content is not complete.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: String
        let summary: [String]
        var step = TransferStep.readOn

        static let all: [Ending] = [
            Ending(testDescription: "a redirect", reply: redirect, summary: ["303", "drained"], step: .drain),
            Ending(
                testDescription: "a challenge",
                reply: "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n",
                summary: ["401", "drained"], step: .drain),
            Ending(
                testDescription: "a whole reply", reply: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                summary: ["200", "content", "ended"]),
            Ending(testDescription: "silence", reply: "", summary: ["failed timedOut"]),
        ]
    }

    @Test(arguments: Ending.all)
    func `a transfer does not wait for it after its end`(row: Ending) async throws {
        let body = StuckBody()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(row.reply)
            _ = try await peer.untilEnd()
        } _: { bench in
            let request = try bench.post(.stream(body.stream))
            let host = RecordingHost(idleLimit: row.reply.isEmpty ? 1_000_000_000 : patience) { _ in row.step }
            await bench.loop.inTime {
                body.letGo()
            } _: {
                await bench.load(request, for: host)
            }
            #expect(body.isAsked && !body.isLetGo)
            #expect(host.summary == row.summary)
            #expect(bench.pool.connections.isEmpty)
        }
        // Bytes of the stream come too late from here on.
        body.letGo()
    }

    @Test func `a redirect is followed, and the session ends`() async throws {
        let body = StuckBody()
        try await TransportBench.run(Self.redirecting) { bench in
            let session = try ReferenceSession()
            let request = try bench.post(.stream(body.stream))
            let answer = try await bench.loop.inTime {
                body.letGo()
            } _: {
                let answer = try await session.data(for: request, timeout: .seconds(1))
                session.invalidateAndCancel()
                await session.ended()
                return answer
            }
            #expect(!body.isLetGo)
            #expect(answer.response.status == 200)
            #expect(String(decoding: answer.content, as: UTF8.self) == "page")
        }
        body.letGo()
    }

    @Test func `a session that is invalidated meanwhile ends`() async throws {
        let body = StuckBody()
        let hasHead = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            hasHead.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let session = try ReferenceSession()
            let request = try bench.post(.stream(body.stream))
            await bench.loop.inTime {
                body.letGo()
            } _: {
                async let answer = session.data(for: request)
                await hasHead.wait()
                session.invalidateAndCancel()
                await session.ended()
                let outcome = try? await answer
                #expect(outcome?.response == nil)
            }
            #expect(!body.isLetGo)
        }
        body.letGo()
    }

    @Test func `a network of the old kind ends`() async throws {
        let body = StuckBody()
        let hasHead = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            hasHead.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let network = try LegacyNetwork()
            let client = Ends()
            let load = Load(
                try bench.post(.stream(body.stream)), options: LoadOptions(), pool: network.pool, client: client)
            #expect(network.run(load))
            await hasHead.wait()
            await bench.loop.inTime {
                body.letGo()
            } _: {
                await network.stop()
            }
            #expect(!body.isLetGo)
            #expect(client.kinds.withLock { $0 } == [.cancelled])
        }
        body.letGo()
    }
}

/// A body that gives nothing until it is let go, whatever is cancelled.
private final class StuckBody: Sendable {
    private let state = Locked(State())

    private struct State {
        var isAsked = false
        var isLetGo = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    var stream: BodyStream {
        BodyStream {
            await self.wait()
            return nil
        }
    }

    var isAsked: Bool { state.withLock { $0.isAsked } }
    var isLetGo: Bool { state.withLock { $0.isLetGo } }

    func letGo() {
        let waiters = state.withLock { state in
            state.isLetGo = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func wait() async {
        await withCheckedContinuation { waiter in
            let isLetGo = state.withLock { state in
                state.isAsked = true
                if !state.isLetGo { state.waiters.append(waiter) }
                return state.isLetGo
            }
            if isLetGo { waiter.resume() }
        }
    }
}

private final class Ends: LoadClient {
    let kinds = Locked<[LoadError.Kind?]>([])

    func load(_ load: Load, tells call: DelegateCall) {
        if case .complete(let error) = call { kinds.withLock { $0.append(error?.kind) } }
    }
}

/// What is not wanted yet stays with the server.
@Suite(.limit(minutes: 5))
struct BackPressureTests {
    @Test func `nothing is read while the host thinks, until the server's window is full`() async throws {
        let piece = pattern(65_536)
        let isFull = Moment()
        let took = Counter()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\n\r\n")
            var sum = 0
            while true {
                // Room in the windows is all that is taken, however often it is tried.
                let more = try await peer.flood(piece)
                sum += more
                if more == 0 { break }
            }
            #expect(sum > 0 && sum < 64 << 20)
            for _ in 0..<sum >> 16 { _ = took.next() }
            isFull.come()
            try await peer.send(piece)
        } _: { bench in
            let host = RecordingHost { host in
                if host.questionCount == 1 { await isFull.wait() }
                return .readOn
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["200", "content", "ended"])
            #expect(host.content.count >= (took.value + 1) << 16)
            // One read is one piece at most.
            for event in host.events {
                if case .content(let bytes) = event { #expect(bytes.count <= 65_536) }
            }
        }
    }

    @Test func `the host is asked after the final head and after each piece, and only then`() async throws {
        let count = Counter()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 103 Early Hints\r\n\r\n")
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n")
            try await peer.send(pattern(400_000))
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = RecordingHost(watch: { event, _ in
                switch event {
                case .content: _ = count.next()
                case .head(let head): if !head.isInterim { _ = count.next() }
                default: break
                }
            }) { host in
                #expect(host.questionCount == count.value)
                return .readOn
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.questionCount == count.value)
            #expect(host.content == pattern(400_000))
        }
    }

    @Test func `a stream is not read ahead of a server that does not read`() async throws {
        let isOver = Moment()
        let given = Counter()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
            await isOver.wait()
        } _: { bench in
            await bench.load(try bench.get())
            let stream = BodyStream {
                _ = given.next()
                return [UInt8](repeating: 0x61, count: 65_536)
            }
            let host = RecordingHost(idleLimit: 200_000_000)
            await bench.load(try bench.post(.stream(stream)), for: host)
            isOver.come()
            #expect(host.failure?.kind == .timedOut)
            // What the windows hold, and one piece that waits.
            #expect(given.value < 1000)
            #expect(given.value << 16 - host.sentByteCount <= 65_536)
        }
    }
}

/// The limit of a wait for a connection is asked for while it lasts, since a load may be suspended meanwhile (R45).
@Suite(.limit(minutes: 5))
struct SuspendedWaitTests {
    private static let limits = TransportLimits(connectionsPerOrigin: 1, recheckTime: .milliseconds(10))
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
            while holder.transfer?.localPort == nil { await Task.yield() }
            let host = RecordingHost(idleLimit: Self.short, then: .max)
            async let waiting = bench.load(try bench.get("/next"), for: host)
            await bench.loop.sleep(for: .milliseconds(300))
            #expect(host.events.isEmpty)
            holder.transfer?.cancel()
            #expect(try await waiting.summary == ["204", "ended"])
            _ = try await held
        }
    }

    @Test func `a load that is resumed in line times out`() async throws {
        try await TransportBench.run(limits: Self.limits, Self.holding) { bench in
            let holder = RecordingHost()
            async let held = bench.load(try bench.get("/held"), for: holder)
            while holder.transfer?.localPort == nil { await Task.yield() }
            let host = RecordingHost(idleLimit: .max, then: Self.short)
            let request = try bench.get("/next")
            await bench.loop.inTime {
                host.transfer?.cancel()
            } _: {
                await bench.load(request, for: host)
            }
            #expect(host.summary == ["failed timedOut"])
            #expect(host.failure?.sentence.contains("came free for 0.05 s") == true)
            holder.transfer?.cancel()
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
                host.transfer?.cancel()
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
                    host.transfer?.cancel()
                } _: {
                    await bench.load(request, for: host)
                }
                #expect(host.summary == ["failed timedOut"])
                #expect(host.failure?.sentence.contains("did not answer for 0.05 s") == true)
            }
        }
    }
}
