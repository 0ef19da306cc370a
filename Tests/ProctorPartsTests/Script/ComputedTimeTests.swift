import ProctorBase
import Testing

@testable import ProctorScript

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The time that a script computes.
struct ComputedTimeTests {
    private let bound: UInt64 = 40_000_000

    /// Computes, and looks as often as a script does; whether the bound was reached.
    private func compute(_ nanoseconds: UInt64, _ time: inout ComputedTime) -> Bool {
        let start = ThreadClock.nanoseconds
        var isOver = time.isOver(bound)
        while ThreadClock.nanoseconds &- start < nanoseconds { isOver = time.isOver(bound) }
        return isOver
    }

    @Test func `time without a processor is not counted, and computing is`() {
        var time = ComputedTime()
        time.startComputing()
        let atOnce = time.isOver(bound)
        usleep(60_000)
        let later = time.isOver(bound)
        let computed = compute(45_000_000, &time)
        #expect(!atOnce && !later && computed)
    }

    @Test func `the parts of a script between its waits are added`() {
        var time = ComputedTime()
        for part in 0..<3 {
            time.startComputing()
            let isOver = compute(9_000_000, &time)
            #expect(!isOver, "part \(part)")
            time.stopComputing()
            usleep(20_000)
        }
        time.startComputing()
        let isOver = compute(25_000_000, &time)
        #expect(isOver)
    }
}
