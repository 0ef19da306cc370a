import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTLS

@testable import ProctorReference
@testable import ProctorTLSWire

/// A proxy that makes tunnels to servers of its own, and a pool, on one loop.
struct TunnelBench: Sendable {
    let bench: TransportBench
    let security: ConnectionSecurity
    /// Heads that the proxy read, and those that came through its tunnels behind `in the tunnel: `.
    let heads: Locked<[String]>
    let serverNames: Locked<[String?]>

    var proxy: Origin { Origin(scheme: .http, host: "127.0.0.1", port: Int(bench.server.address.port ?? 0)) }

    /// What the proxy answers a head with; the connection closes behind it where it is no 2xx to a CONNECT, unless it
    /// `keeps` it.
    struct Answer: Sendable {
        var text = "HTTP/1.1 200 Connection established\r\n\r\n"
        var keeps = false
        /// Leaves where others begin a tunnel.
        var leaves = false
    }

    typealias Script = @Sendable (_ head: String, _ peer: Peer) async throws -> Answer

    /// `inside` plays on each tunnel whose handshake is complete.
    static func run(
        _ script: @escaping Script = { _, _ in Answer() },
        inside: @escaping RawServer.Script = { peer in while try await peer.answer() {} },
        hosts: [String] = ["home.example.org", "sibling.example.org"],
        _ body: @escaping @Sendable (TunnelBench) async throws -> Void
    ) async throws {
        let context = try TLSServerContext(
            TLSProgram(), identity: try await Vouched.server(hosts: hosts),
            clientAuthority: try await Vouched.authority.value.certificateDER)
        let security = ConnectionSecurity(try await Vouched.security())
        let heads = Locked<[String]>([])
        let names = Locked<[String?]>([])
        try await TransportBench.run { peer in
            while let head = try await peer.headOrEnd() {
                heads.withLock { $0.append(head) }
                let answer = try await script(head, peer)
                try await peer.send(answer.text)
                if answer.leaves { return peer.socket.halfClose() }
                if answer.text.hasPrefix("HTTP/1.1 2"), head.hasPrefix("CONNECT ") {
                    return try await playTunnel(on: peer, context, names, inside)
                }
                if !answer.keeps { return peer.socket.halfClose() }
            }
        } _: { bench in
            try await body(TunnelBench(bench: bench, security: security, heads: heads, serverNames: names))
        }
    }

    private static func playTunnel(
        on peer: Peer, _ context: TLSServerContext, _ names: Locked<[String?]>, _ inside: RawServer.Script
    ) async throws {
        let session = TLSSession(server: context, on: peer.socket, received: [])
        do throws(HandshakeFailure) {
            try await session.handshake(within: patience)
        } catch {
            return peer.socket.halfClose()
        }
        peer.socket.layer = session
        let name = session.report.serverName
        names.withLock { $0.append(name) }
        try await inside(peer)
    }

    func load(
        _ url: String = "https://home.example.org/page", method: String = "GET", fields: [HTTPField] = [],
        body: RequestBody = .none, for host: RecordingHost = RecordingHost(), fault: TransportFault? = nil
    ) async throws -> RecordingHost {
        let request = ClientRequest(method: method, url: try ClientURL(url), fields: fields, body: body)
        let transfer = Transfer(
            request: request, proxy: proxy, security: security, fault: fault, pool: bench.pool, host: host,
            onNewConnection: false)
        host.transfer = transfer
        await transfer.run()
        return host
    }

    /// Of a session that trusts these servers and has this proxy.
    func configuration() async throws -> ReferenceConfiguration {
        var configuration = ReferenceConfiguration()
        configuration.security = try await Vouched.security()
        configuration.proxy = proxy
        configuration.defaultFields = []
        return configuration
    }

    var lines: [String] { heads.withLock { $0.map { String($0.prefix { $0 != "\r\n" && $0 != "\r" }) } } }
}
