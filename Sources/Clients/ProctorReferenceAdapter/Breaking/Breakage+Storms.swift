internal import ProctorBase
internal import ProctorReference

/// Mistakes with several concurrent tasks of one session that a storm has to find.
extension FaultHook {
    static let storms: [String: FaultHook] = [
        "storm-end-lost": .besideOthers { call, task, others in
            if case .complete = call, others.failed(since: task) { return [] }
            return .placing(call)
        },
        "storm-end-twice": .besideOthers { call, task, others in
            if case .complete = call, others.cancelled(since: task) { return .placing(call, call) }
            return .placing(call)
        },
        "storm-piece-lost": .besideOthers { call, task, others in
            if case .data = call, others.pieceCount(of: task) > 1, others.count >= 3 { return [] }
            return .placing(call)
        },
        "storm-loss-is-an-end": .besideOthers { call, task, others in
            guard case .complete(let error?) = call, error.kind == .connectionLost, others.hasResponse(task),
                others.count >= 2
            else { return .placing(call) }
            return .placing(.complete(nil))
        },
        "storm-data-behind-failure": .besideOthers { call, task, others in
            guard case .complete(.some) = call, others.hasResponse(task), others.count >= 2 else {
                return .placing(call)
            }
            return .placing(call, .data([UInt8(ascii: "x")]))
        },
        "storm-late-content": .besideOthers { call, _, others in
            guard case .data = call, let piece = others.abandoned else { return .placing(call) }
            return .placing(.data(piece))
        },
        "storm-response-lost": .besideOthers { call, task, others in
            if case .response = call, others.failed(since: task) { return [] }
            return .placing(call)
        },
    ]

    /// `change` knows the tasks that run beside the one of the call.
    private static func besideOthers(
        _ change: @escaping @Sendable (_ call: DelegateCall, _ task: Int, _ others: RunningTasks) -> [PlacedCall]
    ) -> FaultHook {
        .callsOfAll(RunningTasks()) { call, task, tasks in
            tasks.readBeginning(call, of: task)
            let calls = change(call, task, tasks)
            tasks.readEnd(call, of: task)
            return calls
        }
    }
}

/// The tasks of a session that run, and what has become of others in the meantime.
private struct RunningTasks: Sendable {
    private var running: [Int: Course] = [:]
    /// The last piece of a load that was given up, until another one has a piece.
    private(set) var abandoned: [UInt8]?

    private struct Course: Sendable {
        var pieceCount = 0
        var hasResponse = false
        var piece: [UInt8]?
        /// Whether another task has failed, or was cancelled, since this one began.
        var hasSeenFailure = false
        var hasSeenCancel = false
    }

    var count: Int { running.count }

    func failed(since task: Int) -> Bool { running[task]?.hasSeenFailure ?? false }
    func cancelled(since task: Int) -> Bool { running[task]?.hasSeenCancel ?? false }
    func pieceCount(of task: Int) -> Int { running[task]?.pieceCount ?? 0 }
    func hasResponse(_ task: Int) -> Bool { running[task]?.hasResponse ?? false }

    mutating func readBeginning(_ call: DelegateCall, of task: Int) {
        switch call {
        case .created: running[task] = Course()
        case .response: running[task]?.hasResponse = true
        case .data(let piece):
            running[task]?.pieceCount += 1
            running[task]?.piece = piece
        default: break
        }
    }

    mutating func readEnd(_ call: DelegateCall, of task: Int) {
        if case .data = call { abandoned = nil }
        guard case .complete(let error) = call else { return }
        let piece = running[task]?.piece
        running[task] = nil
        guard let error else { return }
        if error.kind == .timedOut || error.kind == .cancelled { abandoned = piece ?? abandoned }
        for other in running.keys {
            if error.kind == .cancelled {
                running[other]?.hasSeenCancel = true
            } else {
                running[other]?.hasSeenFailure = true
            }
        }
    }
}
