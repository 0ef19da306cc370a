import CUV
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Every wait of a test ends; in nanoseconds, as the loop's calls want it.
var patience: UInt64 { Patience.whole.wholeNanoseconds }

let loopback = SocketAddress.ipv4(host: "127.0.0.1", port: 0)

/// Runs a test's body as a task of a new loop, then waits until the loop's thread has ended.
///
/// A handle that the body left open would keep the thread alive, so each of these tests is a leak test too.
func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    try await onLoops(1) { try await body($0[0]) }
}

/// The same over several loops; `body` runs on the first.
func onLoops<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable ([EventLoop]) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: count)
    let loops = group.loops
    do {
        let result = try await loops[0].run { try await body(loops) }
        group.stop()
        await group.ended()
        return result
    } catch {
        // What the body left open is not closed any more, so the threads are not waited for.
        group.stop()
        throw error
    }
}

/// For the body of an exit test, where an error that is only thrown ends the process without a word.
///
/// What reaches the test from there is an issue's comment only, so the error stands in that; expectations in such a
/// body want a comment with their values for the same reason.
func recordingErrors(_ body: () async throws -> Void) async {
    do {
        try await body()
    } catch {
        Issue.record("\(error)")
    }
}

/// What the system says about this process.
enum ProcessFacts {
    static var openDescriptorCount: Int { OpenDescriptors.count(of: getpid()) }

    /// The same as soon as it is as wanted, or after a patient while: the dispatch library looks into a file of the
    /// system's now and then.
    static func openDescriptorCount(wanting wanted: Int) async throws -> Int {
        let end = MonotonicClock.nanoseconds + patience
        while openDescriptorCount != wanted, MonotonicClock.nanoseconds < end {
            try await Task.sleep(for: .milliseconds(1))
        }
        return openDescriptorCount
    }

    /// Bytes of memory that stand in RAM.
    static var residentByteCount: Int {
        var count = 0
        unsafe uv_resident_set_memory(&count)
        return count
    }
}

/// A path for one test; whatever stands there in the end is removed by it.
func temporaryPath(_ name: String) -> String {
    "/tmp/proctor-\(getpid())-\(UInt32.random(in: 0 ... .max))-\(name)"
}

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
