import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// What is not wanted yet stays with the server.
@Suite(.timeLimit(.minutes(5)))
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
