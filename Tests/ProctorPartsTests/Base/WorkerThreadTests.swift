import Dispatch
import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

struct WorkerThreadTests {
    @Test func `a joined thread has done its work, on a thread of its own`() throws {
        let seen = Locked<[UInt]>([])
        let here = Self.threadNumber
        for _ in 0..<50 {
            let thread = try #require(WorkerThread { seen.withLock { $0.append(Self.threadNumber) } })
            thread.join()
        }
        #expect(seen.withLock { $0.count } == 50)
        #expect(!seen.withLock { $0.contains(here) })
    }

    @Test func `threads run side by side`() throws {
        // Each waits for the other, so neither could end alone.
        let one = DispatchSemaphore(value: 0)
        let two = DispatchSemaphore(value: 0)
        let met = Locked(0)
        let first = try #require(
            WorkerThread {
                one.signal()
                if two.wait(timeout: .now() + .seconds(Patience.seconds)) == .success { met.withLock { $0 += 1 } }
            })
        let second = try #require(
            WorkerThread {
                two.signal()
                if one.wait(timeout: .now() + .seconds(Patience.seconds)) == .success { met.withLock { $0 += 1 } }
            })
        first.join()
        second.join()
        #expect(met.withLock { $0 } == 2)
    }

    @Test func `a detached thread still does its work`() throws {
        let done = DispatchSemaphore(value: 0)
        let thread = try #require(WorkerThread { done.signal() })
        thread.detach()
        #expect(done.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
    }

    @Test func `what the work holds is released when it ends`() throws {
        final class Kept: Sendable {}
        weak var kept: Kept?
        do {
            let value = Kept()
            kept = value
            let thread = try #require(WorkerThread { withExtendedLifetime(value) {} })
            thread.join()
        }
        #expect(kept == nil)
    }

    private static var threadNumber: UInt { UInt(bitPattern: Thread.current.hash) }
}
