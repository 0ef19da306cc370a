import Foundation
import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTLS
import Testing

@testable import ProctorReference
@testable import ProctorTLSWire

/// An authority for all tests of this target, and what its servers show.
enum Vouched {
    static let authority = Task.detached { () -> Authority in
        let folder = URL(filePath: #filePath).appending(path: "../../../../certs").standardized.path
        return try Authority.open(.ephemeral(seed: nil), catalog: CertificateCatalog.load(folders: [folder]).catalog)
    }

    /// For 127.0.0.1 and localhost.
    static func server(_ profile: String = "valid", hosts: [String] = ["localhost"]) async throws -> ServerIdentity {
        let authority = try await authority.value
        return try await Task.detached {
            try authority.identity(
                profile, names: CertificateNames(hosts: hosts, addresses: ["127.0.0.1"]), revocation: nil)
        }.value
    }

    static func client(_ name: String) async throws -> LoadIdentity {
        let authority = try await authority.value
        let identity = try await Task.detached { try authority.client(name) }.value
        return LoadIdentity(chain: identity.chain, key: identity.key)
    }

    static func security() async throws -> ReferenceSecurity {
        var security = ReferenceSecurity()
        security.anchors = [try await authority.value.certificateDER]
        return security
    }
}

/// A pool, and a server that speaks TLS, on one loop.
struct SecuredBench: Sendable {
    let bench: TransportBench
    let security: ConnectionSecurity

    /// `script` plays on each connection whose handshake is complete; the others close.
    static func run(
        profile: String = "valid", _ change: @escaping @Sendable (inout TLSProgram) -> Void = { _ in },
        client: @escaping @Sendable (inout ReferenceSecurity) -> Void = { _ in },
        script: @escaping RawServer.Script = { peer in while try await peer.answer() {} },
        _ body: @escaping @Sendable (SecuredBench) async throws -> Void
    ) async throws {
        var setup = TLSProgram()
        change(&setup)
        let context = try TLSServerContext(
            setup, identity: try await Vouched.server(profile),
            clientAuthority: try await Vouched.authority.value.certificateDER)
        var settings = try await Vouched.security()
        client(&settings)
        let security = ConnectionSecurity(settings)
        try await TransportBench.run { peer in
            let session = TLSSession(server: context, on: peer.socket, received: [])
            do throws(HandshakeFailure) {
                try await session.handshake(within: patience)
            } catch {
                return peer.socket.halfClose()
            }
            peer.socket.layer = session
            try await script(peer)
        } _: { bench in
            try await body(SecuredBench(bench: bench, security: security))
        }
    }

    func load(_ host: RecordingHost = RecordingHost(), by other: ConnectionSecurity? = nil) async throws
        -> RecordingHost
    {
        let url = try ClientURL("https://\(bench.server.address)/page")
        let transfer = Transfer(
            request: ClientRequest(url: url), security: other ?? security, pool: bench.pool, host: host,
            onNewConnection: false)
        host.transfer = transfer
        await transfer.run()
        return host
    }
}

extension RecordingHost {
    convenience init(answering answer: @escaping @Sendable (LoadChallenge, RecordingHost) async -> HandshakeAnswer?) {
        self.init()
        handshakeAnswer = answer
    }

    var kinds: [String] { challenges.map(\.space.kind) }
}

extension Peer {
    /// Answers one request with `page`; false when the client has left.
    func answer(_ fields: String = "") async throws -> Bool {
        do {
            _ = try await head()
        } catch is Ended {
            return false
        } catch let error as SocketError where error != .cancelled && error != .timedOut {
            return false
        }
        try await send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\(fields)\r\npage")
        return true
    }
}
