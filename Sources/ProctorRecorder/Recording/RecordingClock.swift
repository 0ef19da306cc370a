internal import ProctorBase

/// The clock whose times stand in a trace.
package struct RecordingClock: Sendable {
    /// Nanoseconds since an arbitrary past moment.
    package let now: @Sendable () -> UInt64
    /// Equal for clocks that count from the same moment; nil where that is unknown.
    package let identity: String?

    package init(identity: String?, now: @escaping @Sendable () -> UInt64) {
        self.identity = identity
        self.now = now
    }

    /// That of this machine, which a server on the same machine has too.
    package static let system = RecordingClock(identity: MonotonicClock.identity) { MonotonicClock.nanoseconds }

    /// Whether another clock is this one, when it was read after `start`, by this clock, and before now.
    ///
    /// Where one identity is unknown the reading alone decides: two clocks that are started apart have other readings.
    package func isSame(asOneThatReads nanoseconds: UInt64, identity other: String?, since start: UInt64) -> Bool {
        if let identity, let other, identity != other { return false }
        let end = now()
        return start <= nanoseconds && nanoseconds <= end
    }
}
