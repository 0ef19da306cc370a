import ProctorEvents

extension Rules {
    static let r24 = Rule(
        24, title: "a URLProtocol has no words for a body",
        statement: """
            A custom protocol has no words for the request's body: no bodySent, no askCredStore or askCanAuth, and \
            no needBodyStream but the first, which the session asks. willCache may come.
            """,
        source: "CustomHTTPProtocol Read Me; URLSessionDataDelegate reference", confidence: .documented,
        families: [.urlProtocol],
        monitors: [.trace(R24NoBodyForProtocols.self)],
        limits: """
            The trace must have lane proto with the number of the task. A session may report some of these events by \
            itself, so a breach is only noted
            """,
        legal: "response(200) data+ complete(ok)", illegal: "bodySent response(200) data+ complete(ok)",
        explains: [
            // The progress totals of a body that a protocol cannot report are no sums.
            .init(23, .lane)
        ])
}

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
                Rules.r24,
                "\(event.name.rawValue) came while a custom protocol loads the task; a protocol has no way to cause it",
                at: event, in: event.laneID, isInferred: true)
        }
    }
}
