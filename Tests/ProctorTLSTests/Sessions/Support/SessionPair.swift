import Foundation
import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport
import Testing

/// Every wait of a test ends; in nanoseconds, as the loop's calls want it.
var patience: UInt64 { Patience.whole.wholeNanoseconds }

let loopback = SocketAddress.ipv4(host: "127.0.0.1", port: 0)

/// Runs a test's body as a task of a new loop, then waits until the loop's thread has ended.
func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop()
    do {
        let result = try await loop.run { try await body(loop) }
        loop.stop()
        await loop.ended()
        return result
    } catch {
        loop.stop()
        throw error
    }
}

/// Two ends of one connection over loopback.
struct SocketPair: Sendable {
    let server: Socket
    let client: Socket

    static func make(on loop: EventLoop) async throws -> SocketPair {
        let listener = try Listener(on: loop, address: loopback)
        defer { listener.close() }
        let client = try await Socket.connect(to: listener.address, on: loop, within: patience)
        return SocketPair(server: try #require(await listener.accept()), client: client)
    }

    func close() {
        server.close()
        client.close()
    }
}

/// How both sides' handshakes came out.
struct PairOutcome: Sendable {
    let sockets: SocketPair
    let server: TLSSession
    let client: TLSSession
    let serverFailure: HandshakeFailure?
    let clientFailure: HandshakeFailure?

    /// Both handshakes at once, over new sockets.
    static func play(
        on loop: EventLoop, server context: TLSServerContext, client: TLSClientContext, host: String? = "localhost",
    ) async throws -> PairOutcome {
        let sockets = try await SocketPair.make(on: loop)
        let ours = TLSSession(server: context, on: sockets.server, received: [])
        let theirs = TLSSession(client: client, on: sockets.client, host: host)
        let serving = Task(executorPreference: loop) { () -> HandshakeFailure? in
            do throws(HandshakeFailure) {
                try await ours.handshake(within: patience)
                sockets.server.layer = ours
                return nil
            } catch {
                // The alert that it came to has been sent.
                sockets.server.halfClose()
                return error
            }
        }
        var clientFailure: HandshakeFailure?
        do throws(HandshakeFailure) {
            try await theirs.handshake(within: patience)
            sockets.client.layer = theirs
        } catch {
            clientFailure = error
            sockets.client.halfClose()
        }
        return PairOutcome(
            sockets: sockets, server: ours, client: theirs, serverFailure: await serving.value,
            clientFailure: clientFailure)
    }

    /// Bytes there and back.
    func exchange(_ bytes: [UInt8] = Array("hello".utf8)) async throws {
        try await sockets.client.write(bytes, within: patience)
        let heard = try await sockets.server.take(bytes.count)
        #expect(heard == bytes)
        try await sockets.server.write(heard, within: patience)
        let echo = try await sockets.client.take(bytes.count)
        #expect(echo == bytes)
    }

    func close() {
        sockets.close()
    }
}

extension Socket {
    func take(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await read(within: patience, upTo: count - bytes.count) { $0.array }
            bytes += try #require(more, "the peer ended after \(bytes.count) of \(count) bytes")
        }
        return bytes
    }

    /// Everything up to the peer's end.
    func takeAll() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try await read(within: patience, { $0.array }) { bytes += more }
        return bytes
    }
}

/// Contexts of one version each, as most tests want them.
struct Contexts: Sendable {
    let server: TLSServerContext
    let client: TLSClientContext

    init(
        _ version: TLSVersion = .tls13, identity: ServerIdentity? = nil,
        server change: (inout TLSProgram) -> Void = { _ in },
        client changeClient: (inout TLSClientSetup) -> Void = { _ in }
    ) async throws {
        let authority = try await TestAuthority.shared
        var setup = TLSProgram(versions: version...version)
        change(&setup)
        server = try TLSServerContext(
            setup, identity: identity ?? authority.server, clientAuthority: authority.root)
        var clientSetup = TLSClientSetup(versions: version...version, anchors: [authority.root], securityLevel: 0)
        changeClient(&clientSetup)
        client = try TLSClientContext(clientSetup)
    }
}

/// A root with a few certificates, made by the command-line tool once in a process.
struct TestAuthority: Sendable {
    let folder: String
    let root: [UInt8]
    /// EC P-256, for localhost and 127.0.0.1.
    let server: ServerIdentity
    let expiredServer: ServerIdentity
    let alice: ClientIdentity

    /// PEM of the root.
    var rootPath: String { "\(folder)/root.pem" }

    static var shared: TestAuthority {
        get async throws { try await making.value }
    }

    private static let making = Task {
        let folder = "\(TemporaryFolder.path)/proctor-tls-tests-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = try await ChildProcess.run(["/bin/sh", "-e", "-c", Self.script], in: folder)
        try #require(script.status == 0, "\(script.err)")
        func read(_ name: String) throws -> [UInt8] {
            try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        }
        func server(_ name: String) throws -> ServerIdentity {
            try ServerIdentity(chain: [read("\(name).der")], key: read("\(name).key.der"), profile: name)
        }
        func client(_ name: String) throws -> ClientIdentity {
            try ClientIdentity(name: name, chain: [read("\(name).der")], key: read("\(name).key.der"))
        }
        return try TestAuthority(
            folder: folder, root: read("root.der"), server: server("server"),
            expiredServer: server("expired"), alice: client("alice"))
    }

    private static let script = """
        ec="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        openssl req -x509 $ec -keyout root.key -out root.pem -days 2 -subj /CN=test-root \
            -addext basicConstraints=critical,CA:true -addext keyUsage=critical,keyCertSign,cRLSign
        leaf() {
            name=$1; key=$2; usage=$3; days=$4
            openssl req $key -nodes -keyout $name.key -out $name.csr -subj /CN=$name
            printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\nextendedKeyUsage=%s\\n' $usage > $name.ext
            openssl x509 -req -in $name.csr -CA root.pem -CAkey root.key -CAcreateserial -out $name.pem \
                -days $days -extfile $name.ext
        }
        leaf server "$ec" serverAuth 2
        leaf expired "$ec" serverAuth -1
        leaf alice "$ec" clientAuth 2
        for name in root server expired alice; do
            openssl x509 -in $name.pem -outform DER -out $name.der
            openssl pkcs8 -topk8 -nocrypt -in $name.key -outform DER -out $name.key.der
        done
        """
}
