import ProctorBase
import Testing

@testable import ProctorLoop

@Suite(.timeLimit(.minutes(5)))
struct SleepTests {
    @Test func `a sleep is never early`() async throws {
        let early = try await onLoop { loop in
            await withTaskGroup(of: Int64.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        // Sub-millisecond offsets, so that the loop's millisecond clock stands anywhere in between.
                        let duration = Duration.microseconds(number % 20 * 517)
                        let start = MonotonicClock.nanoseconds
                        await loop.sleep(for: duration)
                        return Int64(MonotonicClock.nanoseconds - start) - Int64(duration.wholeNanoseconds)
                    }
                }
                return await group.reduce(into: [Int64]()) { if $1 < 0 { $0.append($1) } }
            }
        }
        #expect(early.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a cancelled sleep ends at once`(isCancelledBefore: Bool) async throws {
        let (slept, passed) = try await onLoops(2) { loops in
            let (loop, other) = (loops[0], loops[1])
            let start = MonotonicClock.nanoseconds
            let task = Task(executorPreference: loop) { await loop.sleep(for: .seconds(3600)) }
            if isCancelledBefore {
                task.cancel()
            } else {
                try await other.run { task.cancel() }
            }
            return (await task.value, MonotonicClock.nanoseconds - start)
        }
        #expect(!slept)
        #expect(passed < patience)
    }

    @Test(arguments: [Duration.zero, .nanoseconds(-5), .nanoseconds(1)])
    func `nearly no sleep is a sleep`(duration: Duration) async throws {
        let slept = try await onLoop { loop in await loop.sleep(for: duration) }
        #expect(slept)
    }

    @Test func `the longest sleep can be cancelled`() async throws {
        let slept = try await onLoop { loop in
            let task = Task(executorPreference: loop) { await loop.sleep(for: .seconds(Int64.max)) }
            await Task.yield()
            task.cancel()
            return await task.value
        }
        #expect(!slept)
    }

    @Test func `ten thousand sleeps at once, half of them cancelled`() async throws {
        let (slept, cancelled) = try await onLoop { loop in
            let long = (0..<5000).map { _ in
                Task(executorPreference: loop) { await loop.sleep(for: .seconds(3600)) }
            }
            let short = (0..<5000).map { number in
                Task(executorPreference: loop) { await loop.sleep(for: .milliseconds(number % 50)) }
            }
            for task in long { task.cancel() }
            var slept = 0
            var cancelled = 0
            for task in short where await task.value { slept += 1 }
            for task in long where await !task.value { cancelled += 1 }
            return (slept, cancelled)
        }
        #expect(slept == 5000)
        #expect(cancelled == 5000)
    }

    @Test func `cancelling races with the end of a sleep`() async throws {
        let count = try await onLoops(2) { loops in
            let (loop, other) = (loops[0], loops[1])
            var count = 0
            for _ in 0..<300 {
                let task = Task(executorPreference: loop) { await loop.sleep(for: .milliseconds(1)) }
                async let cancelling: Bool = other.run { await other.sleep(for: .milliseconds(1)) }
                _ = try await cancelling
                task.cancel()
                _ = await task.value
                count += 1
            }
            return count
        }
        #expect(count == 300)
    }
}
