import ProctorBase
import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// A body stream that gives nothing and heeds no cancelling keeps nobody waiting but itself.
@Suite(.timeLimit(.minutes(5)))
struct StuckStreamTests {
    private static let redirect =
        "HTTP/1.1 303 See Other\r\nLocation: /next\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    /// Redirects the first connection, answers on the others.
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

    /// A reply that ends the exchange while the content is not complete.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: String
        let summary: [String]
        var step = ExchangeStep.readOn

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
    func `an exchange does not wait for it after its end`(row: Ending) async throws {
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
        // What it gives now comes too late for everybody.
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
                await network.end()
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

/// Keeps how loads ended.
private final class Ends: LoadClient {
    let kinds = Locked<[LoadError.Kind?]>([])

    func load(_ load: Load, tells notice: ClientNotice) {
        if case .complete(let error) = notice { kinds.withLock { $0.append(error?.kind) } }
    }
}
