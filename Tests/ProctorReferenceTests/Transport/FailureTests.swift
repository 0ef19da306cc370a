import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.limit(minutes: 5))
struct FailureTests {
    @Test func `localhost is looked for at both of its addresses`() async throws {
        let closed = try ClosedPort(host: .ipv4(host: "127.0.0.1", port: 0))
        try await TransportBench.run { bench in
            let host = await bench.load(
                ClientRequest(url: try ClientURL("http://localhost:\(closed.address.port ?? 0)/")))
            #expect(host.summary == ["failed cannotConnect"])
            let sentence = host.failure?.sentence ?? ""
            #expect(sentence.contains("127.0.0.1:") && sentence.contains("[::1]:"), "\(sentence)")
        }
    }

    @Test func `https is not spoken by a load that was given no security`() async throws {
        try await TransportBench.run { bench in
            let host = await bench.load(ClientRequest(url: try ClientURL("https://\(bench.server.address)/")))
            #expect(host.summary == ["failed secureConnectionFailed"])
            #expect(host.failure?.sentence.contains("no security") == true)
        }
    }

    // MARK: Time

    @Test func `content that moves is activity, however long a reply is waited for`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            _ = try await peer.bytes("1\r\na\r\n".utf8.count * 6 + "0\r\n\r\n".utf8.count)
            try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
        } _: { bench in
            let count = Counter()
            // Each piece comes well within the limit, and the last long after it.
            let stream = BodyStream {
                guard count.next() <= 6 else { return nil }
                await bench.loop.sleep(for: .milliseconds(500))
                return [0x61]
            }
            let host = await bench.load(try bench.post(.stream(stream)), for: RecordingHost(idleLimit: 2_500_000_000))
            #expect(host.summary == ["sent", "204", "ended"])
        }
    }

    @Test func `the time in which the host is asked does not count`() async throws {
        let isAsked = Moment()
        let hasArrived = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
            await isAsked.wait()
            try await peer.send("ok")
            while peer.socket.unacknowledgedByteCount ?? 0 > 0 { await Task.yield() }
            hasArrived.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = RecordingHost { host in
                guard host.questionCount == 1 else { return .readOn }
                host.idleLimit = 20_000_000
                isAsked.come()
                await hasArrived.wait()
                await bench.loop.sleep(for: .milliseconds(60))
                return .readOn
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["200", "content", "ended"])
        }
    }

    @Test func `the time in which no limit holds does not count`() async throws {
        let host = RecordingHost(idleLimit: .max)
        try await TransportBench.run(limits: TransportLimits(recheckTime: .milliseconds(10))) { peer in
            _ = try await peer.head()
            // As of a load that is suspended for longer than its limit.
            await peer.socket.loop.sleep(for: .milliseconds(2200))
            host.idleLimit = 2_000_000_000
            await peer.socket.loop.sleep(for: .milliseconds(100))
            try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["204", "ended"])
        }
    }

    @Test func `a limit that comes to hold while a reply is waited for holds`() async throws {
        let host = RecordingHost(idleLimit: .max)
        try await TransportBench.run(limits: TransportLimits(recheckTime: .milliseconds(10))) { peer in
            _ = try await peer.head()
            host.idleLimit = 50_000_000
            _ = try await peer.untilEnd()
        } _: { bench in
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == ["failed timedOut"])
        }
    }
}

/// Content that can't be had as it was promised.
@Suite(.limit(minutes: 5))
struct BodyFailureTests {
    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the tape tore" }
    }

    @Test func `a stream that was read from is not sent again`() async throws {
        try await TransportBench.run { bench in
            let stream = BodyStream([1, 2, 3])
            #expect(stream.open())
            let host = await bench.load(try bench.post(.stream(stream)))
            #expect(host.summary == ["failed requestBodyStreamExhausted"])
            #expect(host.failure?.sentence.contains("give a new stream") == true)
            #expect(bench.server.connectionCount == 0)
        }
    }

    @Test func `a file that is not there fails before a connection is opened`() async throws {
        try await TransportBench.run { bench in
            let missing = await bench.load(try bench.post(.file(path: "/nowhere/at/all")))
            #expect(missing.summary == ["failed fileDoesNotExist"])
            #expect(missing.failure?.sentence.contains("\"/nowhere/at/all\"") == true)
            let folder = await bench.load(try bench.post(.file(path: "/")))
            #expect(folder.summary == ["failed resourceUnavailable"])
            #expect(bench.server.connectionCount == 0)
        }
    }

    @Test func `a stream that gives too little fails with both counts`() async throws {
        try await fail(BodyStream(byteCount: 10, next: pieces([[1, 2, 3], [4]]))) { host in
            #expect(host.failure?.kind == .requestBodyStreamExhausted)
            #expect(host.failure?.sentence.contains("after 4 of the 10 bytes") == true)
            #expect(host.sentByteCount == 4)
        }
    }

    @Test func `a stream that gives too much fails without sending the surplus`() async throws {
        try await fail(BodyStream(byteCount: 3, next: pieces([[1, 2], [3, 4]]))) { host in
            #expect(host.failure?.kind == .dataLengthExceedsMaximum)
            #expect(host.failure?.sentence.contains("more than the 3 bytes") == true)
            #expect(host.sentByteCount == 2)
        }
    }

    @Test func `what a stream throws ends the transfer`() async throws {
        let count = Counter()
        try await fail(
            BodyStream {
                guard count.next() == 1 else { throw Broken() }
                return [1, 2, 3]
            }
        ) { host in
            #expect(host.failure?.kind == .requestBodyStreamExhausted)
            #expect(host.failure?.sentence == "the body stream failed after 3 bytes: the tape tore")
        }
    }

    @Test func `a load error of a stream is passed on as it is`() async throws {
        let error = LoadError(.userCancelledAuthentication, "no key")
        try await fail(BodyStream { throw error }) { #expect($0.failure == error) }
    }

    @Test func `a file that becomes shorter fails with both counts`() async throws {
        let content = pattern(40_000_000)
        try await TemporaryFile.with(content) { path in
            try await TransportBench.run { peer in
                _ = try await peer.head()
                try TemporaryFile.cut(path, to: 100)
                #expect(try await peer.untilEnd().bytes.count < content.count)
            } _: { bench in
                let host = await bench.load(try bench.post(.file(path: path)))
                #expect(host.summary.last == "failed requestBodyStreamExhausted")
                #expect(host.failure?.sentence.contains("became shorter") == true)
            }
        }
    }

    private func fail(_ stream: BodyStream, _ check: @escaping @Sendable (RecordingHost) -> Void) async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            // No last chunk, and no more than was promised: the end is the only sign.
            let end = try await peer.untilEnd()
            #expect(!String(decoding: end.bytes, as: UTF8.self).hasSuffix("0\r\n\r\n"))
        } _: { bench in
            let host = await bench.load(try bench.post(.stream(stream)))
            check(host)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    private func pieces(_ pieces: [[UInt8]]) -> @Sendable () async throws -> [UInt8]? {
        let count = Counter()
        return {
            let index = count.next() - 1
            return index < pieces.count ? pieces[index] : nil
        }
    }
}

/// Counts from 1; for tasks of one loop.
final class Counter: @unchecked Sendable {
    private(set) var value = 0

    func next() -> Int {
        value += 1
        return value
    }
}
