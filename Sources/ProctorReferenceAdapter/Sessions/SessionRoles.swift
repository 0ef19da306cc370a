internal import ProctorBase
internal import ProctorReference

/// Which step a task of a session belongs to.
final class SessionRoles: Sendable {
    private let state = Locked(State())

    private struct State {
        var records: [Int: StepRecord] = [:]
        /// Of the step that runs, which makes one task.
        var current: StepRecord?
    }

    /// Tasks that nobody has seen yet belong to this step.
    func begin(_ record: StepRecord) { state.withLock { $0.current = record } }

    func assign(_ record: StepRecord, to task: Int) { state.withLock { $0.records[task] = record } }

    /// nil before the first step.
    func record(of task: ReferenceTask) -> StepRecord? {
        state.withLock { state in
            if let record = state.records[task.number] { return record }
            state.records[task.number] = state.current
            return state.current
        }
    }
}
