import ProctorBase
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The ways in which a connection can end.
enum Ending: UInt8, CaseIterable, Sendable {
    case peerFIN, ourFIN, peerReset, ourReset, cancelled, timedOut, halfClosed, acceptedAndClosed
    case peerGoneMidWrite, cancelledMidWrite, timedOutMidWrite, peerLeftWhileIdle, refused
}

/// Makes connections by the thousand and ends each in its own way: servers on the first loop, clients on the second.
struct ConnectionMill: Sendable {
    let loops: [EventLoop]

    private var serverLoop: EventLoop { loops[0] }
    private var clientLoop: EventLoop { loops[1] }

    struct Surprise: Error {
        let ending: Ending
        let what: String
    }

    /// Connections ended, by their way; called on the first loop.
    func grind(workers: Int, each count: Int) async throws -> [Ending: Int] {
        let listener = try Listener(on: serverLoop, address: loopback)
        let hasty = try Listener(on: serverLoop, address: loopback)
        let closed = try ClosedPort(host: loopback)
        let addresses = [listener.address, hasty.address, closed.address]
        let accepting = Task(executorPreference: serverLoop) { try await accept(listener) }
        let closing = Task(executorPreference: serverLoop) {
            while let socket = await hasty.accept() { socket.close() }
            hasty.close()
        }
        let clients = Task(executorPreference: clientLoop) {
            try await withThrowingTaskGroup(of: [Ending: Int].self) { group in
                for worker in 0..<workers {
                    group.addTask { try await connect(count, from: worker, to: addresses) }
                }
                return try await group.reduce(into: [:]) { sum, one in sum.merge(one) { $0 + $1 } }
            }
        }
        let tally = try await clients.value
        listener.cancel()
        hasty.cancel()
        try await accepting.value
        await closing.value
        withExtendedLifetime(closed) {}
        return tally
    }

    /// Once libuv has had a turn to let go of what was closed last.
    func handleCounts() async throws -> [Int] {
        var counts: [Int] = []
        for loop in loops {
            counts.append(
                try await loop.run {
                    await loop.yieldToOthers()
                    return loop.handleCount
                })
        }
        return counts
    }

    // MARK: The server's side

    private func accept(_ listener: Listener) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            while let socket = await listener.accept() {
                group.addTask {
                    defer { socket.close() }
                    try await serve(socket)
                }
            }
            listener.close()
            try await group.waitForAll()
        }
    }

    /// The first byte of the client says how it shall end.
    private func serve(_ socket: Socket) async throws {
        guard let byte = try await socket.take(1).first, let ending = Ending(rawValue: byte) else { return }
        func require(_ holds: Bool, _ what: String) throws {
            if !holds { throw Surprise(ending: ending, what: what) }
        }
        switch ending {
        case .peerFIN: try require(try await socket.takeAll().isEmpty, "no FIN")
        case .ourFIN, .acceptedAndClosed, .refused: break
        case .peerReset: try require(try await socket.codeAtEnd() == ECONNRESET, "no reset")
        case .ourReset: socket.reset()
        case .cancelled:
            async let error = failure { () async throws(SocketError) in
                _ = try await socket.read(within: patience) { $0.count }
            }
            try await clientLoop.run { socket.cancel() }
            try require(await error == .cancelled, "not cancelled")
        case .timedOut:
            let error = await failure { () async throws(SocketError) in
                _ = try await socket.read(within: 1_000_000) { $0.count }
            }
            try require(error == .timedOut, "not timed out")
        case .halfClosed:
            socket.halfClose()
            try require(try await socket.takeAll() == [42], "nothing after our FIN")
        case .peerGoneMidWrite:
            let error = await flood(socket, within: patience)
            guard case .failed(let failure) = error, failure.code == ECONNRESET || failure.code == EPIPE else {
                throw Surprise(ending: ending, what: "ended as \(error)")
            }
        case .cancelledMidWrite:
            async let error = flood(socket, within: patience)
            try await clientLoop.run { socket.cancel() }
            try require(await error == .cancelled, "not cancelled")
            // A FIN would stand behind bytes that the client never takes.
            socket.reset()
        case .timedOutMidWrite:
            try require(await flood(socket, within: 1_000_000) == .timedOut, "not timed out")
            socket.reset()
        case .peerLeftWhileIdle: try await socket.waitUntilPeerLeaves(within: patience)
        }
    }

    private static let piece = [UInt8](repeating: 0x2E, count: 65_536)

    private func flood(_ socket: Socket, within limit: UInt64) async -> SocketError {
        setOption(SO_SNDBUF, at: SOL_SOCKET, of: socket.descriptor, to: 4096)
        while true {
            do throws(SocketError) {
                try await socket.write(Self.piece, within: limit)
            } catch {
                return error
            }
        }
    }

    // MARK: The client's side

    private func connect(_ count: Int, from worker: Int, to addresses: [SocketAddress]) async throws -> [Ending: Int] {
        var tally: [Ending: Int] = [:]
        let endings = Ending.allCases
        for turn in 0..<count {
            let ending = endings[(worker + turn) % endings.count]
            try await connect(ending, to: addresses)
            tally[ending, default: 0] += 1
        }
        return tally
    }

    private func connect(_ ending: Ending, to addresses: [SocketAddress]) async throws {
        let address =
            switch ending {
            case .acceptedAndClosed: addresses[1]
            case .refused: addresses[2]
            default: addresses[0]
            }
        let socket: Socket
        do throws(SocketError) {
            socket = try await Socket.connect(to: address, on: clientLoop, within: patience)
        } catch {
            guard ending == .refused, case .failed(let failure) = error, failure.code == ECONNREFUSED else {
                throw error
            }
            return
        }
        defer { socket.close() }
        if ending == .acceptedAndClosed {
            _ = try await socket.codeAtEnd()
            return
        }
        setOption(SO_RCVBUF, at: SOL_SOCKET, of: socket.descriptor, to: 4096)
        try await socket.write([ending.rawValue], within: patience)
        switch ending {
        case .peerFIN, .peerLeftWhileIdle: break
        case .peerReset: socket.reset()
        case .peerGoneMidWrite: _ = try await socket.take(1)
        case .halfClosed:
            guard try await socket.takeAll().isEmpty else { throw Surprise(ending: ending, what: "bytes") }
            try await socket.write([42], within: patience)
        case .ourReset:
            guard try await socket.codeAtEnd() == ECONNRESET else { throw Surprise(ending: ending, what: "no reset") }
        // Not reading is what makes the server's write wait.
        case .cancelledMidWrite, .timedOutMidWrite: try await socket.waitUntilPeerLeaves(within: patience)
        default: _ = try await socket.codeAtEnd()
        }
    }
}
