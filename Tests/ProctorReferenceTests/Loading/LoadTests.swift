import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

@Suite(.limit(minutes: 5))
struct LoadTests {
    @Test func `a load that is cancelled right after it is to be sent opens no connection`() async throws {
        try await TransportBench.run { bench in
            let client = ScriptedClient { notice, load in
                guard case .needBodyStream = notice else { return }
                load.submit(.bodyStreamAnswered(BodyStream([1, 2, 3])))
                load.submit(.cancel)
            }
            let load = Load(try bench.post(.streamOnDemand), options: LoadOptions(), pool: bench.pool, client: client)
            await load.run()
            #expect(client.said == ["needBodyStream", "metrics 1", "complete(cancelled)"])
            #expect(bench.pool.openedCount == 0)
            #expect(bench.server.connectionCount == 0)
        }
    }

    @Test func `a client that is behind stops the reading, whatever limit it was given`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage")
        } _: { bench in
            var options = LoadOptions()
            options.backlogByteLimit = 0
            let client = ScriptedClient { notice, load in
                switch notice {
                case .response: load.submit(.responseAnswered(.allow))
                case .data(let bytes): load.didConsume(bytes.count)
                default: break
                }
            }
            let load = Load(try bench.get(), options: options, pool: bench.pool, client: client)
            await load.run()
            #expect(client.said == ["response(200)", "data page", "metrics 1", "complete(ok)"])
        }
    }

    @Test(arguments: [
        (true, "200 X", "X: y", 4), (false, "200 X", "X: y", 0), (true, "404 X", "X: y", 0),
        (true, "200 X", "Cache-Control: no-store", 0), (true, "200 X", "Vary: *", 0),
        (true, "200 X", "Content-Type: multipart/x-mixed-replace", 0),
    ])
    func `only what may be stored is kept for the cache`(
        asks: Bool, status: String, field: String, kept: Int
    ) async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 \(status)\r\n\(field)\r\nContent-Length: 4\r\n\r\npage")
        } _: { bench in
            var options = LoadOptions()
            options.policy.asksToStore = asks
            options.cache = ReferenceCache(byteLimit: 1_000)
            var counts: [Int] = []
            let client = ScriptedClient { notice, load in
                switch notice {
                case .response: load.submit(.responseAnswered(.allow))
                case .data(let bytes):
                    counts.append(load.collectedByteCount)
                    load.didConsume(bytes.count)
                case .willCache: load.submit(.cacheAnswered(.refuse))
                default: break
                }
            }
            let load = Load(try bench.get(), options: options, pool: bench.pool, client: client)
            await load.run()
            #expect(counts.last == kept)
            #expect(client.said.last == "complete(ok)")
        }
    }

    @Test func `bytes sent while a load is suspended are reported in one step after it resumes`() async throws {
        let gate = StreamGate()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            _ = try await peer.bytes(3)
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        } _: { bench in
            let client = ScriptedClient { notice, load in
                if case .response = notice { load.submit(.responseAnswered(.allow)) }
            }
            // The load is suspended by its own body, between two pieces of it.
            let body = BodyStream(byteCount: 3) { await gate.next() }
            let load = Load(try bench.post(.stream(body)), options: LoadOptions(), pool: bench.pool, client: client)
            gate.atPiece = { number in
                if number == 1 { load.suspend() }
                if number == 4 { load.resume() }
            }
            await load.run()
            #expect(client.said.filter { $0.hasPrefix("bodySent") } == ["bodySent 3 3/3"])
            #expect(client.said.last == "complete(ok)")
        }
    }
}

/// Answers by a closure, on the loop, and keeps what it was told.
private final class ScriptedClient: LoadClient, @unchecked Sendable {
    private(set) var said: [String] = []
    private let answer: (DelegateCall, Load) -> Void

    init(_ answer: @escaping (DelegateCall, Load) -> Void) { self.answer = answer }

    func load(_ load: Load, tells call: DelegateCall) {
        said.append(LoaderScript.text(call))
        answer(call, load)
    }
}

/// Three pieces of one byte, then the end; tells which one is asked for, on the loop's thread.
private final class StreamGate: @unchecked Sendable {
    var atPiece: (Int) -> Void = { _ in }
    private var count = 0

    func next() async -> [UInt8]? {
        count += 1
        atPiece(count)
        return count <= 3 ? [UInt8(count)] : nil
    }
}
