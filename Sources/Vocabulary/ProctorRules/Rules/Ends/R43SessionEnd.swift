import ProctorEvents

/// Tasks do not name their session, so that their order is only judged while there is one session.
struct R43SessionEnd: TraceMonitor {
    static let interests: EventNameSet = .all

    private enum Ending { case none, finish, cancel, invalid }

    /// The number of the first session of the process.
    private var firstSession = 0
    private var ending = Ending.none
    private var isCancelling = false
    private var hasSeveralSessions = false
    private var hasSessionDelegate = false
    private var isReported = false
    /// Tasks that have begun and not ended; nil when there were too many to remember.
    private var open: Set<Int>? = []

    private static let mostOpen = 4_096

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        switch event.lane {
        case .task: observeTask(event, family, into: &hits)
        case .handler:
            if family == .sessionHandler, !event.isOfResumeData { open?.remove(event.task) }
        case .session: observeSession(event, into: &hits)
        case .harness: observeHarness(event, into: &hits)
        case .proto, .protocolClient, .wire: break
        }
    }

    mutating func observeTraceEnd(_ traceEnding: TraceEnding, into hits: inout HitList) {
        guard traceEnding != .cut, ending == .finish || ending == .cancel, hasSessionDelegate, !hasSeveralSessions,
            open?.isEmpty == true
        else {
            return
        }
        hits.report(
            RuleNumber(43), "the session was invalidated and its tasks are over, but sessionInvalid never came",
            at: nil,
            in: LaneID(.session, firstSession))
    }

    private mutating func observeTask(_ event: TraceEvent, _ family: CallbackFamily?, into hits: inout HitList) {
        guard ending != .invalid else {
            guard !hasSeveralSessions, !isReported else { return }
            isReported = true
            return hits.report(
                RuleNumber(43), "\(event.symbol) after sessionInvalid; nothing of a session follows it", at: event,
                in: event.laneID, isInferred: isCancelling)
        }
        guard event.name != .data, event.name != .progress, event.name != .bodySent else { return }
        if !hasSessionDelegate, event.facts.text(.who) != "task" { hasSessionDelegate = true }
        if (family ?? .sessionData).isEnded(by: event.name) { open?.remove(event.task) }
    }

    private mutating func observeSession(_ event: TraceEvent, into hits: inout HitList) {
        hasSessionDelegate = true
        guard event.task == firstSession else {
            hasSeveralSessions = true
            return
        }
        if ending == .invalid {
            guard !isReported else { return }
            isReported = true
            hits.report(
                RuleNumber(43), "\(event.symbol) after sessionInvalid; nothing of a session follows it", at: event,
                in: event.laneID)
        } else if event.name == .sessionInvalid {
            ending = .invalid
        }
    }

    private mutating func observeHarness(_ event: TraceEvent, into hits: inout HitList) {
        switch event.name {
        case .resume, .cancel:
            guard event.object == nil, open != nil else { return }
            open?.insert(event.task)
            if let count = open?.count, count > Self.mostOpen { open = nil }
        case .invalidate:
            guard event.task == firstSession else {
                hasSeveralSessions = true
                return
            }
            guard ending != .invalid else { return }
            isCancelling = isCancelling || event.argument != "finish"
            ending = isCancelling ? .cancel : .finish
        case .launched:
            // The next process has sessions of its own.
            observeTraceEnd(.finished, into: &hits)
            self = Self()
            firstSession = event.task
        default: break
        }
    }
}

extension R43SessionEnd {
    /// A session ends only when the test ends it.
    static func breaches(of order: MergedOrder) -> [MergedOrder.Breach] {
        guard order.reportsHarness, order.items.contains(where: { $0.event.lane == .harness }) else { return [] }
        var invalidated: Set<Int> = []
        var breaches: [MergedOrder.Breach] = []
        for item in order.items where item.event.phase == .enter {
            let event = item.event
            if event.name == .invalidate { invalidated.insert(event.task) }
            guard event.name == .sessionInvalid, !invalidated.contains(event.task) else { continue }
            breaches.append(
                .init(
                    RuleNumber(43), edge: "sessionInvalid only after invalidate", at: event,
                    "\(order.text(event)) came although the session was not invalidated"))
        }
        return breaches
    }
}
