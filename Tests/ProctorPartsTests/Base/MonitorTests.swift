import ProctorBase
import ProctorTestSupport
import Testing

@Suite(.limit(minutes: 5))
struct MonitorTests {
    @Test func `a thread that waits sees every change once it is woken`() throws {
        let monitor = Monitor((asked: 0, answered: 0))
        let thread = try #require(
            WorkerThread {
                for number in 1...1_000 {
                    monitor.wait { $0.asked == number ? .done(()) : .wait() }
                    monitor.withLock { $0.answered = number }
                    monitor.wakeAll()
                }
            })
        for number in 1...1_000 {
            monitor.withLock { $0.asked = number }
            monitor.wakeAll()
            monitor.wait { $0.answered == number ? .done(()) : .wait() }
        }
        thread.join()
        #expect(monitor.withLock { $0 } == (1_000, 1_000))
    }

    @Test func `a wait until a moment looks again after it, and not only then`() {
        let monitor = Monitor(0)
        for moment in [0, MonotonicClock.nanoseconds, MonotonicClock.nanoseconds + 1_000_000] {
            let end = monitor.wait { count -> Monitor<Int>.Look<UInt64> in
                count += 1
                let now = MonotonicClock.nanoseconds
                return now >= moment && count % 3 == 0 ? .done(now) : .wait(until: moment)
            }
            #expect(end >= moment)
        }
        #expect(monitor.withLock { $0 } >= 9)
    }
}
