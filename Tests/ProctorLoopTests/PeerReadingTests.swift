import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if !canImport(Darwin)
    import Glibc

    @Suite(.limit(minutes: 5))
    struct PeerReadingTests {
        /// How the two ends find each other.
        enum Meeting: String, CaseIterable, CustomTestStringConvertible {
            case ipv4, ipv6, ipv4ThroughIPv6, unix

            var testDescription: String { rawValue }

            func pair(on loop: EventLoop, peerOn other: EventLoop) async throws -> Pair {
                switch self {
                case .ipv4: return try await Pair.make(on: loop, peerOn: other)
                case .ipv6:
                    return try await Pair.make(on: loop, peerOn: other, address: .ipv6(host: "::1", port: 0))
                case .unix:
                    return try await Pair.make(
                        on: loop, peerOn: other, address: .unix(path: temporaryPath("read.sock")))
                case .ipv4ThroughIPv6:
                    let listener = try Listener(on: loop, address: loopback)
                    defer { listener.close() }
                    let target = SocketAddress.ipv6(host: "::ffff:127.0.0.1", port: try #require(listener.address.port))
                    let peer = try await other.run {
                        try await Socket.connect(to: target, on: other, within: patience)
                    }
                    return Pair(ours: try #require(await listener.accept()), peer: peer)
                }
            }
        }

        @Test(arguments: Meeting.allCases)
        func `500 slices of one byte are 500 reads, however irregularly the peer reads`(meeting: Meeting) async throws {
            let reads = try await onLoops(2) { loops in
                let (loop, other) = (loops[0], loops[1])
                let pair = try await meeting.pair(on: loop, peerOn: other)
                async let reads = other.run {
                    var generator = SeededGenerator(seed: 6)
                    var counts: [Int] = []
                    while let count = try await pair.peer.read(within: patience, { $0.count }) {
                        counts.append(count)
                        // None, some microseconds, or longer than a delayed acknowledgement takes to be sent.
                        let choice = Int.random(in: 0..<100, using: &generator)
                        let nap = choice < 50 ? 0 : choice < 99 ? Int.random(in: 1...1500, using: &generator) : 45_000
                        if nap > 0 { await other.sleep(for: .microseconds(nap)) }
                    }
                    pair.peer.close()
                    return counts
                }
                for number in 0..<500 {
                    try await pair.ours.write([UInt8(truncatingIfNeeded: number)], within: patience)
                    let reading = try await pair.ours.waitUntilPeerHasRead(within: patience)
                    #expect(reading == .everything)
                }
                pair.ours.close()
                return try await reads
            }
            #expect(reads == Array(repeating: 1, count: 500))
        }

        @Test func `bytes of both directions are told apart`() async throws {
            try await onLoops(2) { loops in
                let (loop, other) = (loops[0], loops[1])
                let pair = try await Pair.make(on: loop, peerOn: other)
                // What the peer sent and we have not read is not the peer's to read.
                try await other.run { try await pair.peer.write(pattern(5000), within: patience) }
                try await pair.ours.write(pattern(70_000), within: patience)
                async let taken = other.run { try await pair.peer.take(70_000) }
                #expect(try await pair.ours.waitUntilPeerHasRead(within: patience) == .everything)
                #expect(try await taken == pattern(70_000))
                #expect(try await pair.ours.take(5000) == pattern(5000))
                pair.ours.close()
                try await other.run { pair.peer.close() }
            }
        }

        @Test(arguments: Meeting.allCases)
        func `a peer that does not read is waited for within the limit`(meeting: Meeting) async throws {
            let error = try await onLoops(2) { loops -> SocketError? in
                let other = loops[1]
                let pair = try await meeting.pair(on: loops[0], peerOn: other)
                try await pair.ours.write([1, 2, 3], within: patience)
                let error: SocketError?
                do throws(SocketError) {
                    _ = try await pair.ours.waitUntilPeerHasRead(within: 30_000_000)
                    error = nil
                } catch let failure {
                    error = failure
                }
                pair.ours.close()
                try await other.run { pair.peer.close() }
                return error
            }
            #expect(error == .timedOut)
        }

        @Test(arguments: [true, false])
        func `a peer that leaves ends the wait`(hasRead: Bool) async throws {
            let reading = try await onLoops(2) { loops in
                let other = loops[1]
                let pair = try await Pair.make(on: loops[0], peerOn: other)
                try await pair.ours.write([1, 2, 3], within: patience)
                async let left: Void = other.run {
                    if hasRead { _ = try await pair.peer.take(2) }
                    await other.sleep(for: .milliseconds(5))
                    pair.peer.close()
                }
                let reading = try await pair.ours.waitUntilPeerHasRead(within: patience)
                try await left
                pair.ours.close()
                return reading
            }
            #expect(reading == .left)
        }

        @Test func `a peer that left before the first check is known to have left`() async throws {
            let reading = try await onLoop { loop in
                let pair = try await Pair.make(on: loop)
                try await pair.ours.write([1, 2, 3], within: patience)
                pair.peer.close()
                let reading = try await pair.ours.waitUntilPeerHasRead(within: patience)
                pair.ours.close()
                return reading
            }
            #expect(reading == .left)
        }

        @Test func `a half-closed peer still reads`() async throws {
            let reading = try await onLoops(2) { loops in
                let other = loops[1]
                let pair = try await Pair.make(on: loops[0], peerOn: other)
                try await other.run { pair.peer.halfClose() }
                try await pair.ours.write([1, 2, 3], within: patience)
                async let taken = other.run { try await pair.peer.take(3) }
                let reading = try await pair.ours.waitUntilPeerHasRead(within: patience)
                #expect(try await taken == [1, 2, 3])
                pair.ours.close()
                try await other.run { pair.peer.close() }
                return reading
            }
            #expect(reading == .everything)
        }

        @Test func `a socket that is cancelled, or closed, ends the wait`() async throws {
            try await onLoop { loop in
                for isClosed in [true, false] {
                    let pair = try await Pair.make(on: loop)
                    try await pair.ours.write([1], within: patience)
                    async let error = failure { () async throws(SocketError) in
                        _ = try await pair.ours.waitUntilPeerHasRead(within: patience)
                    }
                    await loop.sleep(for: .milliseconds(3))
                    if isClosed { pair.ours.close() } else { pair.ours.cancel() }
                    #expect(await error == .cancelled)
                    pair.close()
                }
            }
        }

        @Test func `a loop that may not ask says so at once`() async throws {
            let reading = try await onLoop { loop in
                let pair = try await Pair.make(on: loop)
                loop.peerQueues.close()
                try await pair.ours.write([1, 2, 3], within: patience)
                let reading = try await pair.ours.waitUntilPeerHasRead(within: .max)
                pair.close()
                return reading
            }
            #expect(reading == .unknown)
        }

        @Test func `a socket that the system does not know is absent, and so is a listener without its peer`()
            async throws
        {
            let looks = try await onLoop { loop in
                let pair = try await Pair.make(on: loop)
                let question = try #require(PeerQueues.Question(peerOf: pair.ours.descriptor))
                let reversed = try #require(PeerQueues.Question(peerOf: pair.peer.descriptor))
                let before = [question, reversed].map(loop.peerQueues.queue)
                pair.ours.reset()
                pair.peer.close()
                // The listener of the reversed question is gone too; another stands at its port while it is asked again.
                // A process that another test starts right now holds both sockets until it is the new program.
                var listener: Listener?
                var after = before
                let end = MonotonicClock.nanoseconds + patience
                while listener == nil || after != [.absent, .absent], MonotonicClock.nanoseconds < end {
                    if listener == nil { listener = try? Listener(on: loop, address: pair.ours.local) }
                    after = [question, reversed].map(loop.peerQueues.queue)
                    await loop.sleep(for: .milliseconds(1))
                }
                listener?.close()
                return before + after
            }
            #expect(
                looks == [
                    .waiting(byteCount: 0, receivedByteCount: 0), .waiting(byteCount: 0, receivedByteCount: 0), .absent,
                    .absent,
                ])
        }
    }
#endif
