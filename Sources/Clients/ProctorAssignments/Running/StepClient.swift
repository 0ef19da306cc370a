internal import ProctorBase
import ProctorEvents
package import ProctorProgram
package import ProctorRecorder

/// A client's implementation of steps; one is made for each assignment.
package protocol StepClient: Sendable {
    /// Runs one step and records it from `resume` to `result`; `end` is an instant of ``MonotonicClock``.
    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending

    /// Ends what the steps shared, such as a session; false when it does not end in time.
    ///
    /// Returns at `end` at the latest, an instant of ``MonotonicClock``.
    func finish(before end: UInt64) async -> Bool
}

extension Assignment {
    /// The instant of ``MonotonicClock`` at which an adapter that starts now gives up.
    package var end: UInt64 { MonotonicClock.nanoseconds &+ Duration.milliseconds(deadline).wholeNanoseconds }

    /// Runs the steps in order, until one of them does not end well; steps that begin together run concurrently.
    ///
    /// `recorder` is that of the client's ``StepRecord``s, which tell it when a step has begun.
    package func perform(
        with client: some StepClient, recordingTo recorder: TraceRecorder, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        for group in stepsTogether {
            let ending =
                group.count == 1
                ? await client.perform(steps[group.lowerBound], index: group.lowerBound, before: end)
                : await performAtOnce(group, with: client, recordingTo: recorder, before: end)
            guard ending == .finished else { return ending }
        }
        return await client.finish(before: end) ? .finished : .outOfTime
    }

    /// Begins the steps in their order, each after the begin of the one before, and waits until all have ended.
    private func performAtOnce(
        _ group: Range<Int>, with client: some StepClient, recordingTo recorder: TraceRecorder, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        await withTaskGroup { tasks in
            for index in group {
                let step = steps[index]
                tasks.addTask {
                    let ending = await client.perform(step, index: index, before: end)
                    // A step that could not begin does not block the next ones.
                    recorder.startedSteps.add(index)
                    return ending
                }
                await recorder.startedSteps.wait(for: index)
            }
            var worst = AssignmentRunner.Ending.finished
            for await ending in tasks where worst == .finished { worst = ending }
            return worst
        }
    }

    /// The index ranges of steps that begin together; a single step is a range of one.
    private var stepsTogether: [Range<Int>] {
        var groups: [Range<Int>] = []
        for (index, step) in steps.enumerated() {
            if step.isTogether, let last = groups.popLast() {
                groups.append(last.lowerBound..<index + 1)
            } else {
                groups.append(index..<index + 1)
            }
        }
        return groups
    }
}

extension TraceRecorder {
    /// Whether, after such an ending, no session, task or file of the assignment remains.
    package func isClean(after ending: AssignmentRunner.Ending) -> Bool {
        ending == .finished || ending == .unimplemented && !events.contains { $0.name == .resume }
    }

    /// Records that an assignment cannot run, before the first step.
    package func refuse(_ reason: String) -> AssignmentRunner.Ending {
        record(TraceEvent(lane: .harness, name: .unimplemented, argument: reason))
        return .unimplemented
    }
}

/// The call of an `async` method, in a Swift task that can be cancelled.
package final class AwaitedCall: StepTask {
    package let hasDelegate: Bool
    private let call: @Sendable () async -> Void
    private let state = Locked(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    package init(hasDelegate: Bool, _ call: @escaping @Sendable () async -> Void) {
        (self.hasDelegate, self.call) = (hasDelegate, call)
    }

    package var canBeSuspended: Bool { false }
    package var canLeaveResumeData: Bool { false }

    /// Runs in a cancelled task when ``cancel()`` was called first.
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

    /// Waits until the call has returned; at once where it was never begun.
    package func waitForReturn() async { await state.withLock { $0.task }?.value }

    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }
}

/// The end of a program's session: begun once, recorded before it is begun, and confirmed by the session.
package final class SessionEnding: Sendable {
    private let isCancelling: Bool
    private let recorder: TraceRecorder
    private let hasBegun = Locked(false)

    /// A session that does not confirm its end within this time counts as not ended (R43).
    package static let patience = Duration.seconds(5)

    package init(_ setup: SessionSetup, recordingTo recorder: TraceRecorder) {
        isCancelling = setup.end == .invalidate
        self.recorder = recorder
    }

    /// Records `invalidate` and calls it, the first time only; any thread may call it.
    ///
    /// `session` is its number in the trace.
    package func start(session: @autoclosure () -> Int = 0, _ invalidate: (_ isCancelling: Bool) -> Void) {
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

    /// Waits for the return of `sessionInvalid`, which is called only with a delegate; false when it did not come.
    ///
    /// `end` is an instant of ``MonotonicClock``; the wait is at most ``patience``.
    package func isTold(before end: UInt64) async -> Bool {
        let event = await recorder.event(within: min(.left(until: end), Self.patience)) {
            $0.name == .sessionInvalid && $0.phase == .exit
        }
        return event != nil
    }
}
