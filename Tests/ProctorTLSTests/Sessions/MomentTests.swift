import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import Testing

/// Notes what the peer could have read of the wire at each moment, and does something at one of them.
private final class Recorder: HandshakeScript, @unchecked Sendable {
    private(set) var moments: [HandshakePosition] = []
    private let place: HandshakePosition?
    private let act: (TLSSession) async throws(HandshakeFailure) -> Void

    init(
        at place: HandshakePosition? = nil,
        _ act: @escaping (TLSSession) async throws(HandshakeFailure) -> Void = { _ throws(HandshakeFailure) in }
    ) {
        self.place = place
        self.act = act
    }

    func reach(_ moment: HandshakePosition, of session: TLSSession) async throws(HandshakeFailure) {
        moments.append(moment)
        if moment == place { try await act(session) }
    }
}

/// Records on the wire: their types, and the types of handshake messages where they can be read.
private func records(_ bytes: [UInt8]) -> [String] {
    var place = 0
    var names: [String] = []
    while place + 5 <= bytes.count {
        let length = Int(bytes[place + 3]) << 8 + Int(bytes[place + 4])
        let isWhole = place + 5 + length <= bytes.count
        names.append("\(bytes[place])" + (bytes[place] == 22 && isWhole ? ":\(bytes[place + 5])" : ""))
        if !isWhole { names.append("cut") }
        place += 5 + length
    }
    return names
}

@Suite struct MomentTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    @Test(arguments: TLSVersion.allCases)
    func `every moment of a full handshake is reached once, in order`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let script = Recorder()
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, script: script)
            try await pair.exchange()
            #expect(script.moments == [.serverHello, .afterServerHello, .certificate, .finished, .end])
            let again = Recorder()
            let resumed = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, resuming: pair.client.ticket, script: again)
            pair.close()
            defer { resumed.close() }
            try await resumed.exchange()
            #expect(resumed.server.report.isResumed)
            #expect(again.moments == [.serverHello, .afterServerHello, .finished, .end])
        }
    }

    /// What was on the wire when a server ended its handshake at a moment.
    private func wire(_ version: TLSVersion, upTo moment: HandshakePosition, groups: String? = nil) async throws
        -> [String]
    {
        let contexts = try await Contexts(version, server: { $0.groups = groups })
        return try await onLoop { loop in
            let sockets = try await SocketPair.make(on: loop)
            defer { sockets.close() }
            let script = Recorder(at: moment) { _ throws(HandshakeFailure) in throw .ended }
            // Another pair's client gives a hello that fits.
            let hello = try await Self.hello(contexts.client, on: loop)
            let session = TLSSession(server: contexts.server, on: sockets.server, received: hello)
            await #expect(throws: HandshakeFailure.ended) {
                try await session.handshake(within: patience, script: script)
            }
            sockets.server.close()
            return records(try await sockets.client.takeAll())
        }
    }

    /// The first flight of a client.
    private static func hello(_ context: TLSClientContext, on loop: EventLoop) async throws -> [UInt8] {
        let sockets = try await SocketPair.make(on: loop)
        defer { sockets.close() }
        let session = TLSSession(client: context, on: sockets.client, host: "localhost")
        let task = Task(executorPreference: loop) { try? await session.handshake(within: patience) }
        let bytes = try #require(try await sockets.server.read(within: patience) { $0.array })
        sockets.server.close()
        await task.value
        return bytes
    }

    @Test func `what is on the wire at each moment of TLS 1_3`() async throws {
        #expect(try await wire(.tls13, upTo: .serverHello) == [])
        // ServerHello and ChangeCipherSpec.
        #expect(try await wire(.tls13, upTo: .afterServerHello) == ["22:2", "20"])
        // EncryptedExtensions.
        #expect(try await wire(.tls13, upTo: .certificate) == ["22:2", "20", "23"])
        // Certificate and CertificateVerify.
        #expect(try await wire(.tls13, upTo: .finished) == ["22:2", "20", "23", "23", "23"])
    }

    @Test func `what is on the wire at each moment of TLS 1_2`() async throws {
        #expect(try await wire(.tls12, upTo: .serverHello) == [])
        #expect(try await wire(.tls12, upTo: .afterServerHello) == ["22:2"])
        #expect(try await wire(.tls12, upTo: .certificate) == ["22:2"])
    }

    @Test func `a HelloRetryRequest is not yet a ServerHello`() async throws {
        let contexts = try await Contexts(server: { $0.groups = "P-521" })
        try await onLoop { loop in
            let script = Recorder()
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, script: script)
            defer { pair.close() }
            try await pair.exchange()
            #expect(script.moments == [.serverHello, .afterServerHello, .certificate, .finished, .end])
            #expect(pair.client.report.groupName == "secp521r1")
        }
    }

    @Test(arguments: versions, HandshakePosition.allCases)
    func `a handshake can be ended at every moment`(_ version: TLSVersion, _ moment: HandshakePosition) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let script = Recorder(at: moment) { session throws(HandshakeFailure) in
                session.socket.close()
                throw .ended
            }
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, script: script)
            defer { pair.close() }
            #expect(pair.serverFailure == .ended)
            #expect(script.moments.last == moment)
            // After the server's last flight the client may already be complete.
            let mayBeThrough = moment == .end
            if !mayBeThrough { #expect(pair.clientFailure == .peerLeft) }
            // An unread ClientHello turns the close into a reset.
            #expect(pair.client.report.wasTruncated || mayBeThrough || moment == .serverHello)
        }
    }

    @Test(arguments: versions, [HandshakePosition.serverHello, .afterServerHello, .certificate, .finished])
    func `the next record can be cut in half or spoilt`(_ version: TLSVersion, _ moment: HandshakePosition) async throws
    {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let cut = Recorder(at: moment) { session throws(HandshakeFailure) in session.spoil(.truncated) }
            let first = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, script: cut)
            first.close()
            #expect(first.serverFailure == .ended)
            #expect(first.clientFailure == .peerLeft)
            let spoilt = Recorder(at: moment) { session throws(HandshakeFailure) in session.spoil(.badMAC) }
            let second = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, script: spoilt)
            second.close()
            let isEncrypted = version == .tls13 || moment == .finished
            #expect(second.clientFailure != nil)
            if isEncrypted { #expect(second.client.report.alerts.map(\.name) == ["bad_record_mac"]) }
        }
    }
}
