import ProctorBase
import ProctorTestSupport
import Testing

@Suite(.limit(minutes: 5))
struct LockedTests {
    @Test func `no step of many tasks is lost`() async {
        let locked = Locked((count: 0, last: 0))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for _ in 0..<20_000 {
                        locked.withLock { value in
                            value.count += 1
                            value.last = worker
                        }
                    }
                }
            }
        }
        #expect(locked.withLock { $0.count } == 160_000)
        #expect((0..<8).contains(locked.withLock { $0.last }))
    }

    @Test func `an error inside leaves the lock free, and what was changed stays`() throws {
        struct Refusal: Error {}
        let locked = Locked([1])
        #expect(throws: Refusal.self) {
            try locked.withLock { value throws(Refusal) in
                value.append(2)
                throw Refusal()
            }
        }
        #expect(locked.withLock { $0 } == [1, 2])
    }

    @Test func `the value goes with the lock`() {
        final class Kept: Sendable {}
        weak var kept: Kept?
        do {
            let value = Kept()
            kept = value
            let locked = Locked(value)
            #expect(locked.withLock { $0 === value })
        }
        #expect(kept == nil)
    }
}
