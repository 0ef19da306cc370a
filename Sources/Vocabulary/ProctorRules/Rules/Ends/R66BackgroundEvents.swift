import ProctorEvents

/// A session is told apart by its number; tasks do not name theirs, so with several sessions only lane session counts.
struct R66BackgroundEvents: TraceMonitor {
    static let interests: EventNameSet = .all

    private var sessions: [Int: Session] = [:]
    /// Loads with a file and without an end.
    private var halfTold: Set<Int> = []
    /// The loads of `halfTold` whose session has said that all is told.
    private var overdue: Set<Int> = []

    private struct Session {
        var isTold = false
        var isDone = false
        var isHandled = false
    }

    /// More sessions or loads are not remembered.
    private static let most = 1_024

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        switch event.lane {
        case .session: observeSession(event, into: &hits)
        case .task: observeLoad(event, into: &hits)
        case .harness:
            if event.name == .answer, event.facts.text(.to) == EventName.backgroundEvents.rawValue {
                handle(event, into: &hits)
            }
        case .handler, .proto, .protocolClient, .wire: break
        }
    }

    mutating func observeTraceEnd(_ ending: TraceEnding, into hits: inout HitList) {
        guard ending != .cut else { return }
        for (number, session) in sessions.sorted(by: { $0.key < $1.key }) where session.isTold && !session.isDone {
            hits.report(
                RuleNumber(66), "the app was told of waiting events, but backgroundEventsDone never came", at: nil,
                in: LaneID(.session, number))
        }
    }

    private mutating func observeSession(_ event: TraceEvent, into hits: inout HitList) {
        guard sessions[event.task] != nil || sessions.count < Self.most else { return }
        switch event.name {
        case .backgroundEvents: sessions[event.task] = Session(isTold: true)
        case .backgroundEventsDone:
            guard var session = sessions[event.task], session.isTold else { return }
            if session.isDone {
                hits.report(
                    RuleNumber(66), "backgroundEventsDone came twice, though the app was told of waiting events once",
                    at: event, in: event.laneID, isInferred: true)
            }
            session.isDone = true
            sessions[event.task] = session
            if sessions.count == 1 { overdue.formUnion(halfTold) }
        default: break
        }
    }

    private mutating func observeLoad(_ event: TraceEvent, into hits: inout HitList) {
        switch event.name {
        case .fileReady:
            if halfTold.count < Self.most { halfTold.insert(event.task) }
        case .complete:
            halfTold.remove(event.task)
            guard overdue.remove(event.task) != nil else { return }
            hits.report(
                RuleNumber(66),
                "\(event.symbol) came after backgroundEventsDone, and its file before; all that waited comes before",
                at: event, in: event.laneID)
        default: break
        }
    }

    /// The app called the handler that it was given with `backgroundEvents`.
    private mutating func handle(_ event: TraceEvent, into hits: inout HitList) {
        guard var session = sessions[event.task], session.isTold else { return }
        if session.isHandled || !session.isDone {
            hits.report(
                RuleNumber(66),
                session.isHandled
                    ? "the app called the handler of its waiting events twice"
                    : "the app called the handler of its waiting events before backgroundEventsDone",
                at: event, in: event.laneID, weight: .harnessFault)
        }
        session.isHandled = true
        sessions[event.task] = session
    }
}
