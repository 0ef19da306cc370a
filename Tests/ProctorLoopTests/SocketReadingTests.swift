import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.limit(minutes: 5))
struct SocketReadingTests {
    @Test func `bytes arrive as they were sent, and FIN is nil`() async throws {
        let sent = pattern(300_000)
        let got = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            async let got = pair.ours.takeAll()
            try await pair.peer.write(sent, within: patience)
            pair.peer.halfClose()
            return try await got
        }
        #expect(got == sent)
    }

    @Test func `FIN is told again at every further read`() async throws {
        let isNil = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.peer.close()
            let first = try await pair.ours.read(within: patience) { $0.count }
            let second = try await pair.ours.read(within: patience) { $0.count }
            return first == nil && second == nil
        }
        #expect(isNil)
    }

    @Test func `after our FIN the peer's bytes can still be read`() async throws {
        let (seenByPeer, seenByUs) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.halfClose()
            let seenByPeer = try await pair.peer.takeAll()
            try await pair.peer.write(Array("late".utf8), within: patience)
            pair.peer.halfClose()
            return (seenByPeer, try await pair.ours.takeAll())
        }
        #expect(seenByPeer.isEmpty)
        #expect(seenByUs == Array("late".utf8))
    }

    @Test func `a read without waiting finds nothing, then bytes up to its limit, then FIN`() async throws {
        let (found, bytes) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            var found = [try pair.ours.readAtOnce { _ in }]
            var bytes: [UInt8] = []
            try await pair.peer.write(Array("bytes".utf8), within: patience)
            try await pair.ours.waitForInput(until: Socket.deadline(within: patience))
            found.append(try pair.ours.readAtOnce(upTo: 3) { bytes.append($0) })
            found.append(try pair.ours.readAtOnce { bytes.append($0) })
            pair.peer.close()
            try await pair.ours.waitForInput(until: Socket.deadline(within: patience))
            found.append(try pair.ours.readAtOnce { _ in })
            return (found, bytes)
        }
        #expect(found == [.nothing, .bytes, .bytes, .end])
        #expect(bytes == Array("bytes".utf8))
    }

    @Test func `a wait for input ends at its deadline`() async throws {
        await #expect(throws: SocketError.timedOut) {
            try await onLoop { loop in
                let pair = try await Pair.make(on: loop)
                defer { pair.close() }
                try await pair.ours.waitForInput(until: MonotonicClock.nanoseconds)
            }
        }
    }

    @Test(arguments: [1, 7, 65_536])
    func `no more bytes are taken than asked for`(limit: Int) async throws {
        let sent = pattern(200)
        let counts = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            try await pair.peer.write(sent, within: patience)
            pair.peer.halfClose()
            var counts: [Int] = []
            while let count = try await pair.ours.read(within: patience, upTo: limit, { $0.count }) {
                counts.append(count)
            }
            return counts
        }
        #expect(counts.allSatisfy { $0 >= 1 && $0 <= limit })
        #expect(counts.reduce(0, +) == sent.count)
    }

    @Test func `waiting for bytes takes none`() async throws {
        let got = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            try await pair.peer.write([1, 2, 3], within: patience)
            try await pair.ours.waitUntilReadable(within: patience)
            try await pair.ours.waitUntilReadable(within: patience)
            return try await pair.ours.take(3)
        }
        #expect(got == [1, 2, 3])
    }

    @Test func `waiting for bytes is not fooled when the last read took exactly what was there`() async throws {
        let error = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            try await pair.peer.write([1, 2, 3], within: patience)
            _ = try await pair.ours.take(3)
            return await failure { () async throws(SocketError) in
                try await pair.ours.waitUntilReadable(within: 60_000_000)
            }
        }
        #expect(error == .timedOut)
    }

    @Test func `waiting for bytes ends with the peer's FIN`() async throws {
        let isEnd = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            async let waited: Void = pair.ours.waitUntilReadable(within: patience)
            pair.peer.close()
            try await waited
            return try await pair.ours.read(within: patience) { $0.count } == nil
        }
        #expect(isEnd)
    }

    @Test func `a reset by the peer is an error, at every further read too`() async throws {
        let codes = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.peer.reset()
            return [try await pair.ours.codeAtEnd(), try await pair.ours.codeAtEnd(), pair.ours.wasReset ? 1 : 0]
        }
        #expect(codes == [ECONNRESET, ECONNRESET, 1])
    }

    @Test func `our reset is an error for the peer`() async throws {
        let code = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.reset()
            return try await pair.peer.codeAtEnd()
        }
        #expect(code == ECONNRESET)
    }

    @Test func `our reset does not wait for copies of the descriptor`() async throws {
        let (code, copies) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            // As a process that was forked has it until it runs its program.
            let copy = dup(pair.ours.descriptor)
            defer { closeDescriptor(copy) }
            pair.ours.reset()
            return (try await pair.peer.codeAtEnd(), copy)
        }
        #expect(code == ECONNRESET)
        #expect(copies >= 0)
    }

    @Test func `waiting for the peer to leave sees FIN and leaves unread bytes alone`() async throws {
        let (got, wasReset) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            async let left: Void = pair.ours.waitUntilPeerLeaves(within: patience)
            try await pair.peer.write([1, 2, 3], within: patience)
            pair.peer.halfClose()
            try await left
            let wasReset = pair.ours.wasReset
            return (try await pair.ours.takeAll(), wasReset)
        }
        #expect(got == [1, 2, 3])
        #expect(!wasReset)
    }

    @Test func `waiting for the peer to leave sees RST, which a look for bytes leaves there`() async throws {
        let wasReset = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            async let left: Void = pair.ours.waitUntilPeerLeaves(within: patience)
            pair.peer.reset()
            try await left
            return pair.ours.hasUnreadBytes && pair.ours.wasReset
        }
        #expect(wasReset)
    }

    @Test func `bytes do not look like the peer leaving`() async throws {
        let error = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            try await pair.peer.write([1, 2, 3], within: patience)
            return await failure { () async throws(SocketError) in
                try await pair.ours.waitUntilPeerLeaves(within: 60_000_000)
            }
        }
        #expect(error == .timedOut)
    }
}

/// The error of an operation that should not succeed.
func failure(_ body: () async throws(SocketError) -> Void) async -> SocketError? {
    do throws(SocketError) {
        try await body()
        return nil
    } catch {
        return error
    }
}
