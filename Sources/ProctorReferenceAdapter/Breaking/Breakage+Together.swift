internal import ProctorBase
internal import ProctorReference

/// Mistakes with several tasks of one session at the same time; no rule names them.
extension Breakage {
    static let together: [Breakage] = [
        wrong(
            "one-task-at-a-time", "ask the next request when the one before is answered", transport: .usesOneConnection),
        wrong(
            "more-connections-than-allowed", "take no notice of the limit of connections to a host",
            transport: .ignoresConnectionLimit),
        callsOfAll("data-of-another-task", "deliver the content of another task that runs", MixedContent()) {
            call, task, content in content.calls(inPlaceOf: call, of: task)
        },
        callsOfAll("one-error-for-all", "end all tasks with the error of one", SharedFailure()) {
            call, task, failure in failure.calls(inPlaceOf: call, of: task)
        },
    ]

    /// `change` receives the calls of all tasks of a session, with a number for each task and the memory of all.
    private static func callsOfAll<Memory: Sendable>(
        _ label: String, _ name: String, _ memory: Memory,
        change: @escaping @Sendable (_ call: DelegateCall, _ task: Int, _ memory: inout Memory) -> [PlacedCall]
    ) -> Breakage {
        setting(label, name) { broken in
            broken.changeCallsOfAll(of: .session) {
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
}

/// The last content of any task; it goes to the task whose content comes next.
private struct MixedContent: Sendable {
    private var last: (task: Int, content: [UInt8])?

    mutating func calls(inPlaceOf call: DelegateCall, of task: Int) -> [PlacedCall] {
        switch call {
        case .data(let content):
            let other = last?.task == task ? nil : last?.content
            last = (task, content)
            return .made(.data(other ?? content))
        case .complete:
            if last?.task == task { last = nil }
            return .made(call)
        default: return .made(call)
        }
    }
}

/// The error of a task, until no task runs any longer.
private struct SharedFailure: Sendable {
    private var running: Set<Int> = []
    private var ended: Set<Int> = []
    private var error: LoadError?

    mutating func calls(inPlaceOf call: DelegateCall, of task: Int) -> [PlacedCall] {
        guard !ended.contains(task) else { return [] }
        switch call {
        case .created:
            running.insert(task)
            return .made(call)
        case .complete(let own):
            end(task)
            if !running.isEmpty { error = error ?? own }
            return .made(call)
        case .response, .data:
            guard let error, running.contains(task) else { return .made(call) }
            end(task)
            return .made(.metrics(ReferenceMetrics(exchangeCount: 1)), .complete(error))
        default: return .made(call)
        }
    }

    private mutating func end(_ task: Int) {
        running.remove(task)
        ended.insert(task)
        if running.isEmpty { error = nil }
    }
}
