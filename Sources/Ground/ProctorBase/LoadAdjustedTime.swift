/// A bound of time that the load of the machine does not use up: of each second counts the part for which work had a processor.
///
/// On an idle machine it is the time of the clock, and on a busy one up to twenty times as long (``MachineDelay``). The owner waits
/// for slices, one after the other, and looks after each of them whether what it waits for has come; one owner at a time.
package struct LoadAdjustedTime: Sendable {
    /// What is left, in nanoseconds of an idle machine.
    private var left: UInt64
    /// When the last slice began; nil before the first.
    private var begin: UInt64?
    private let clock: @Sendable () -> UInt64
    private let delay: MachineDelay

    /// The nanoseconds of a slice: not so long that the load has passed before it is measured, and not so short that the owner
    /// does nothing but look.
    private static let slices: ClosedRange<UInt64> = 1_000_000...1_000_000_000

    /// `clock` gives nanoseconds.
    package init(
        _ bound: Duration, delay: MachineDelay = .shared,
        clock: @escaping @Sendable () -> UInt64 = { MonotonicClock.nanoseconds }
    ) {
        left = bound.wholeNanoseconds
        (self.clock, self.delay) = (clock, delay)
    }

    /// How long to wait until the next look, at most a second; nil when the time is over.
    ///
    /// Counts the slice that has passed. From the second call on it may use 10 ms of processor time of the calling thread.
    package mutating func nextSlice() -> Duration? {
        let now = clock()
        if let begin {
            let used = Double(now &- begin) / delay.factor
            left -= min(left, UInt64(used))
            // The time that the measurement took is not counted.
            self.begin = clock()
        } else {
            begin = now
        }
        return left == 0 ? nil : .nanoseconds(min(max(left, Self.slices.lowerBound), Self.slices.upperBound))
    }
}
