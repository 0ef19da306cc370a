import ProctorEvents

extension Rules {
    static let r61 = Rule(
        61, title: "an object that is over is let go",
        statement: """
            A URLProtocol object that was stopped (p.stop) is released (p.deinit): nothing keeps it, neither the \
            loading system nor itself. A redirect through a protocol may leak objects on some systems.
            """,
        source: "CustomHTTPProtocol Read Me (caveats)", confidence: .inferred, families: [.urlProtocol, .proto],
        monitors: [.trace(R61ObjectsGo.self)],
        limits: """
            The trace must have lane proto and the step's result, which a recorder writes after it has waited for \
            the object. A trace without a result is not judged
            """,
        legal: "p.init p.start p.stop p.deinit result", illegal: "p.init p.start p.stop result",
        breaksByMissingEvents: true, needs: [.objects, .results])
}

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
                Rules.r61, "no p.deinit of object \(object), which was stopped: something keeps it", at: stop.event,
                in: LaneID(.protocolClient, object))
        }
    }
}
