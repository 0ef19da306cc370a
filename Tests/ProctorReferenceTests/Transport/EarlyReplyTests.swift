import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Replies that come while the request's content is still being sent (RFC 9112 §9.5).
@Suite(.limit(minutes: 5))
struct EarlyReplyTests {
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
}
