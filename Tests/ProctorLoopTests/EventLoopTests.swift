import CUV
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

@Suite(.limit(minutes: 5))
struct EventLoopTests {
    @Test func `child tasks stay on the loop's thread`() async throws {
        let areCurrent = try await onLoop { loop in
            async let first = loop.isCurrent
            let rest = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        await Task.yield()
                        await loop.sleep(for: .milliseconds(1))
                        return loop.isCurrent
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            return await [first, loop.isCurrent] + rest
        }
        #expect(areCurrent.count == 102)
        #expect(areCurrent.allSatisfy { $0 })
    }

    @Test func `a concurrent function under the preference stays on the loop's thread`() async throws {
        let isCurrent = try await onLoop { loop in await isCurrentInConcurrentFunction(loop) }
        #expect(isCurrent)
    }

    @Test func `a concurrent function outside of the preference is not on the loop`() async throws {
        let isCurrent = try await onLoop { loop in
            await Task.detached { await isCurrentInConcurrentFunction(loop) }.value
        }
        #expect(!isCurrent)
    }

    @Test func `a bare task inside a loop task leaves the loop`() async throws {
        let (inside, bare, after) = try await onLoop { loop in
            (loop.isCurrent, await Task { loop.isCurrent }.value, loop.isCurrent)
        }
        #expect(inside)
        #expect(!bare)
        #expect(after)
    }

    @Test func `cancelling the caller of run cancels the loop's task`() async throws {
        let slept = try await onLoops(2) { loops in
            let other = loops[1]
            let task = Task { try await other.run { await other.sleep(for: .seconds(3600)) } }
            task.cancel()
            return try await task.value
        }
        #expect(!slept)
    }

    @Test func `a task that begets tasks without end does not starve a timer`() async throws {
        let rounds = try await onLoop { loop in
            let flag = Flag()
            async let slept = loop.sleep(for: .milliseconds(5))
            async let rounds = countYields(until: flag)
            _ = await slept
            flag.isSet = true
            return await rounds
        }
        #expect(rounds > 0)
    }

    @Test func `a task that gives way runs behind the jobs that are ready`() async throws {
        let names = try await onLoop { loop in
            let log = LoopBound(Names(), on: loop)
            async let ready: Void = log.value.names.append("ready")
            await loop.yieldToReady()
            log.value.names.append("gave way")
            await ready
            return log.value.names
        }
        #expect(names == ["ready", "gave way"])
    }

    @Test func `work from many threads arrives exactly once`() async throws {
        let sum = try await onLoop { loop in
            let counter = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        await Task.detached {
                            for _ in 0..<1000 { loop.submit { counter.value += 1 } }
                        }.value
                    }
                }
            }
            // Commands are taken in order, so this one is the last.
            await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
            return counter.value
        }
        #expect(sum == 8000)
    }

    @Test func `the loops of a group are handed out by turn`() async throws {
        let group = try EventLoopGroup(count: 3)
        let turns = (0..<6).map { _ in ObjectIdentifier(group.next()) }
        #expect(turns == group.loops.map { ObjectIdentifier($0) } + group.loops.map { ObjectIdentifier($0) })
        #expect(try EventLoopGroup.countOfLoops(asked: 0) == 1)
        group.stop()
        await group.ended()
    }
}

extension EventLoopGroup {
    fileprivate static func countOfLoops(asked: Int) throws -> Int {
        let group = try EventLoopGroup(count: asked)
        defer { group.stop() }
        return group.loops.count
    }
}

private final class Names {
    var names: [String] = []
}

@concurrent private func isCurrentInConcurrentFunction(_ loop: EventLoop) async -> Bool {
    await Task.yield()
    return loop.isCurrent
}

private func countYields(until flag: Flag) async -> Int {
    var count = 0
    while !flag.isSet {
        await Task.yield()
        count += 1
    }
    return count
}

/// Of one loop's thread.
private final class Flag: @unchecked Sendable {
    var isSet = false
}

/// Of one loop's thread.
private final class Counter: @unchecked Sendable {
    var value = 0
}

@Suite(.limit(minutes: 5))
struct EventLoopEndTests {
    @Test func `what was enqueued before stop still runs on the loop`() async throws {
        let loop = try EventLoop()
        let tasks = (0..<1000).map { _ in Task(executorPreference: loop) { loop.isCurrent } }
        loop.stop()
        for task in tasks {
            // A task that came too late ran elsewhere; none may be lost.
            _ = await task.value
        }
        await loop.ended()
    }

    @Test func `a task enqueued after the end runs on the global executor`() async throws {
        let loop = try EventLoop()
        loop.stop()
        await loop.ended()
        let wasOnLoop = await Task(executorPreference: loop) {
            await Task.yield()
            return loop.isCurrent
        }.value
        #expect(!wasOnLoop)
    }

    @Test func `a sleep outlives stop and can still be cancelled`() async throws {
        let loop = try EventLoop()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let sleeper = Task(executorPreference: loop) {
            begin.finish()
            return await loop.sleep(for: .seconds(3600))
        }
        for await _ in begun {}
        loop.stop()
        sleeper.cancel()
        #expect(await sleeper.value == false)
        await loop.ended()
    }

    @Test func `a reader outlives stop, is cancelled, and closes on the loop`() async throws {
        let loop = try EventLoop()
        let pair = try await loop.run { try await Pair.make(on: loop) }
        let reader = Task(executorPreference: loop) { () -> SocketError? in
            defer { pair.close() }
            do throws(SocketError) {
                _ = try await pair.ours.read(within: patience) { $0.count }
                return nil
            } catch {
                return error
            }
        }
        loop.stop()
        pair.ours.cancel()
        #expect(await reader.value == .cancelled)
        await loop.ended()
    }

    @Test func `an open socket keeps a stopping loop alive until it is closed`() async throws {
        let loop = try EventLoop()
        let pair = try await loop.run { try await Pair.make(on: loop) }
        loop.stop()
        // Three more tasks find the loop's thread there.
        for _ in 0..<3 { #expect(try await loop.run { loop.isCurrent }) }
        #expect(try await loop.run { loop.handleCount } >= 2)
        try await loop.run { pair.close() }
        await loop.ended()
    }

    @Test func `stopping from the loop's own task and twice is fine`() async throws {
        let loop = try EventLoop()
        try await loop.run {
            loop.stop()
            loop.stop()
        }
        await loop.ended()
        await loop.ended()
    }

    @Test func `an ended loop gives its memory back`() async throws {
        weak var weakLoop: EventLoop?
        do {
            let loop = try EventLoop()
            weakLoop = loop
            loop.stop()
            await loop.ended()
        }
        // The thread lets go of its reference a moment after the last waiter is woken.
        while weakLoop != nil, !Task.isCancelled { await Task.yield() }
        #expect(weakLoop == nil)
    }

    @Test func `enqueuing races with the end and nothing is lost`() async throws {
        for _ in 0..<200 {
            let loop = try EventLoop()
            let tasks = (0..<4).map { number in
                Task.detached { await Task(executorPreference: loop) { number }.value }
            }
            loop.stop()
            var numbers: [Int] = []
            for task in tasks { numbers.append(await task.value) }
            #expect(numbers == [0, 1, 2, 3])
            await loop.ended()
        }
    }
}

struct ClockTests {
    @Test func `the monotonic clock is the clock of libuv`() {
        for _ in 0..<1000 {
            let before = MonotonicClock.nanoseconds
            let libuv = uv_hrtime()
            let after = MonotonicClock.nanoseconds
            #expect(before <= libuv && libuv <= after)
        }
    }
}
