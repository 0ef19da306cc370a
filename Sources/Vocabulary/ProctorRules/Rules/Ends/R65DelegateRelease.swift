import ProctorEvents

/// The number of a session's delegate is that of its session, the number of a connection's that of its load.
struct R65DelegateRelease: TraceMonitor {
    static let interests: EventNameSet = .all

    /// Loads that have ended or were cancelled.
    private var ended: Set<Int> = []
    private var endedSessions: Set<Int> = []
    private var isFull = false

    private static let mostEnded = 4_096
    /// Their loads have a delegate each.
    private static let ofLoads: Set<CallbackFamily> = [.connection, .connectionDownload, .download]

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        switch event.lane {
        case .task:
            if (family ?? .sessionData).isEnded(by: event.name) { recordEnd(of: event.task) }
        case .session:
            if event.name == .sessionInvalid { endedSessions.insert(event.task) }
        case .harness:
            if event.name == .cancel, event.object == nil { recordEnd(of: event.task) }
            if event.name == .delegateReleased { judge(event, into: &hits) }
        case .handler, .proto, .protocolClient, .wire: break
        }
    }

    private mutating func recordEnd(of task: Int) {
        if ended.count < Self.mostEnded { ended.insert(task) } else { isFull = true }
    }

    private func judge(_ event: TraceEvent, into hits: inout HitList) {
        let isOfLoad = event.family.map { Self.ofLoads.contains($0) } ?? false
        let owner = isOfLoad ? "load" : "session"
        if event.argument == EventVocabulary.notInTime {
            let wait = event.facts.integer(.ms).map { " \($0) ms" } ?? ""
            hits.report(
                RuleNumber(65), "the delegate was still held\(wait) after the end of its \(owner)", at: event,
                in: event.laneID)
        } else if isOfLoad ? !ended.contains(event.task) && !isFull : !endedSessions.contains(event.task) {
            hits.report(
                RuleNumber(65), "the delegate was let go before the end of its \(owner)", at: event, in: event.laneID)
        }
    }
}
