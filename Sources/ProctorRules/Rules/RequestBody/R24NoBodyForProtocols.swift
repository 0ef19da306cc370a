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
            a session may add some of its own accord, so it is only noted; needs lane proto with the number of the task
            """,
        legal: "response(200) data+ complete(ok)", illegal: "bodySent response(200) data+ complete(ok)",
        explains: [
            // Progress of a body that a protocol cannot report adds up to nothing.
            .init(23, .lane)
        ])
}

/// Sees the objects and the tasks they work for.
struct R24NoBodyForProtocols: TraceMonitor {
    static var rule: Rule { Rules.r24 }
    static let interests: EventNameSet = [.pStart, .bodySent, .askCredStore, .askCanAuth, .needBodyStream, .complete]

    /// Tasks whose protocol object was started, with the streams that were asked for.
    private var tasks: [Int: Int] = [:]

    private static let mostTasks = 1_024

    init(platform: Platform) {}

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
                Self.rule,
                "\(event.name.rawValue) came while a custom protocol loads the task; a protocol has no way to cause it",
                at: event, in: event.laneID, isInferred: true)
        }
    }
}
