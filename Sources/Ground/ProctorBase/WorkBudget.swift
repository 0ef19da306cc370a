/// Bounds the cost of one call: steps, time, and a flag by which its caller cancels it.
///
/// The caller passes it down to the loops that do the work, which count their steps. It belongs to the thread that
/// works; other threads end the work by its ``CancelFlag``. Once a bound is reached, every later check throws.
package final class WorkBudget {
    /// How many steps were counted.
    @usableFromInline package internal(set) var stepCount = 0
    /// The step count at which the bounds are checked again.
    @usableFromInline var nextLook = 0

    private let stepLimit: Int
    private let time: Duration?
    /// Nanoseconds of ``MonotonicClock``.
    private let deadline: UInt64
    private let flag: CancelFlag?
    /// The bound that was reached; nil before.
    package private(set) var spent: SpentBudget?

    /// The number of steps between two checks of the clock and the flag.
    private static let lookInterval = 1_024

    /// Starts the time; a bound without an argument is unlimited.
    package init(stepLimit: Int = .max, time: Duration? = nil, flag: CancelFlag? = nil) {
        (self.stepLimit, self.time, self.flag) = (stepLimit, time, flag)
        let (end, isBeyond) = MonotonicClock.nanoseconds.addingReportingOverflow(time?.wholeNanoseconds ?? .max)
        deadline = isBeyond ? .max : end
    }

    /// Counts steps, each of at most a few microseconds; throws when a bound is reached.
    @inlinable package func spend(_ count: Int = 1) throws(SpentBudget) {
        let (sum, isBeyond) = stepCount.addingReportingOverflow(count)
        stepCount = isBeyond ? .max : sum
        if stepCount >= nextLook { try checkBounds() }
    }

    /// Whether a bound is reached; checks all of them.
    package var isSpent: Bool { (try? checkBounds()) == nil }

    /// Counts a step where the caller cannot throw; the next ``spend(_:)`` throws instead.
    @inlinable package func noteStep() { stepCount &+= 1 }

    /// Checks all bounds now, as after a step that may take long; throws when one is reached.
    package func checkBounds() throws(SpentBudget) {
        if let spent { throw spent }
        if flag?.isSet ?? false {
            spent = .cancelled
        } else if stepCount > stepLimit {
            spent = .steps(limit: stepLimit)
        } else if let time, MonotonicClock.nanoseconds >= deadline {
            spent = .time(limit: time)
        }
        if let spent {
            nextLook = 0
            throw spent
        }
        let (next, isBeyond) = stepCount.addingReportingOverflow(Self.lookInterval)
        nextLook = isBeyond ? .max : next
        if nextLook > stepLimit { nextLook = stepLimit + 1 }
    }
}

/// Which bound of a ``WorkBudget`` was reached.
package enum SpentBudget: Error, Equatable, CustomStringConvertible {
    case steps(limit: Int)
    case time(limit: Duration)
    /// The caller has left, or the server stops.
    case cancelled

    /// Half a sentence that names the bound, without advice.
    package var description: String {
        switch self {
        case .steps(let limit): "it takes more than \(limit) steps, which is the bound"
        case .time(let limit): "it takes longer than \(limit), which is the bound"
        case .cancelled: "it was cancelled"
        }
    }
}

/// Cancels work from any thread; once set it stays set.
package final class CancelFlag: Sendable {
    private let value = Locked(false)

    package init() {}

    package var isSet: Bool { value.withLock(\.self) }

    package func set() { value.withLock { $0 = true } }
}
