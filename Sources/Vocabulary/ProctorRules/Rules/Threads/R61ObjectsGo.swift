import ProctorEvents

/// Objects that were stopped and not released yet, and the steps that are over.
struct R61ObjectsGo: TraceMonitor {
    static let interests: EventNameSet = [
        .pStop, .pDeinit, .result, .redirect, .challenge, .response, .data, .complete,
    ]

    /// The event of the stop, by object.
    private var stopped: [Int: KeptEvent] = [:]
    private var finishedTasks: Set<Int> = []

    private static let mostObjects = 1_024

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        guard event.phase == .enter else { return }
        let object = event.object ?? event.task
        switch event.name {
        case .pStop: if stopped.count < Self.mostObjects { stopped[object] = KeptEvent(event) }
        case .pDeinit: stopped[object] = nil
        case .redirect, .challenge, .response, .data, .complete:
            // An object that goes on after its stop breaks R50; that it is kept meanwhile is a part of that.
            if event.lane == .protocolClient { stopped[object] = nil }
        default: if finishedTasks.count < Self.mostObjects { finishedTasks.insert(event.task) }
        }
    }

    mutating func observeTraceEnd(_ ending: TraceEnding, into hits: inout HitList) {
        for (object, stop) in stopped.sorted(by: { $0.key < $1.key }) where finishedTasks.contains(stop.task) {
            hits.report(
                RuleNumber(61), "no p.deinit of object \(object), which was stopped: something keeps it",
                at: stop.event,
                in: LaneID(.protocolClient, object))
        }
    }
}
