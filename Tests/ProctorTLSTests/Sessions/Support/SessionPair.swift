import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTestSupport
import Testing

/// Every wait of a test ends; in nanoseconds, as the loop's calls want it.
let patience = Patience.whole.wholeNanoseconds

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
        resuming ticket: TLSTicket? = nil, script: (any HandshakeScript & Sendable)? = nil,
        questions: (any TLSClientQuestions & Sendable)? = nil
    ) async throws -> PairOutcome {
        let sockets = try await SocketPair.make(on: loop)
        let ours = TLSSession(server: context, on: sockets.server, received: [])
        let theirs = TLSSession(client: client, on: sockets.client, host: host, resuming: ticket)
        let serving = Task(executorPreference: loop) { () -> HandshakeFailure? in
            do throws(HandshakeFailure) {
                try await ours.handshake(within: patience, script: script)
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
            try await theirs.handshake(within: patience, questions: questions)
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
    /// Exactly `count` bytes.
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
