import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

/// Connections whose two ends one process holds.
@Suite(.limit(minutes: 5))
struct SocketPairTests {
    private static let bufferByteCount = 16 << 10

    private func withPair<Result: Sendable>(
        _ body: @escaping @Sendable (_ near: Socket, _ far: Socket) async throws -> Result
    ) async throws -> Result {
        try await onLoop { loop in
            let pair = try await Socket.pair(on: loop, bufferByteCount: Self.bufferByteCount)
            defer {
                pair.near.close()
                pair.far.close()
            }
            return try await body(pair.near, pair.far)
        }
    }

    @Test func `bytes go both ways, and FIN of each end comes behind them`() async throws {
        let (there, back) = try await withPair { near, far in
            let sent = pattern(200_000)
            async let there = far.takeAll()
            try await near.write(sent, within: patience)
            near.halfClose()
            let came = try await there == sent
            try await far.write(Array("back".utf8), within: patience)
            far.halfClose()
            return (came, try await near.takeAll())
        }
        #expect(there && back == Array("back".utf8))
    }

    @Test func `RST of one end is an error at the other`() async throws {
        let failure = try await withPair { near, far in
            near.reset()
            do throws(SocketError) {
                _ = try await far.read(within: patience) { $0.count }
                return SocketError?.none
            } catch {
                return error
            }
        }
        guard case .failed? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `an end that does not read soon makes the other wait`() async throws {
        let taken = try await withPair { near, _ in
            var taken = 0
            let piece = pattern(4_096)
            while taken < 10 << 20 {
                let count = near.writeAtOnce(piece)
                if count < piece.count { return taken + count }
                taken += count
            }
            return taken
        }
        // The system doubles what is asked for, on both ends.
        #expect(taken < 1 << 20, "\(taken)")
    }

    @Test func `RST behind bytes of the same moment ends a wait that is answered without its task`() async throws {
        let (bytes, failure) = try await withPair { near, far in
            let found = LoopBound(Found(), on: near.loop)
            async let wait: Void = near.waitForInput(until: Socket.deadline(within: patience)) {
                found.value.read(near)
            }
            await near.loop.yieldToOthers()
            _ = near.writeAtOnce([0x01])
            // Unread bytes make the close an RST.
            _ = far.writeAtOnce(Array("last".utf8))
            far.close()
            try await wait
            return (found.value.bytes, found.value.hasFailed)
        }
        #expect(bytes == Array("last".utf8) && failure)
    }

    private final class Found {
        var bytes: [UInt8] = []
        var hasFailed = false

        func read(_ socket: Socket) -> InputWait {
            do throws(SocketError) {
                while true {
                    switch try socket.readAtOnce({ self.bytes += $0.array }) {
                    case .bytes: continue
                    case .nothing: return .beginsAnew(until: Socket.deadline(within: patience))
                    case .end, .needsTurn: return .ends
                    }
                }
            } catch {
                hasFailed = true
                return .ends
            }
        }
    }
}
