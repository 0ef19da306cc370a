internal import ProctorBase
import ProctorEvents
package import ProctorProgram

/// One client's way of doing the steps of an assignment; made once for an assignment.
package protocol StepClient: Sendable {
    /// Does one step and writes all of it down, from `resume` to `result`; `end` is an instant of ``MonotonicClock``.
    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending

    /// Ends what the steps shared; false when it does not say in time that it has ended.
    ///
    /// Returns at `end` at the latest, an instant of ``MonotonicClock``.
    func finish(before end: UInt64) async -> Bool
}

extension Assignment {
    /// The instant of ``MonotonicClock`` at which an adapter gives up that begins now.
    package var end: UInt64 { MonotonicClock.nanoseconds &+ Duration.milliseconds(deadline).wholeNanoseconds }

    /// Has a client do the steps one after the other, until one of them does not end well.
    package func perform(with client: some StepClient, before end: UInt64) async -> AssignmentRunner.Ending {
        for (index, step) in steps.enumerated() {
            let ending = await client.perform(step, index: index, before: end)
            guard ending == .finished else { return ending }
        }
        return await client.finish(before: end) ? .finished : .outOfTime
    }
}

extension TraceRecorder {
    /// Whether nothing can be left of an assignment that ended so.
    package func isClean(after ending: AssignmentRunner.Ending) -> Bool {
        ending == .finished || ending == .unimplemented && !events.contains { $0.name == .resume }
    }

    /// Says that an assignment can't be done, before anything is.
    package func refuse(_ reason: String) -> AssignmentRunner.Ending {
        record(TraceEvent(lane: .harness, name: .unimplemented, argument: reason))
        return .unimplemented
    }
}

/// What a step does to the task, connection or download of a client; ``StepRecord`` writes it down first.
package protocol StepTask: Sendable {
    /// Whether the task has a delegate of its own (R55).
    var hasDelegate: Bool { get }
    /// Whether ``suspend()`` does anything.
    var canBeSuspended: Bool { get }
    /// Whether it can be cancelled by producing resume data.
    var canLeaveResumeData: Bool { get }

    /// Begins, or goes on after ``suspend()``.
    func resume()

    /// Reads nothing more and lets no time run out.
    func suspend()

    /// Asks for the end.
    func cancel()

    /// Asks for the end and for what another download can go on with: its size in bytes, nil when there is nothing.
    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void)
}

extension StepTask {
    package var hasDelegate: Bool { false }
    package var canBeSuspended: Bool { true }
    package var canLeaveResumeData: Bool { true }

    /// For clients that have no resume data.
    package func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        cancel()
        handler(nil)
    }
}

/// The call of an `async` method, in a task of Swift's that can be cancelled.
package final class AwaitedCall: StepTask {
    package let hasDelegate: Bool
    private let call: @Sendable () async -> Void
    private let state = Locked(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// Nothing is called before ``resume()``.
    package init(hasDelegate: Bool, _ call: @escaping @Sendable () async -> Void) {
        self.hasDelegate = hasDelegate
        self.call = call
    }

    package var canBeSuspended: Bool { false }
    package var canLeaveResumeData: Bool { false }

    /// In a task that is cancelled already, where ``cancel()`` came first.
    package func resume() {
        state.withLock { state in
            guard state.task == nil else { return }
            let isCancelled = state.isCancelled
            state.task = Task { [call] in
                if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                await call()
            }
        }
    }

    package func suspend() {}

    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }
}

extension Duration {
    /// From now to an instant of ``MonotonicClock``, in nanoseconds; zero when that is over.
    package static func left(until end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end - min(end, MonotonicClock.nanoseconds)))
    }
}
