package import ProctorBase
package import ProctorRecorder
package import ProctorTrace

/// One shape's way of doing the steps of an assignment; made once for an assignment.
///
/// Ended once: by ``finish(before:)`` after the last step, by ``abandon()`` where there is no such end.
package protocol StepClient: Sendable {
    /// Why this shape cannot do the assignment, in words that name the key; nil when it can.
    ///
    /// Asked before anything is done. What every shape lacks is found by the caller: see ``StepSupport``.
    static func missing(for assignment: Assignment) -> String?

    /// Sets up what the steps share; no request is made.
    ///
    /// `breaking` is what this client is to do wrong, nil for one that does all right.
    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure)

    /// Does one step and writes all of it down, from `resume` to `result`; `end` is an instant of ``MonotonicClock``.
    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd

    /// Ends what the steps shared; false when it does not say in time that it has ended.
    ///
    /// Returns at `end` at the latest, an instant of ``MonotonicClock``.
    func finish(before end: UInt64) async -> Bool

    /// Cancels what is under way and lets go of threads and connections; waits for none of that.
    ///
    /// Also after an end that did not come in time. What callbacks still come is for the caller to leave out.
    func abandon()
}

/// How a step went on.
package enum StepEnd: Sendable, Equatable {
    /// It had its end.
    case finished
    /// Its end had not come when the time was over; it is left as it is.
    case outOfTime
    /// It could not be done, which the trace says.
    case unimplemented
}
