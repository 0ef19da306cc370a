import ProctorBase
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Two ends of one connection over loopback.
struct Pair: Sendable {
    /// The accepted end.
    let ours: Socket
    /// The end that connected.
    let peer: Socket

    /// Both ends on one loop unless the peer gets another; call it on `loop`.
    static func make(
        on loop: EventLoop, peerOn other: EventLoop? = nil, address: SocketAddress = loopback
    ) async throws -> Pair {
        let listener = try Listener(on: loop, address: address)
        defer { listener.close() }
        let target = listener.address
        let peer: Socket
        if let other {
            peer = try await other.run { try await Socket.connect(to: target, on: other, within: patience) }
        } else {
            peer = try await Socket.connect(to: target, on: loop, within: patience)
        }
        return Pair(ours: try #require(await listener.accept()), peer: peer)
    }

    /// With buffers so small that writing soon has to wait.
    static func narrow(on loop: EventLoop, peerOn other: EventLoop? = nil) async throws -> Pair {
        let pair = try await make(on: loop, peerOn: other)
        for socket in [pair.ours, pair.peer] {
            setOption(SO_SNDBUF, at: SOL_SOCKET, of: socket.descriptor, to: 8192)
            setOption(SO_RCVBUF, at: SOL_SOCKET, of: socket.descriptor, to: 8192)
        }
        return pair
    }

    func close() {
        ours.close()
        peer.close()
    }
}

extension Socket {
    /// Exactly `count` bytes.
    func take(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await read(within: patience, upTo: count - bytes.count) { $0.copied }
            bytes += try #require(more, "the peer ended after \(bytes.count) of \(count) bytes")
        }
        return bytes
    }

    /// Everything up to the peer's FIN.
    func takeAll() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try await read(within: patience, { $0.copied }) { bytes += more }
        return bytes
    }

    /// How many bytes the system takes while the peer does not read; ends when a write would wait for long.
    func fill() async throws -> Int {
        let piece = [UInt8](repeating: 0x78, count: 65_536)
        var sum = 0
        do throws(SocketError) {
            while true { sum += try await writeSome(piece, from: 0, within: 400_000_000) }
        } catch {
            guard error == .timedOut else { throw error }
            return sum
        }
    }

    /// The code that reading ends with; nil when it ends with FIN.
    func codeAtEnd() async throws -> Int32? {
        do throws(SocketError) {
            while try await read(within: patience, { $0.count }) != nil {}
            return nil
        } catch {
            guard case .failed(let failure) = error else { throw error }
            return failure.code
        }
    }
}

extension Span<UInt8> {
    var copied: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in indices { bytes.append(self[index]) }
        return bytes
    }
}

/// Bytes in which every shift shows.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
