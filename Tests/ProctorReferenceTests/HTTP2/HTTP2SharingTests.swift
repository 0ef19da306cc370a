import ProctorBase
import ProctorDialling
import ProctorHTTP
import ProctorHTTP2
import ProctorLoop
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorReference
@testable import ProctorTLSWire

/// Connections over TLS that the server chose HTTP/2 for, and whose requests may be for several hosts (RFC 9113 §9.1.1).
@Suite(.limit(minutes: 2))
struct HTTP2SharingTests {
    /// A server of TLS that offers protocols, with a certificate for `hosts`, and a client that knows two names of it.
    private static func run(
        _ protocols: [String] = ["h2", "http/1.1"], hosts: [String] = ["home.example.org", "sibling.example.org"],
        _ script: @escaping @Sendable (FramePeer) async throws -> Void = { try await $0.answerAll() },
        _ body: @escaping @Sendable (Bench) async throws -> Void
    ) async throws {
        var setup = TLSProgram()
        setup.applicationProtocols = .select(protocols)
        let context = try TLSServerContext(
            setup, identity: try await Vouched.server(hosts: hosts),
            clientAuthority: try await Vouched.authority.value.certificateDER)
        let security = ConnectionSecurity(try await Vouched.security())
        try await TransportBench.run { peer in
            let session = TLSSession(server: context, on: peer.socket, received: [])
            do throws(HandshakeFailure) {
                try await session.handshake(within: patience)
            } catch {
                return peer.socket.halfClose()
            }
            peer.socket.layer = session
            guard session.report.applicationProtocol == Array("h2".utf8) else {
                while try await peer.answer() {}
                return
            }
            let frames = try FramePeer(peer)
            try await frames.greet()
            try await script(frames)
        } _: { bench in
            try await body(Bench(bench: bench, security: security))
        }
    }

    private struct Bench: Sendable {
        let bench: TransportBench
        let security: ConnectionSecurity

        func load(
            _ url: String = "https://home.example.org/", speaksHTTP2: Bool = true, fault: StreamFault? = nil,
            for host: RecordingHost = RecordingHost()
        ) async throws -> RecordingHost {
            var names = HostTable()
            for name in ["home", "sibling"] {
                try names.set("\(bench.server.address)", for: "\(name).example.org", port: 443)
            }
            let transfer = Transfer(
                request: ClientRequest(url: try ClientURL(url)), names: names, security: security,
                speaksHTTP2: speaksHTTP2, fault: fault.map { .http2($0) }, pool: bench.pool, host: host,
                onNewConnection: false)
            host.transfer = transfer
            await transfer.run()
            return host
        }
    }

    @Test func `the server chooses by ALPN`() async throws {
        for (protocols, speaksHTTP2, version) in [
            (["h2", "http/1.1"], true, HTTPVersion.http2), (["http/1.1"], true, .http11),
            (["h2", "http/1.1"], false, .http11),
        ] {
            try await Self.run(protocols) { bench in
                let host = try await bench.load(speaksHTTP2: speaksHTTP2)
                #expect(host.summary == ["200", "content", "ended"], "\(protocols)")
                #expect(host.heads.first?.version == version, "\(protocols)")
            }
        }
    }

    @Test func `requests at once wait for one connection, and have their own where it speaks HTTP 1`() async throws {
        for (protocols, count) in [(["h2"], 1), (["http/1.1"], 3)] {
            try await Self.run(protocols) { bench in
                async let first = bench.load()
                async let second = bench.load()
                async let third = bench.load()
                for host in try await [first, second, third] {
                    #expect(host.summary == ["200", "content", "ended"])
                }
                #expect(bench.bench.server.connectionCount <= count)
            }
        }
    }

    @Test func `another host of the certificate shares the connection`() async throws {
        try await Self.run { bench in
            #expect(try await bench.load().transfer?.connectionNumber == 1)
            let other = try await bench.load("https://sibling.example.org/")
            #expect(other.summary == ["200", "content", "ended"])
            #expect(other.transfer?.connectionNumber == 1)
            #expect(other.challenges.isEmpty)
        }
    }

    @Test func `a host that the certificate is not for does not`() async throws {
        try await Self.run(hosts: ["home.example.org"]) { bench in
            #expect(try await bench.load().transfer?.connectionNumber == 1)
            let other = try await bench.load("https://sibling.example.org/")
            #expect(other.failure?.kind == .serverCertificateUntrusted)
            let careless = try await bench.load("https://sibling.example.org/", fault: .sharesWithEveryName)
            #expect(careless.transfer?.connectionNumber == 1)
        }
    }

    @Test func `trust that was given by an answer holds for its origin alone`() async throws {
        try await Self.run(hosts: ["other.example.org"]) { bench in
            let trusting = { @Sendable in
                RecordingHost { challenge, _ in challenge.trust == nil ? .identifyByDefault : .trust }
            }
            _ = try await bench.load(for: trusting())
            let other = try await bench.load("https://sibling.example.org/", for: trusting())
            #expect(other.transfer?.connectionNumber == 2)
            #expect(other.kinds == ["serverTrust"])
        }
    }

    @Test func `after a 421 the host has a connection of its own`() async throws {
        try await Self.run { peer in
            while let request = try await peer.requestOrEnd() {
                let isForeign = request[":authority"] == "sibling.example.org" && peer.peer.number == 1
                try await peer.reply(on: request.stream, isForeign ? 421 : 200)
            }
        } _: { bench in
            _ = try await bench.load()
            let misdirected = try await bench.load("https://sibling.example.org/")
            #expect(misdirected.summary.first == "421")
            let again = try await bench.load("https://sibling.example.org/")
            #expect(again.summary == ["200", "content", "ended"])
            #expect(again.transfer?.connectionNumber == 2)
            #expect(try await bench.load().transfer?.connectionNumber == 1)
        }
    }

    @Test func `a tunnel carries HTTP 2 where the origin chooses it`() async throws {
        var setup = TLSProgram()
        setup.applicationProtocols = .select(["h2"])
        let context = try TLSServerContext(
            setup, identity: try await Vouched.server(hosts: ["home.example.org"]),
            clientAuthority: try await Vouched.authority.value.certificateDER)
        let security = ConnectionSecurity(try await Vouched.security())
        try await TransportBench.run { peer in
            #expect(try await peer.head().hasPrefix("CONNECT home.example.org:443 "))
            try await peer.send("HTTP/1.1 200 OK\r\n\r\n")
            let session = TLSSession(server: context, on: peer.socket, received: [])
            try await session.handshake(within: patience)
            peer.socket.layer = session
            let frames = try FramePeer(peer)
            try await frames.greet()
            try await frames.answerAll()
        } _: { bench in
            let proxy = Origin(scheme: .http, host: "127.0.0.1", port: Int(bench.server.address.port ?? 0))
            for _ in 0..<2 {
                let host = RecordingHost()
                let transfer = Transfer(
                    request: ClientRequest(url: try ClientURL("https://home.example.org/")), proxy: proxy,
                    security: security, speaksHTTP2: true, pool: bench.pool, host: host, onNewConnection: false)
                host.transfer = transfer
                await transfer.run()
                #expect(host.summary.suffix(3) == ["200", "content", "ended"], "\(host.summary)")
                #expect(host.heads.first?.version == .http2)
                #expect(host.transfer?.connectionNumber == 1)
            }
        }
    }
}
