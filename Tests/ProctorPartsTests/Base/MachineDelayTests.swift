import ProctorBase
import Testing

struct MachineDelayTests {
    @Test func `the delay is measured after two seconds, and falls at most to a half`() {
        let found = Locked<[Double]>([40, 1, 0.2, 3])
        let now = Locked<UInt64>(5)
        let delay = MachineDelay(clock: { now.withLock { $0 } }) { found.withLock { $0.removeFirst() } }
        #expect(delay.factor == 20)
        now.withLock { $0 += 1_999_999_999 }
        #expect(delay.factor == 20)
        for expected in [10.0, 5, 3] {
            now.withLock { $0 += 2_000_000_000 }
            #expect(delay.factor == expected)
        }
        #expect(found.withLock { $0.isEmpty })
    }

    @Test func `work on this machine takes at least as long as its processor time`() {
        let factor = MachineDelay.measureByWork()
        #expect(factor > 0.9 && factor.isFinite)
    }
}

struct LoadAdjustedTimeTests {
    /// A clock that a test moves, and a machine whose delay a test sets.
    private final class Machine: Sendable {
        let now = Locked<UInt64>(0)
        let factor = Locked(1.0)

        var clock: @Sendable () -> UInt64 { { self.now.withLock { $0 } } }

        func time(_ bound: Duration) -> LoadAdjustedTime {
            let delay = MachineDelay(clock: clock) { self.factor.withLock { $0 } }
            return LoadAdjustedTime(bound, delay: delay, clock: clock)
        }

        func pass(_ nanoseconds: UInt64) { now.withLock { $0 += nanoseconds } }
    }

    @Test func `on an idle machine the time is that of the clock, in slices of a second`() {
        let machine = Machine()
        var time = machine.time(.milliseconds(2_500))
        var slices: [Duration] = []
        while let slice = time.nextSlice() {
            slices.append(slice)
            machine.pass(slice.wholeNanoseconds)
        }
        #expect(slices == [.seconds(1), .seconds(1), .milliseconds(500)])
    }

    @Test func `where work takes four times as long, so does the time`() {
        let machine = Machine()
        machine.factor.withLock { $0 = 4 }
        var time = machine.time(.seconds(30))
        while let slice = time.nextSlice() { machine.pass(slice.wholeNanoseconds) }
        let seconds = Double(machine.now.withLock { $0 }) / 1e9
        #expect(seconds > 119 && seconds < 122)
    }

    @Test func `a wait that was late counts for what the machine gave`() {
        let machine = Machine()
        var time = machine.time(.seconds(30))
        _ = time.nextSlice()
        machine.factor.withLock { $0 = 20 }
        machine.pass(100_000_000_000)
        #expect(time.nextSlice() != nil)
        machine.factor.withLock { $0 = 1 }
        machine.pass(1_000_000_000_000)
        #expect(time.nextSlice() == nil)
    }
}
