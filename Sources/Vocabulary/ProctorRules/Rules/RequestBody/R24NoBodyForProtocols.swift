import ProctorEvents

struct R24NoBodyForProtocols: TraceMonitor {
    static let interests: EventNameSet = [.pStart, .bodySent, .askCredStore, .askCanAuth, .needBodyStream, .complete]

    /// The number of streams that each task with a started protocol object asked for.
    private var tasks: [Int: Int] = [:]

    private static let mostTasks = 1_024

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        if event.name == .pStart {
            if tasks[event.task] == nil, tasks.count < Self.mostTasks { tasks[event.task] = 0 }
            return
        }
        guard !tasks.isEmpty, event.lane == .task, let streams = tasks[event.task] else { return }
        switch event.name {
        case .complete: tasks[event.task] = nil
        case .needBodyStream where streams == 0: tasks[event.task] = 1
        default:
            tasks[event.task] = nil
            hits.report(
                RuleNumber(24),
                "\(event.name.rawValue) came while a custom protocol loads the task; a protocol has no way to cause it",
                at: event, in: event.laneID, isInferred: true)
        }
    }
}
