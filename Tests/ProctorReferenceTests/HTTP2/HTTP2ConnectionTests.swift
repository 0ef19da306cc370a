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
    @Test func `the preface is SETTINGS without push, and SETTINGS and PING are acknowledged`() async throws {
        try await TransportBench.runFrames(settings: [Setting(.initialWindowSize, 70_000)]) { peer in
            let first = try await peer.next()
            guard case .settings(let settings)? = ReadFrame(sent: first, at: 0).content else {
                Issue.record("\(first)")
                return
            }
            #expect(settings.contains(Setting(.enablePush, 0)))
            let request = try await peer.request()
            let acknowledgement = try await peer.next(.settings)
            #expect(acknowledgement.isAck)
            try await peer.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
            let pong = try await peer.next(.ping)
            #expect(pong.isAck && pong.payload == [1, 2, 3, 4, 5, 6, 7, 8])
            try await peer.reply(on: request.stream)
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["200", "content", "ended"])
        }
    }

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

    @Test func `the server's limit of streams is kept`() async throws {
        try await TransportBench.runFrames(settings: [Setting(.maxConcurrentStreams, 2)]) { peer in
            for round in 1...3 {
                let open = [try await peer.request().stream, try await peer.request().stream]
                // What the client had sent by now is read.
                try await peer.send(.ping([0, 0, 0, 0, 0, 0, 0, UInt8(round)]))
                _ = try await peer.next(.ping)
                #expect(peer.frames.count { $0.type == .headers } == 2 * round)
                for stream in open { try await peer.reply(on: stream) }
            }
            try await peer.answerAll()
        } _: { bench in
            await withTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask(executorPreference: bench.loop) {
                        guard let request = try? bench.get() else { return }
                        let host = await bench.loadFrames(request)
                        #expect(host.summary == ["200", "content", "ended"])
                    }
                }
            }
            #expect(bench.server.connectionCount == 1)
        }
    }

    @Test func `requests above the last stream of GOAWAY are not processed, the others go on`() async throws {
        try await TransportBench.runFrames { peer in
            guard peer.peer.number == 1 else { return try await peer.answerAll() }
            let (one, two) = (try await peer.request().stream, try await peer.request().stream)
            try await peer.send(.goAway(lastStream: one, .noError))
            _ = two
            try await peer.reply(on: one)
            // The client closes with its last stream.
            await #expect(throws: (any Error).self) { while true { _ = try await peer.next() } }
        } _: { bench in
            async let first = bench.loadFrames(try bench.get("/1"))
            async let second = bench.loadFrames(try bench.post(.bytes([1])))
            let hosts = try await [first, second]
            #expect(hosts[0].summary == ["200", "content", "ended"])
            #expect(hosts[1].summary.last == "failed connectionLost (unprocessed)")
            let third = await bench.loadFrames(try bench.get("/3"))
            #expect(third.transfer?.connectionNumber == 2)
        }
    }

    @Test func `GOAWAY of an idle connection retires it`() async throws {
        let gone = Moment()
        try await TransportBench.runFrames { peer in
            guard peer.peer.number == 1 else { return try await peer.answerAll() }
            try await peer.reply(on: try await peer.request().stream)
            try await peer.send(.goAway(lastStream: 1, .noError))
            while (try? await peer.next()) != nil {}
            gone.come()
        } _: { bench in
            #expect(try await bench.loadFrames(bench.get()).summary == ["200", "content", "ended"])
            await gone.wait()
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["200", "content", "ended"])
            #expect(host.transfer?.connectionNumber == 2)
        }
    }

    @Test func `a cancelled load resets its stream, and the connection lives on`() async throws {
        try await TransportBench.runFrames { peer in
            let first = try await peer.request()
            try await peer.sendHead([(":status", "200")], on: first.stream)
            let reset = try await peer.next(.resetStream)
            #expect(reset.stream == first.stream && FramePeer.code(of: reset) == .cancel)
            // Frames that were on their way belong to no transfer.
            try await peer.send(.data([1, 2, 3], on: first.stream))
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.get(), for: RecordingHost { _ in .abort })
            #expect(host.summary == ["200"])
            let next = await bench.loadFrames(try bench.get())
            #expect(next.summary == ["200", "content", "ended"])
            #expect(next.transfer?.connectionNumber == 1)
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

    @Test func `a server that wants HTTP 1.1 is asked by it`() async throws {
        try await TransportBench.run { peer in
            guard peer.number == 1 else {
                while try await peer.answer() {}
                return
            }
            let frames = try FramePeer(peer)
            try await frames.greet()
            try await frames.send(.resetStream(try await frames.request().stream, .http11Required))
            while (try? await frames.next()) != nil {}
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["failed connectionLost (unprocessed)"])
            let next = await bench.loadFrames(try bench.get())
            #expect(next.summary == ["200", "content", "ended"])
            #expect(next.heads.last?.version == .http11)
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
