import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Replies that come while the request's content is still being sent (RFC 9112 §9.5).
@Suite(.limit(minutes: 5))
struct EarlyReplyTests {
    private static let content = pattern(30_000_000)

    @Test func `a refusal is heard while content is being sent, and the rest is not sent`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\n")
            // The reply is not complete, but the client has stopped.
            #expect(try await peer.untilSilence() < Self.content.count)
            try await peer.send("big")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content)))
            // What was on its way when the head came still counts as sent.
            #expect(host.summary.filter { $0 != "sent" } == ["413", "content", "ended"])
            #expect(host.text == "big")
            #expect(host.sentByteCount < Self.content.count)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `a server that refuses, reads nothing and resets is still heard`() async throws {
        let isSent = Moment()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig")
            isSent.come()
            // Unread content makes the end a reset.
        } _: { bench in
            let count = Counter()
            let stream = BodyStream {
                // Not a byte more until the server is gone, so that the next write meets its reset.
                if count.next() == 2 {
                    await isSent.wait()
                    for _ in 1...50 { await Task.yield() }
                }
                return [UInt8](repeating: 0x61, count: 10_000)
            }
            let host = await bench.load(try bench.post(.stream(stream)))
            #expect(
                host.summary.filter { $0 != "sent" } == ["413", "content", "ended"],
                "\(host.events.last.map { "\($0)" } ?? "")")
        }
    }

    #if os(Linux)
        // Elsewhere the system throws away with a reset what was not read before it.
        @Test func `what came before a reset is read, though the sending side met it first`() async throws {
            let isAsked = Moment()
            try await TransportBench.run { peer in
                _ = try await peer.head()
                try await peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\n")
                await isAsked.wait()
                try await peer.send("big")
                // The content that was not read makes the end a reset.
            } _: { bench in
                let stream = BodyStream {
                    await Task.yield()
                    return [UInt8](repeating: 0x61, count: 1000)
                }
                let host = RecordingHost { host in
                    isAsked.come()
                    while host.transfer?.state.connection?.socket.wasReset == false { await Task.yield() }
                    return .readOn
                }
                await bench.load(try bench.post(.stream(stream)), for: host)
                #expect(host.text == "big")
                #expect(host.summary.last == "ended")
            }
        }
    #endif

    @Test func `a reply that is complete before the request is ends the transfer, and the connection goes`()
        async throws
    {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let end = try await peer.untilEnd()
            #expect(end.bytes.count < Self.content.count)
        } _: { bench in
            let host = await bench.load(try bench.post(.bytes(Self.content)))
            #expect(host.text == "ok")
            #expect(host.summary.last == "ended")
            #expect(bench.pool.connections.isEmpty)
        }
    }
}
