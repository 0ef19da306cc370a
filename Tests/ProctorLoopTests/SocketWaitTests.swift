import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

@Suite(.limit(minutes: 5))
struct SocketWaitTests {
    @Test(arguments: [0, 1, 60_000_000] as [UInt64])
    func `a read times out, not early and at most a sweep late`(limit: UInt64) async throws {
        let (error, passed) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let start = MonotonicClock.nanoseconds
            let error = await failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: limit) { $0.count }
            }
            return (error, MonotonicClock.nanoseconds - start)
        }
        #expect(error == .timedOut)
        #expect(passed >= limit)
        #expect(passed < patience)
    }

    /// libuv before 1.45 calls timers before it waits for descriptors, and then waits although a timer has woken a task.
    @Test func `a read times out whose end came while its loop was busy, without any other event`() async throws {
        let bound = Patience.whole
        let passed = try await onLoops(2) { loops in
            let (loop, other) = (loops[0], loops[1])
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let start = MonotonicClock.nanoseconds
            let rescue = Task(executorPreference: other) {
                if await other.sleep(for: bound) { loop.submit {} }
            }
            async let reading = failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: 60_000_000) { $0.count }
            }
            // The sockets are polled once, so that the system has told all that it has to tell of them.
            await loop.sleep(for: .milliseconds(5))
            while MonotonicClock.nanoseconds < start + 250_000_000 {}
            #expect(await reading == .timedOut)
            rescue.cancel()
            await rescue.value
            return MonotonicClock.nanoseconds - start
        }
        #expect(passed < bound.wholeNanoseconds, "the task was woken, and its loop waited on")
    }

    @Test func `a write times out while the peer does not read`() async throws {
        let sum = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            return try await pair.ours.fill()
        }
        #expect(sum > 0)
    }

    @Test func `a socket is usable after a time-out`() async throws {
        let got = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            for _ in 0..<3 {
                _ = await failure { () async throws(SocketError) in
                    _ = try await pair.ours.read(within: 1) { $0.count }
                }
            }
            try await pair.peer.write([7], within: patience)
            return try await pair.ours.take(1)
        }
        #expect(got == [7])
    }

    @Test func `a reader's deadline is its own while a writer waits longer`() async throws {
        let (readError, got, sent) = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            let bytes = pattern(300_000)
            async let writing: Void = pair.ours.write(bytes, within: patience)
            // The writer has begun to wait before the reader does: tasks of one loop begin in order.
            async let reading = failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: 60_000_000) { $0.count }
            }
            let readError = await reading
            let got = try await pair.peer.take(bytes.count)
            try await writing
            return (readError, got, bytes)
        }
        #expect(readError == .timedOut)
        #expect(got == sent)
    }

    @Test func `a writer that ends does not take the reader's deadline along`() async throws {
        let error = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            let bytes = pattern(300_000)
            async let reading = failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: 100_000_000) { $0.count }
            }
            async let writing: Void = pair.ours.write(bytes)
            _ = try await pair.peer.take(bytes.count)
            try await writing
            return await reading
        }
        #expect(error == .timedOut)
    }

    @Test func `cancel from another thread wakes every wait, and stays`() async throws {
        let errors = try await onLoops(2) { loops in
            let (loop, other) = (loops[0], loops[1])
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            _ = try await pair.ours.fill()
            async let reading = failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: patience) { $0.count }
            }
            async let writing = failure { () async throws(SocketError) in
                try await pair.ours.write([1], within: patience)
            }
            async let leaving = failure { () async throws(SocketError) in
                try await pair.ours.waitUntilPeerLeaves(within: patience)
            }
            try await other.run { pair.ours.cancel() }
            let errors = await [reading, writing, leaving]
            let later = await failure { () async throws(SocketError) in
                try await pair.ours.waitUntilReadable(within: patience)
            }
            return errors + [later]
        }
        #expect(errors == Array(repeating: .cancelled, count: 4))
    }

    @Test func `a wait for the peer's end can be ended, and the next one waits again`() async throws {
        let (ended, passed) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            // No task waits: the call has no effect.
            pair.ours.endWaitForPeer()
            let start = MonotonicClock.nanoseconds
            async let waiting = failure { () async throws(SocketError) in
                try await pair.ours.waitUntilPeerLeaves(within: patience)
            }
            // The child has begun to wait when this task goes on.
            await loop.sleep(for: .milliseconds(5))
            pair.ours.endWaitForPeer()
            let ended = await waiting
            let passed = MonotonicClock.nanoseconds - start
            pair.peer.close()
            try await pair.ours.waitUntilPeerLeaves(within: patience)
            return (ended, passed)
        }
        #expect(ended == .timedOut)
        #expect(passed < patience)
    }

    @Test func `cancel ends a read although bytes are there`() async throws {
        let error = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            try await pair.peer.write(pattern(100_000), within: patience)
            _ = try await pair.ours.take(1)
            pair.ours.cancel()
            return await failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: patience) { $0.count }
            }
        }
        #expect(error == .cancelled)
    }

    @Test func `closing wakes who waits, and is final`() async throws {
        let (errors, isClosed) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            async let reading = failure { () async throws(SocketError) in
                _ = try await pair.ours.read(within: patience) { $0.count }
            }
            async let closing: Void = pair.ours.close()
            var errors = await [reading]
            await closing
            errors.append(
                await failure { () async throws(SocketError) in
                    _ = try await pair.ours.read(within: patience) { $0.count }
                })
            errors.append(
                await failure { () async throws(SocketError) in
                    try await pair.ours.write([1], within: patience)
                })
            // Ending a closed socket in any way is nothing.
            pair.ours.halfClose()
            pair.ours.reset()
            pair.ours.cancel()
            return (errors, pair.ours.isClosed && pair.ours.unacknowledgedByteCount == nil)
        }
        #expect(errors == Array(repeating: .cancelled, count: 3))
        #expect(isClosed)
    }

    @Test func `a socket that never has to wait does not keep the loop to itself`() async throws {
        let left = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let sum = try await pair.peer.fill()
            let timer = Task(executorPreference: loop) { await loop.sleep(for: .milliseconds(1)) }
            let stop = Task(executorPreference: loop) {
                _ = await timer.value
                pair.ours.cancel()
            }
            var taken = 0
            while taken < sum, let count = try? await pair.ours.read(within: patience, upTo: 1, { $0.count }) {
                taken += count
            }
            await stop.value
            return sum - taken
        }
        #expect(left > 0)
    }
}
