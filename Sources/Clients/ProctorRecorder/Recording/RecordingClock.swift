internal import ProctorBase

/// The clock of the times in a trace.
package struct RecordingClock: Sendable {
    /// Nanoseconds since an arbitrary past moment.
    package let now: @Sendable () -> UInt64
    /// Equal for clocks that count from the same moment; nil when that is unknown.
    package let identity: String?

    package init(identity: String?, now: @escaping @Sendable () -> UInt64) {
        (self.identity, self.now) = (identity, now)
    }

    /// The clock of this machine, which a server on the same machine uses too.
    package static let system = RecordingClock(identity: MonotonicClock.identity) { MonotonicClock.nanoseconds }

    /// Whether another clock is this one, by a reading of the other taken between `start`, by this clock, and now.
    ///
    /// When one identity is unknown, only the reading decides: clocks that count from different moments have different
    /// readings.
    package func isSame(asOneThatReads nanoseconds: UInt64, identity other: String?, since start: UInt64) -> Bool {
        if let identity, let other, identity != other { return false }
        let end = now()
        return start <= nanoseconds && nanoseconds <= end
    }
}
