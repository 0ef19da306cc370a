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
    struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: String
        let summary: [String]
        let sentence: String
        var resets = false

        static let all: [Cut] = [
            Cut(
                testDescription: "before the head", reply: "", summary: ["failed connectionLost"],
                sentence: "before any byte of a reply"),
            Cut(
                testDescription: "within the head", reply: "HTTP/1.1 200 OK\r\nA: b\r\n",
                summary: ["failed connectionLost"], sentence: "after 23 bytes of a reply, within its head"),
            Cut(
                testDescription: "after an interim head", reply: "HTTP/1.1 103 Early Hints\r\n\r\n",
                summary: ["103", "failed connectionLost"], sentence: "within its head"),
            Cut(
                testDescription: "within content with a length",
                reply: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
                summary: ["200", "content", "failed connectionLost"], sentence: "after 3 of 10 bytes of content"),
            Cut(
                testDescription: "within a chunk",
                reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                summary: ["200", "content", "failed connectionLost"],
                sentence: "after 2 bytes of content, before the last"),
            Cut(
                testDescription: "before the last chunk",
                reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
                summary: ["200", "content", "failed connectionLost"], sentence: "before the last chunk"),
            Cut(
                testDescription: "a reset within content until close", reply: "HTTP/1.1 200 OK\r\n\r\nabc",
                summary: ["200", "content", "failed connectionLost"], sentence: "after 3 bytes of content", resets: true
            ),
            Cut(
                testDescription: "a reset within the head", reply: "HTTP/1.1 200", summary: ["failed connectionLost"],
                sentence: "within its head", resets: true),
        ]
    }

    @Test(arguments: Cut.all)
    func `what is cut is told with how far it came`(row: Cut) async throws {
        let hasCome = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(row.reply)
            if row.resets {
                // A reset would take with it what the client has not read.
                if row.summary.count > 1 { await hasCome.wait() }
                while peer.socket.unacknowledgedByteCount ?? 0 > 0 { await Task.yield() }
                peer.socket.reset()
            }
        } _: { bench in
            let host = RecordingHost(watch: { event, _ in if case .content = event { hasCome.come() } })
            await bench.load(try bench.get(), for: host)
            #expect(host.summary == row.summary)
            #expect(host.failure?.sentence.contains(row.sentence) == true, "\(host.failure?.sentence ?? "")")
            #expect(host.failure?.sentence.contains("\(bench.server.address)") == true)
        }
    }

    @Test func `the error for a port without a listener names the port`() async throws {
        let closed = try ClosedPort(host: .ipv4(host: "127.0.0.1", port: 0))
        try await TransportBench.run { bench in
            let host = await bench.load(ClientRequest(url: try ClientURL("http://\(closed.address)/")))
            #expect(host.summary == ["failed cannotConnect"])
            #expect(host.failure?.sentence.contains("\(closed.address)") == true)
            #expect(host.transfer?.localPort == nil)
        }
    }

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

    @Test(arguments: ["http://example.com/", "http://127.0.0.1.example/", "http://my-host:8080/"])
    func `names are not looked up`(url: String) async throws {
        try await TransportBench.run { bench in
            let host = await bench.load(ClientRequest(url: try ClientURL(url)))
            #expect(host.summary == ["failed cannotFindHost"])
            #expect(host.failure?.sentence.contains("use an address such as 127.0.0.1") == true)
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

    @Test func `a server that does not answer when connected to times out`() async throws {
        try await TransportBench.run { bench in
            try await FullBacklog.with(on: bench.loop) { address in
                let request = ClientRequest(url: try ClientURL("http://\(address)/"))
                let host = await bench.load(request, for: RecordingHost(idleLimit: 100_000_000))
                #expect(host.summary == ["failed timedOut"])
                #expect(host.failure?.sentence.contains("\(address)") == true)
            }
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

    @Test func `a missing stream fails the load`() async throws {
        try await TransportBench.run { bench in
            let host = await bench.load(try bench.post(.streamOnDemand))
            #expect(host.summary == ["failed requestBodyStreamExhausted"])
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
