import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// Content that can't be had as it was promised.
@Suite(.timeLimit(.minutes(5)))
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

    @Test func `a stream that nobody gave fails`() async throws {
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

    @Test func `what a stream throws ends the exchange`() async throws {
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
