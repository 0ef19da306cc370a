extension Rules {
    static let r43 = Rule(
        number: RuleNumber(43), title: "the session's end comes last",
        statement: """
            An invalidated session first brings all its tasks to their end, then says sessionInvalid, once, and is \
            silent. When tasks were cancelled by it, their order against it is our conclusion.
            """,
        source: "NSURLSession.h (last message a session receives); URL Session Programming Guide, life cycle",
        confidence: .documented, families: [.US, .UD, .HT, .BG, .WS, .ST],
        limits: """
            tasks do not name their session, so that traces of several sessions are judged in lane session only; a \
            missing sessionInvalid is only told when all tasks are over and the session had a delegate
            """,
        legal: "sessionInvalid  # all tasks of the session had completed",
        illegal: "sessionInvalid sessionInvalid")
}

/// Tasks do not say which session they are of, so their order is only judged while there is one session.
struct R43SessionEnd: TraceMonitor {
    static let rule = RuleNumber(43)
    static let interests: EventNameSet = .all

    private enum Ending { case none, finish, cancel, invalid }

    private var ending = Ending.none
    private var isCancelling = false
    private var hasSeveralSessions = false
    private var hasSessionDelegate = false
    private var isReported = false
    /// Tasks that have begun and not ended; nil when there were too many to remember.
    private var open: Set<Int>? = []

    /// Tasks that run at the same time.
    private static let mostOpen = 4_096

    init(platform: Platform) {}

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, _ hits: inout HitList) {
        switch event.lane {
        case .task: observeTask(event, family, &hits)
        case .handler:
            if family == .HT, !event.isOfResumeData { open?.remove(event.task) }
        case .session: observeSession(event, &hits)
        case .harness: observeHarness(event)
        case .proto, .protocolClient, .wire: break
        }
    }

    mutating func end(_ traceEnding: TraceEnding, _ hits: inout HitList) {
        guard traceEnding != .cut, ending == .finish || ending == .cancel, hasSessionDelegate, !hasSeveralSessions,
            open?.isEmpty == true
        else {
            return
        }
        hits.report(
            Self.rule, "the session was invalidated and its tasks are over, but sessionInvalid never came", at: nil,
            in: LaneID(.session, 0))
    }

    private mutating func observeTask(_ event: TraceEvent, _ family: CallbackFamily?, _ hits: inout HitList) {
        guard ending != .invalid else {
            guard !hasSeveralSessions, !isReported else { return }
            isReported = true
            return hits.report(
                Self.rule, "\(event.symbol) after sessionInvalid; nothing of a session follows it", at: event,
                in: event.laneID, isInferred: isCancelling)
        }
        guard event.name != .data, event.name != .progress, event.name != .bodySent else { return }
        if !hasSessionDelegate, event.facts.text(.who) != "task" { hasSessionDelegate = true }
        if (family ?? .US).isEnded(by: event.name) { open?.remove(event.task) }
    }

    private mutating func observeSession(_ event: TraceEvent, _ hits: inout HitList) {
        hasSessionDelegate = true
        guard event.task == 0 else {
            hasSeveralSessions = true
            return
        }
        if ending == .invalid {
            guard !isReported else { return }
            isReported = true
            hits.report(
                Self.rule, "\(event.symbol) after sessionInvalid; nothing of a session follows it", at: event,
                in: event.laneID)
        } else if event.name == .sessionInvalid {
            ending = .invalid
        }
    }

    private mutating func observeHarness(_ event: TraceEvent) {
        switch event.name {
        case .resume, .cancel:
            guard event.object == nil, open != nil else { return }
            open?.insert(event.task)
            if let count = open?.count, count > Self.mostOpen { open = nil }
        case .invalidate:
            guard event.task == 0 else {
                hasSeveralSessions = true
                return
            }
            guard ending != .invalid else { return }
            isCancelling = isCancelling || event.argument != "finish"
            ending = isCancelling ? .cancel : .finish
        default: break
        }
    }
}
