import Dispatch
import FuzzSupport
import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire

/// A server of TLS at a port of loopback that asks clients for certificates.
final class World: Sendable {
    static let only = World()

    let authority: Authority
    let identity: ServerIdentity
    /// A client that the server knows.
    let client: ClientIdentity
    private let context: TLSServerContext
    private let loop: EventLoop
    private let listener: Listener

    private init() {
        do {
            authority = try Authority.open(
                .ephemeral(seed: 1), catalog: CertificateCatalog.load(folders: ["certs"]).catalog)
            identity = try authority.identity("valid", names: .loopback)
            client = try authority.client("alice")
            var setup = TLSProgram()
            setup.clientCertificate = .request
            context = try TLSServerContext(setup, identity: identity, clientAuthority: authority.certificateDER)
            let group = try EventLoopGroup(count: 1)
            let loop = group.loops[0]
            let made = Locked<Listener?>(nil)
            let isBound = DispatchSemaphore(value: 0)
            loop.submit {
                let listener = try? Listener(on: loop, address: .ipv4(host: "127.0.0.1", port: 0))
                made.withLock { $0 = listener }
                isBound.signal()
            }
            isBound.wait()
            guard let listener = made.withLock({ $0 }) else { finding("no port") }
            (self.loop, self.listener) = (loop, listener)
        } catch {
            finding("\(error)")
        }
    }

    func readCertificate(_ bytes: [UInt8]) {
        let facts = authority.facts(of: bytes)
        check(facts == authority.facts(of: bytes), "two readings differ")
        check(facts.name == nil || !facts.subject.isEmpty, "a name without a certificate")
    }

    /// As an origin of a fixture does that names its certificate and its key.
    func useFiles(_ certificates: [UInt8], _ key: [UInt8]) {
        guard let given = try? ServerIdentity(certificates: certificates, key: key, profile: "given") else { return }
        _ = try? TLSServerContext(TLSProgram(), identity: given)
    }

    /// A client sends the records and then ends its half; called by libFuzzer's thread.
    func shakeHands(_ records: [[UInt8]]) {
        let isOver = DispatchSemaphore(value: 0)
        Task(executorPreference: loop) {
            await self.serve(records.flatMap(\.self))
            isOver.signal()
        }
        isOver.wait()
    }

    private func serve(_ bytes: [UInt8]) async {
        // The guard that stands before OpenSSL.
        var reader = ClientHelloReader()
        guard case .complete = reader.read(bytes.span) else { return }
        guard let theirs = try? await Socket.connect(to: listener.address, on: loop, within: 10_000_000_000),
            let ours = await listener.accept()
        else { finding("no connection") }
        theirs.halfClose()
        let session = TLSSession(server: context, on: ours, received: reader.received)
        do throws(HandshakeFailure) {
            try await session.handshake(within: 10_000_000_000)
            finding("a handshake without a key")
        } catch {
            check(error != .timedOut, "the handshake goes on")
        }
        for certificate in session.report.peerChain { readCertificate(certificate) }
        ours.close()
        // Without a port that waits for what is left of the connection.
        theirs.reset()
    }
}
