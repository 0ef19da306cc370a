import ProctorBase
import Testing

@testable import ProctorReference

/// The end of a load, for those who wait.
@Suite(.timeLimit(.minutes(5)))
struct LegacyEndTests {
    @Test func `everybody who waits is woken once, and whoever comes later at once`() async {
        let end = LegacyEnd()
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
            let end = LegacyEnd()
            let waiter = Task { await end.wait() }
            waiter.cancel()
            await waiter.value
        }
    }
}
