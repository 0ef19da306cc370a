internal import ProctorBase
internal import ProctorReference

/// Faults with several concurrent tasks of one session, which no rule is about.
extension FaultHook {
    static let together: [String: FaultHook] = [
        "data-of-another-task": .callsOfAll(MixedContent()) {
            call, task, content in content.calls(inPlaceOf: call, of: task)
        },
        "one-error-for-all": .callsOfAll(SharedFailure()) {
            call, task, failure in failure.calls(inPlaceOf: call, of: task)
        },
    ]

    /// `change` gets the calls of all tasks of a session, with the number of the task and a memory that all tasks
    /// share.
    static func callsOfAll<Memory: Sendable>(
        _ memory: Memory,
        change: @escaping @Sendable (_ call: DelegateCall, _ task: Int, _ memory: inout Memory) -> [PlacedCall]
    ) -> FaultHook {
        FaultHook {
            let shared = Locked((count: 0, memory: memory))
            return {
                let task = shared.withLock { shared in
                    shared.count += 1
                    return shared.count
                }
                return CallChange(memory: ()) { call, _ in shared.withLock { change(call, task, &$0.memory) } }
            }
        }
    }
}

/// The last content of any task, which is given to the task that receives content next.
private struct MixedContent: Sendable {
    private var last: (task: Int, content: [UInt8])?

    mutating func calls(inPlaceOf call: DelegateCall, of task: Int) -> [PlacedCall] {
        switch call {
        case .data(let content):
            let other = last?.task == task ? nil : last?.content
            last = (task, content)
            return .placing(.data(other ?? content))
        case .complete:
            if last?.task == task { last = nil }
            return .placing(call)
        default: return .placing(call)
        }
    }
}

/// The error of a task, kept until no task runs any longer.
private struct SharedFailure: Sendable {
    private var running: Set<Int> = []
    private var ended: Set<Int> = []
    private var error: LoadError?

    mutating func calls(inPlaceOf call: DelegateCall, of task: Int) -> [PlacedCall] {
        guard !ended.contains(task) else { return [] }
        switch call {
        case .created:
            running.insert(task)
            return .placing(call)
        case .complete(let own):
            recordEnd(of: task)
            if !running.isEmpty { error = error ?? own }
            return .placing(call)
        case .response, .data:
            guard let error, running.contains(task) else { return .placing(call) }
            recordEnd(of: task)
            return .placing(.metrics(ReferenceMetrics(exchangeCount: 1)), .complete(error))
        default: return .placing(call)
        }
    }

    private mutating func recordEnd(of task: Int) {
        running.remove(task)
        ended.insert(task)
        if running.isEmpty { error = nil }
    }
}
