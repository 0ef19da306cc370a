import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorExam

struct MachineDelayTests {
    @Test func `the delay stays within its range, and is measured anew after a while only`() {
        let found = Locked<[Double]>([40, 1, 0.2])
        let delay = MachineDelay { found.withLock { $0.isEmpty ? 1 : $0.removeFirst() } }
        #expect(delay.factor == 20)
        // The same for two seconds.
        #expect(delay.factor == 20)
        #expect(found.withLock { $0.count } == 2)
    }

    @Test func `work on this machine takes at least as long as its processor time`() {
        let factor = MachineDelay.measureByWork()
        #expect(factor > 0.9 && factor.isFinite)
    }

    @Test func `the watchdog stands behind the deadline as far as it is asked to`() async throws {
        var child = WatchedChild(
            command: ["sleep", "600"], environment: ["PATH": "/usr/bin:/bin"], deadline: .milliseconds(200))
        let count = Locked(0)
        child.patience = {
            // It grows while the machine gets slower, and is asked again.
            count.withLock { count in
                count += 1
                return .milliseconds(min(count, 3) * 300)
            }
        }
        let outcome = await child.run()
        guard case .hung(let milliseconds) = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(milliseconds >= 1_100)
        #expect(count.withLock { $0 } >= 4)
    }

    @Test func `a child that ends between its deadline and the watchdog has not hung`() async throws {
        var child = WatchedChild(
            command: ["sh", "-c", "sleep 1; echo done"], environment: ["PATH": "/usr/bin:/bin"],
            deadline: .milliseconds(100))
        child.patience = { Patience.whole }
        let outcome = await child.run()
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output == Array("done\n".utf8))
    }
}
