import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport

/// Does at a position of the handshake what the words say.
final class Script: HandshakeScript, @unchecked Sendable {
    private let words: HandshakeWords
    private(set) var positions: [HandshakePosition] = []

    init(_ words: HandshakeWords) { self.words = words }

    func reach(_ position: HandshakePosition, of session: TLSSession) async throws(HandshakeFailure) {
        positions.append(position)
        guard words.value("at") == position.rawValue else { return }
        if words.has("truncated") { session.spoil(.truncated) }
        if words.has("bad-mac") { session.spoil(.badMAC) }
        if let alert = words.value("alert").flatMap({ UInt8($0) }) { _ = session.send(alert: alert) }
        if words.has("close") { session.socket.close() }
        if words.has("close") || words.has("end") { throw .ended }
    }
}

/// Answers questions by the words, and keeps what was asked.
final class Answers: TLSClientQuestions, @unchecked Sendable {
    private let words: HandshakeWords
    private(set) var lines: [String] = []

    init(_ words: HandshakeWords) { self.words = words }

    func trust(_ verdict: TLSTrust) async -> Bool {
        lines.append("asked about \(verdict.verdict)")
        await Task.yield()
        return words.has("trusts")
    }

    func identity(authorities: [[UInt8]]) async -> ClientIdentity? {
        let root = (try? TestAuthority.shared.certificateDER) ?? []
        // The subject of the root stands in the root as it does in the list.
        let isOurs = authorities.first.map { name in root.firstRange(of: name) != nil }
        lines.append("asked for an identity of \(authorities.count)\(isOurs == true ? ", ours" : "")")
        await Task.yield()
        return words.value("identity").flatMap { try? TestAuthority.shared.client($0) }
    }
}

/// Two ends of one connection over loopback.
struct Sockets: Sendable {
    let server: Socket
    let client: Socket

    static func make(on loop: EventLoop) async throws -> Sockets {
        let listener = try Listener(on: loop, address: .ipv4(host: "127.0.0.1", port: 0))
        defer { listener.close() }
        let client = try await Socket.connect(
            to: listener.address, on: loop, within: Patience.whole.wholeNanoseconds)
        guard let server = await listener.accept() else { throw TextError("no connection came") }
        return Sockets(server: server, client: client)
    }

    func close() {
        server.close()
        client.close()
    }
}

extension Socket {
    func take(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await read(within: Patience.whole.wholeNanoseconds, upTo: count - bytes.count) { $0.array }
            guard let more else { throw TextError("an end after \(bytes.count) bytes") }
            bytes += more
        }
        return bytes
    }

    /// Everything up to the peer's end.
    func takeAll() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try await read(within: Patience.whole.wholeNanoseconds, { $0.array }) { bytes += more }
        return bytes
    }
}
