/// What one call may cost: steps, time, and a flag by which its caller ends it.
///
/// Handed down from whoever calls to the loops that do the work, which count their steps here. It belongs to the thread
/// that works; other threads end the work by its ``CancelFlag``. Spent once, it stays spent.
package final class WorkBudget {
    /// How many steps were counted.
    @usableFromInline package internal(set) var stepCount = 0
    /// The count of steps at which the bounds are looked at again.
    @usableFromInline var nextLook = 0

    private let stepLimit: Int
    private let time: Duration?
    /// Nanoseconds of ``MonotonicClock``.
    private let deadline: UInt64
    private let flag: CancelFlag?
    /// The bound that was reached; nil while there is none.
    package private(set) var spent: SpentBudget?

    /// Steps between two looks at the clock and the flag.
    private static let lookInterval = 1_024

    /// The time begins now; without arguments there is no bound.
    package init(stepLimit: Int = .max, time: Duration? = nil, flag: CancelFlag? = nil) {
        self.stepLimit = stepLimit
        self.time = time
        self.flag = flag
        let (end, isBeyond) = MonotonicClock.nanoseconds.addingReportingOverflow(time?.wholeNanoseconds ?? .max)
        deadline = isBeyond ? .max : end
    }

    /// Counts steps, of which each takes a bounded time below a few microseconds; throws when a bound is reached.
    @inlinable package func spend(_ count: Int = 1) throws(SpentBudget) {
        let (sum, isBeyond) = stepCount.addingReportingOverflow(count)
        stepCount = isBeyond ? .max : sum
        if stepCount >= nextLook { try look() }
    }

    /// Whether a bound is reached; looks at all of them.
    package var isSpent: Bool { (try? look()) == nil }

    /// Counts a step where nothing can be thrown; the next ``spend(_:)`` throws what it has spent.
    @inlinable package func noteStep() { stepCount &+= 1 }

    /// Looks at all bounds now, as behind a step that may take long; throws when one is reached.
    package func look() throws(SpentBudget) {
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
    /// The caller has gone, or the server stops.
    case cancelled

    /// Half a sentence that names the bound, without what to do.
    package var description: String {
        switch self {
        case .steps(let limit): "it takes more than \(limit) steps, which is the bound"
        case .time(let limit): "it takes longer than \(limit), which is the bound"
        case .cancelled: "it was cancelled"
        }
    }
}

/// Ends work from any thread; once set it stays set.
package final class CancelFlag: Sendable {
    private let value = Locked(false)

    package init() {}

    package var isSet: Bool { value.withLock(\.self) }

    package func set() { value.withLock { $0 = true } }
}
