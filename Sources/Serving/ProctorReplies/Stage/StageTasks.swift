internal import ProctorBase

/// The tasks that go on behind the replies of a run, which this owns; any thread.
///
/// A reset and the end of the stage cancel them.
package final class StageTasks: Sendable {
    private struct State {
        /// The tasks, by a number of their own; those that are over are taken out.
        var tasks: [Int: Task<Void, Never>] = [:]
        var begunCount = 0
        var numberCount = 0
    }

    private let state = Locked(State())

    /// Tasks that may be under way at a time.
    package static let limit = 1_000

    init() {}

    deinit { cancelAll() }

    /// Begins a task and keeps it until it is over; false where ``limit`` tasks are under way.
    ///
    /// `start` makes the task, which calls what it is given when it is over.
    package func beginTask(_ start: (_ end: @escaping @Sendable () -> Void) -> Task<Void, Never>) -> Bool {
        state.withLock { state in
            guard state.tasks.count < Self.limit else { return false }
            let number = state.begunCount
            state.begunCount += 1
            // The end waits for this lock, so it finds the task.
            state.tasks[number] = start { [weak self] in self?.state.withLock { $0.tasks[number] = nil } }
            return true
        }
    }

    /// The next number of what such tasks send in the run, from 0.
    package func nextNumber() -> Int {
        state.withLock { state in
            defer { state.numberCount += 1 }
            return state.numberCount
        }
    }

    func cancelAll() {
        let tasks = state.withLock { state in
            defer { (state.tasks, state.numberCount) = ([:], 0) }
            return state.tasks.values.map(\.self)
        }
        for task in tasks { task.cancel() }
    }
}
