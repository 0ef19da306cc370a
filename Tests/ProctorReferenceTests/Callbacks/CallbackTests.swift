import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorReference

@Suite(.limit(minutes: 5))
struct CallbackQueueTests {
    @Test func `an ended queue makes the calls that it has, and says that it takes no more`() async throws {
        let log = CallLog()
        let queue = try CallbackQueue()
        queue.submit {
            let isTaken = queue.submit { log.add("second") }
            queue.stop()
            let isTakenLate = queue.submit { log.add("third") }
            log.add("first \(isTaken) \(isTakenLate) \(queue.isCurrent)")
        }
        await log.wait(for: "second")
        #expect(log.lines == ["first true false true", "second"])
        queue.stop()
        #expect(!queue.submit {})
    }

    @Test func `a queue on hold keeps its calls until it is released, behind what comes first then`() async throws {
        let log = CallLog()
        let queue = try CallbackQueue()
        queue.suspend()
        for line in ["second", "third"] { #expect(queue.submit { log.add(line) }) }
        queue.release { log.add("first") }
        queue.submit { log.add("fourth") }
        await log.wait(for: "fourth")
        #expect(log.lines == ["first", "second", "third", "fourth"])
        queue.suspend()
        queue.submit { log.add("dropped") }
        queue.stop()
        queue.release { log.add("too late") }
        #expect(log.lines.count == 4)
    }
}

@Suite(.limit(minutes: 5))
struct OneShotEventTests {
    @Test func `each waiting task is woken once, and a later one returns at once`() async {
        let end = OneShotEvent()
        let woken = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    await end.wait()
                    woken.withLock { $0 += 1 }
                }
            }
            group.addTask {
                end.come()
                end.come()
            }
        }
        await end.wait()
        #expect(woken.withLock { $0 } == 20)
    }

    @Test func `a cancelled task waits no longer, whenever it is cancelled`() async {
        for _ in 0..<200 {
            let end = OneShotEvent()
            let waiter = Task { await end.wait() }
            waiter.cancel()
            await waiter.value
        }
    }
}
