import ProctorBase
import ProctorLoop
import Testing

/// A server without any idea of HTTP: a script reads and writes bytes on each connection.
final class RawServer: @unchecked Sendable {
    typealias Script = @Sendable (Peer) async throws -> Void

    private let listener: Listener
    private let script: Script
    private var peers: [Peer] = []
    private var isStopped = false

    init(
        on loop: EventLoop, at address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0), script: @escaping Script
    ) throws {
        listener = try Listener(on: loop, address: address)
        self.script = script
    }

    var address: SocketAddress { listener.address }
    var connectionCount: Int { peers.count }

    func serve() async {
        await withDiscardingTaskGroup { group in
            while let socket = await listener.accept() {
                let peer = Peer(socket: socket, number: peers.count + 1)
                peers.append(peer)
                group.addTask { await self.play(on: peer) }
            }
            listener.close()
        }
    }

    private func play(on peer: Peer) async {
        do {
            try await script(peer)
        } catch {
            // The pool closes what still stands at the end of a test, in whatever a script does then.
            if !isStopped { Issue.record("the server's script on connection \(peer.number): \(error)") }
        }
        peer.socket.close()
    }

    /// Takes no more connections.
    ///
    /// The pool has closed its ends, so each script that reads comes to the end of its connection by itself.
    func stop() {
        isStopped = true
        listener.cancel()
    }

    /// Ends what scripts still wait for after ``stop()``.
    func cut(after patience: Duration, on loop: EventLoop) async {
        guard await loop.sleep(for: patience) else { return }
        Issue.record("a script of the server was not at its end \(patience) after the client had closed")
        for peer in peers { peer.socket.cancel() }
    }
}

final class Peer: @unchecked Sendable {
    let socket: Socket
    /// From 1, in the order in which they came.
    let number: Int
    private var unread: [UInt8] = []

    struct Ended: Error {
        let unread: [UInt8]
    }

    init(socket: Socket, number: Int) {
        self.socket = socket
        self.number = number
    }

    /// The next head, with the empty line.
    func head() async throws -> String {
        String(decoding: try await bytes { $0.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound }, as: UTF8.self)
    }

    /// Nil when the client has closed before it.
    func headOrEnd() async throws -> String? {
        do {
            return try await head()
        } catch let end as Ended where end.unread.isEmpty {
            return nil
        }
    }

    func bytes(_ count: Int) async throws -> [UInt8] {
        try await bytes { $0.count >= count ? count : nil }
    }

    /// Everything up to the client's end; true if it was a FIN and no reset.
    func untilEnd() async throws -> (bytes: [UInt8], isInOrder: Bool) {
        do throws(SocketError) {
            while let more = try await socket.read(within: patience, { $0.array }) { unread += more }
            return (unread, true)
        } catch {
            guard case .failed = error else { throw error }
            return (unread, false)
        }
    }

    func send(_ text: String) async throws {
        try await socket.write(Array(text.utf8), within: patience)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await socket.write(bytes, within: patience)
    }

    /// How much the system takes while the client does not read; ends when a write would wait for long.
    func flood(_ piece: [UInt8]) async throws -> Int {
        var sum = 0
        do throws(SocketError) {
            while true { sum += try await socket.writeSome(piece, from: 0, within: 400_000_000) }
        } catch {
            guard error == .timedOut else { throw error }
            return sum
        }
    }

    /// Reads until nothing more comes for a while; how much it was.
    func untilSilence() async throws -> Int {
        var sum = 0
        do throws(SocketError) {
            while let count = try await socket.read(within: 400_000_000, { $0.count }) { sum += count }
        } catch {
            guard error == .timedOut else { throw error }
        }
        return sum
    }

    private func bytes(until end: ([UInt8]) -> Int?) async throws -> [UInt8] {
        while true {
            if let end = end(unread) {
                defer { unread.removeFirst(end) }
                return Array(unread[..<end])
            }
            guard let more = try await socket.read(within: patience, { $0.array }) else { throw Ended(unread: unread) }
            unread += more
        }
    }
}
