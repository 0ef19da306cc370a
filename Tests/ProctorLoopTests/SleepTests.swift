import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

@Suite(.limit(minutes: 5))
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

    @Test func `sleeps end in the order of their moments, whatever the order in which they began`() async throws {
        let order = try await onLoop { loop in
            // All of them have begun by then.
            let start = MonotonicClock.nanoseconds + 1_000_000_000
            // In steps of 3 µs: a poll of the loop finds several of them due.
            return await withTaskGroup(of: UInt64.self) { group in
                for number in 0..<UInt64(2000) {
                    let end = start + number * 7919 % 2000 * 3000
                    group.addTask {
                        await loop.sleep(until: end)
                        return end
                    }
                }
                return await group.reduce(into: [UInt64]()) { $0.append($1) }
            }
        }
        #expect(order.count == 2000)
        #expect(order == order.sorted())
    }

    @Test func `a thousand sleepers keep their beat and are never early`() async throws {
        let (early, count) = try await onLoop { loop in
            await withTaskGroup(of: (early: Int, count: Int).self) { group in
                let start = MonotonicClock.nanoseconds
                for number in 0..<UInt64(1000) {
                    group.addTask {
                        var early = 0
                        for beat in 1...UInt64(20) {
                            let end = start + number * 10_000 + beat * 10_000_000
                            guard await loop.sleep(until: end) else { return (early, 0) }
                            if MonotonicClock.nanoseconds < end { early += 1 }
                        }
                        return (early, 20)
                    }
                }
                return await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.early, $0.1 + $1.count) }
            }
        }
        #expect(early == 0)
        #expect(count == 20_000)
    }

    @Test func `a moment that has passed lets others have their turn`() async throws {
        let (slept, others) = try await onLoop { loop in
            let busy = Task(executorPreference: loop) {
                var turns = 0
                while await loop.sleep(until: 0) { turns += 1 }
                return turns
            }
            // Would never end if the other kept the loop to itself.
            let slept = await loop.sleep(for: .milliseconds(1))
            busy.cancel()
            return (slept, await busy.value)
        }
        #expect(slept)
        #expect(others > 0)
    }

    @Test func `cancelling the first sleep leaves those behind it their time`() async throws {
        let (first, second, passed) = try await onLoop { loop in
            // Seconds, so that a crowded machine cancels in time.
            let start = MonotonicClock.nanoseconds
            let first = Task(executorPreference: loop) { await loop.sleep(until: start + 5_000_000_000) }
            let second = Task(executorPreference: loop) {
                let slept = await loop.sleep(until: start + 5_030_000_000)
                return (slept, MonotonicClock.nanoseconds - start)
            }
            await loop.sleep(for: .milliseconds(1))
            first.cancel()
            return (await first.value, await second.value.0, await second.value.1)
        }
        #expect(!first)
        #expect(second)
        #expect(passed >= 5_030_000_000)
    }

    @Test func `a loop that was told to stop waits for the sleeps that are under way`() async throws {
        let loop = try EventLoop()
        let task = Task(executorPreference: loop) {
            loop.stop()
            let start = MonotonicClock.nanoseconds
            let slept = await loop.sleep(for: .milliseconds(20))
            return slept && MonotonicClock.nanoseconds - start >= 20_000_000
        }
        await loop.ended()
        #expect(await task.value)
    }
}

struct SleeperHeapTests {
    @Test(arguments: 0..<20)
    func `sleepers leave in the order of their ends, and of their coming where those are equal`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var heap = SleeperHeap<Int>()
        // What is wanted, by the plainest of means.
        var wanted: [(end: UInt64, number: Int, sleeper: Sleeper)] = []
        var number = 0
        for _ in 0..<2000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let (end, sleeper) = (UInt64.random(in: 0..<200, using: &generator), Sleeper())
                heap.insert(sleeper, end: end, number)
                wanted.append((end, number, sleeper))
                number += 1
            case 5..<7:
                guard let index = wanted.indices.randomElement(using: &generator) else { continue }
                let sleeper = wanted.remove(at: index)
                let gone = heap.remove(sleeper.sleeper)
                let isStillThere = heap.remove(sleeper.sleeper) != nil
                #expect(gone == sleeper.number && !isStillThere)
            default:
                let now = UInt64.random(in: 0..<200, using: &generator)
                let first = wanted.min { ($0.end, $0.number) < ($1.end, $1.number) }
                let popped = heap.popFirst(until: now)
                if let first, first.end <= now {
                    #expect(popped == first.number)
                    wanted.removeAll { $0.sleeper === first.sleeper }
                } else {
                    #expect(popped == nil)
                }
            }
            #expect(heap.firstEnd == wanted.map(\.end).min())
            #expect(heap.isEmpty == wanted.isEmpty)
        }
    }

    @Test func `one that never was in the heap is not removed from it`() {
        var heap = SleeperHeap<Int>()
        heap.insert(Sleeper(), end: 1, 7)
        let other = heap.remove(Sleeper())
        let (early, late) = (heap.popFirst(until: 0), heap.popFirst(until: 1))
        #expect(other == nil)
        #expect(early == nil)
        #expect(late == 7)
        #expect(heap.isEmpty)
    }
}
