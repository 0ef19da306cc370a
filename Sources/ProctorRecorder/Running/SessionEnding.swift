internal import ProctorBase
import ProctorEvents
package import ProctorProgram

/// How the session of a program ends: once, written down before it is done, and said by the session when it is over.
package final class SessionEnding: Sendable {
    private let isCancelling: Bool
    private let recorder: TraceRecorder
    private let hasBegun = Locked(false)

    /// One that does not say so in this time does not say it at all, and rule R43 will speak of it.
    package static let patience = Duration.seconds(5)

    /// Of a session that is set up like this; nothing happens yet.
    package init(_ setup: SessionSetup, recordingTo recorder: TraceRecorder) {
        isCancelling = setup.end == .invalidate
        self.recorder = recorder
    }

    /// Writes `invalidate` and has it done, the first time; from any thread.
    ///
    /// `session` is its number in the trace.
    package func begin(session: @autoclosure () -> Int = 0, _ invalidate: (_ isCancelling: Bool) -> Void) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        recorder.record(
            TraceEvent(
                lane: .harness, task: session(), name: .invalidate, argument: isCancelling ? "cancel" : "finish"))
        invalidate(isCancelling)
    }

    /// Waits for the return of `sessionInvalid`, which only a session with a delegate tells; false when it did not come.
    ///
    /// `end` is an instant of ``MonotonicClock``; it waits for ``patience`` at most.
    package func isTold(before end: UInt64) async -> Bool {
        let event = await recorder.event(within: min(.left(until: end), Self.patience)) {
            $0.name == .sessionInvalid && $0.phase == .exit
        }
        return event != nil
    }
}

/// An end of the session that a program wants in the middle of its first step.
package struct PlannedSessionEnd: Sendable {
    /// When, of that step.
    package let moment: Assignment.Moment
    /// Ends the session, once however often it is called.
    package let end: @Sendable () -> Void

    /// nil for other steps, and where the program wants none.
    package init?(_ setup: SessionSetup, atStep index: Int, end: @escaping @Sendable () -> Void) {
        guard index == 0, let moment = setup.endAt else { return nil }
        self.moment = moment
        self.end = end
    }
}
