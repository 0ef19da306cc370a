internal import ProctorBase
package import ProctorProgram

/// The task, connection or download of a step; ``StepRecord`` records each act before it calls this.
package protocol StepTask: Sendable {
    /// Whether the task has its own delegate (R55).
    var hasDelegate: Bool { get }
    /// Whether ``suspend()`` has an effect.
    var canBeSuspended: Bool { get }
    var canLeaveResumeData: Bool { get }
    /// The Swift name of the method that made the task, which `resume` records; nil when it is not recorded.
    var method: String? { get }

    /// Starts the task, or continues it after ``suspend()``.
    func resume()

    /// Stops reading, and suspends all time limits.
    func suspend()

    func cancel()

    /// Cancels and asks for resume data: its size in bytes, nil when there is none.
    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void)
}

extension StepTask {
    package var hasDelegate: Bool { false }
    package var canBeSuspended: Bool { true }
    package var canLeaveResumeData: Bool { true }
    package var method: String? { nil }

    /// The default, for clients without resume data.
    package func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        cancel()
        handler(nil)
    }
}

/// How the run of an assignment, or one of its steps, ended.
public enum AssignmentEnding: Sendable, Equatable {
    /// Every step ended, and the session too.
    case finished
    /// A step had not ended at the deadline; its session is left running.
    case outOfTime
    /// The client cannot do a step or the session's set-up; the trace says which.
    case unimplemented
}

/// An end of the session during the program's first step.
package struct PlannedSessionEnd: Sendable {
    package let moment: Assignment.Moment
    /// Ends the session; only the first call has an effect.
    package let end: @Sendable () -> Void

    /// nil for other steps, and when the program has no such end.
    package init?(_ setup: SessionSetup, atStep index: Int, end: @escaping @Sendable () -> Void) {
        guard index == 0, let moment = setup.endAt else { return nil }
        (self.moment, self.end) = (moment, end)
    }
}

extension Duration {
    /// The time from now to an instant of ``MonotonicClock``; zero when the instant is over.
    package static func left(until end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end - min(end, MonotonicClock.nanoseconds)))
    }
}
