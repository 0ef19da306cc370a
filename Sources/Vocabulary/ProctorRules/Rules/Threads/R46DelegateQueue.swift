import ProctorEvents

/// Checks that callbacks come on one queue, one at a time.
///
/// The first ordinary callback gives the queue's label; callbacks overlap when another one begins before a callback
/// returns. A trace without queue labels or returns is not judged. One hit for a task's queue, and one for overlap in
/// the whole trace.
struct R46DelegateQueue: TraceMonitor {
    static let wantsExits = true
    /// All callbacks that come on the delegate queue; `created` does not.
    static let interests: EventNameSet = [
        .delayed, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response, .data,
        .willCache, .becameDownload, .becameStream, .downloadResumed, .progress, .fileReady, .streamReadClosed,
        .streamWriteClosed, .betterRoute, .streamsCaptured, .wsOpen, .wsClose, .metrics, .complete, .sessionInvalid,
        .backgroundEventsDone,
    ]

    /// The label of the delegate queue; nil until a callback gave it.
    private var label: String?
    /// Callbacks before that which may have come on another queue.
    private var early: [TraceEvent] = []
    private var begun: [Begun] = []
    private var beginCount = 0
    private var reportedTask: LaneID?
    private var isOverlapReported = false

    private struct Begun {
        let lane: Lane
        let task: Int
        let name: EventName
        /// How many callbacks had begun when this one did, this one included.
        let count: Int
    }

    private static let mostBegun = 8
    private static let mostEarly = 4
    /// The test lets a queue of this name run several callbacks at a time.
    private static let concurrentLabel = "concurrent"

    init() {
        begun.reserveCapacity(Self.mostBegun + 1)
    }

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        guard event.lane == .task || event.lane == .session else { return }
        switch family {
        case .sessionData?, .sessionDownload?, .sessionHandler?, .sessionBackground?, .webSocket?, .stream?, nil: break
        case .connection?, .connectionSync?, .connectionQueued?, .connectionDownload?, .download?, .urlProtocol?,
            .proto?, .eventSource?, .sequence?:
            return
        }
        if event.phase == .exit { return observeReturn(of: event, into: &hits) }
        guard isOnQueue(event, into: &hits) else { return }
        beginCount &+= 1
        if begun.count == Self.mostBegun { begun.removeFirst() }
        begun.append(Begun(lane: event.lane, task: event.task, name: event.name, count: beginCount))
    }

    private mutating func isOnQueue(_ event: TraceEvent, into hits: inout HitList) -> Bool {
        if let label {
            if event.queue == label { return true }
            report(event, label, into: &hits)
            return false
        }
        guard let queue = event.queue, event.name != .needBodyStream else {
            if early.count < Self.mostEarly { early.append(event) }
            return event.name != .needBodyStream
        }
        label = queue
        for event in early where event.queue != queue { report(event, queue, into: &hits) }
        early = []
        return true
    }

    private mutating func report(_ event: TraceEvent, _ label: String, into hits: inout HitList) {
        guard reportedTask != event.laneID else { return }
        reportedTask = event.laneID
        let place = event.queue.map { "on queue \($0)" } ?? "off any queue"
        hits.report(
            RuleNumber(46), "\(event.symbol) came \(place); the delegate queue is \(label)", at: event, in: event.laneID
        )
    }

    private mutating func observeReturn(of event: TraceEvent, into hits: inout HitList) {
        let begin = begun.lastIndex { $0.name == event.name && $0.task == event.task && $0.lane == event.lane }
        guard let begin else { return }
        let isAlone = begun[begin].count == beginCount
        let intruder = begin + 1 < begun.count ? begun[begin + 1].name : nil
        begun.remove(at: begin)
        guard !isAlone, !isOverlapReported else { return }
        isOverlapReported = true
        let other = intruder.map { $0.rawValue } ?? "another callback"
        let isForfeited = label == Self.concurrentLabel
        hits.report(
            RuleNumber(46),
            isForfeited
                ? "\(other) began before \(event.symbol) returned; a concurrent delegate queue forfeits order"
                : "\(other) began before \(event.symbol) returned; callbacks come one at a time",
            at: event, in: event.laneID, isInferred: isForfeited)
    }
}
