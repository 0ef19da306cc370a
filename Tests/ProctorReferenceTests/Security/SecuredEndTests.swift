import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTLS
import Testing

@testable import ProctorReference

/// How connections that TLS secures come to an end, in the handshake and after it.
@Suite(.timeLimit(.minutes(5)))
struct SecuredEndTests {
    @Test(arguments: [true, false])
    func `content that the end of the connection ends has to end with close_notify`(saysGoodbye: Bool) async throws {
        try await SecuredBench.run(script: { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\n\r\npage")
            peer.socket.saysGoodbye = saysGoodbye
            peer.socket.halfClose()
            try await peer.wait()
        }) { bench in
            let host = try await bench.load()
            #expect(host.text == "page")
            #expect(host.summary.last == (saysGoodbye ? "ended" : "failed connectionLost"))
            if !saysGoodbye { #expect(host.failure?.sentence.contains("close_notify") == true) }
        }
    }

    @Test(arguments: ["Content-Length: 4\r\n\r\npage", "Transfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n"])
    func `content that says its own end needs no close_notify`(reply: String) async throws {
        try await SecuredBench.run(script: { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\n\(reply)")
            peer.socket.saysGoodbye = false
            peer.socket.halfClose()
            try await peer.wait()
        }) { bench in
            let host = try await bench.load()
            #expect(host.summary == ["200", "content", "ended"])
        }
    }

    @Test func `a server that speaks no TLS is told apart by the error`() async throws {
        let security = ConnectionSecurity(try await Vouched.security())
        try await TransportBench.run { peer in
            _ = try await peer.bytes(5)
            try await peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            try await peer.wait()
        } _: { bench in
            let host = try await SecuredBench(bench: bench, security: security).load()
            #expect(host.failure?.kind == .secureConnectionFailed)
            #expect(host.kinds == [])
        }
    }

    @Test func `a server that leaves in the handshake fails the load`() async throws {
        let security = ConnectionSecurity(try await Vouched.security())
        try await TransportBench.run { peer in
            _ = try await peer.bytes(5)
        } _: { bench in
            let host = try await SecuredBench(bench: bench, security: security).load()
            #expect(host.failure?.kind == .secureConnectionFailed)
        }
    }

    @Test func `a handshake that stalls runs out of time`() async throws {
        let security = ConnectionSecurity(try await Vouched.security())
        try await TransportBench.run { peer in
            try await peer.wait()
        } _: { bench in
            let host = try await SecuredBench(bench: bench, security: security).load(
                RecordingHost(idleLimit: 300_000_000))
            #expect(host.failure?.kind == .timedOut)
            #expect(host.failure?.sentence.contains("handshake") == true)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `no time runs while the question is open`() async throws {
        try await SecuredBench.run { bench in
            let host = RecordingHost(idleLimit: 400_000_000)
            host.handshakeAnswer = { _, _ in
                _ = await bench.bench.loop.sleep(for: .milliseconds(1_200))
                return .trust
            }
            let told = try await bench.load(host)
            #expect(told.text == "page")
        }
    }

    @Test func `an exchange that is cancelled while the question is open says nothing more`() async throws {
        try await SecuredBench.run { bench in
            let host = try await bench.load(
                RecordingHost(answering: { _, host in
                    host.exchange?.cancel()
                    return nil
                }))
            #expect(host.events == [])
            #expect(bench.bench.pool.connections.isEmpty)
        }
    }

    @Test func `a protocol that nobody offered is not spoken`() async throws {
        try await SecuredBench.run({ $0.applicationProtocols = .forced("h2") }) { bench in
            let host = try await bench.load()
            #expect(host.failure?.kind == .secureConnectionFailed)
        }
    }
}
