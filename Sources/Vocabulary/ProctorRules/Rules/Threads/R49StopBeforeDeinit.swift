import ProctorEvents

extension Rules {
    static let r49 = Rule(
        49, title: "stopped before it goes",
        statement: """
            p.stop comes before p.deinit, whatever a started URLProtocol object has reported before. A second p.start \
            is wrong by our own conclusion; p.stop alone is fine, and an object that stays has no p.deinit.
            """,
        source: "CustomHTTPProtocol Read Me and sample; GNUstep", confidence: .documented, families: [.urlProtocol],
        monitors: [.load(R49StopBeforeDeinit.self)],
        limits: "The trace must have lane proto. An object that still exists at the end of the trace breaks R61",
        legal: "p.init p.start p.stop p.deinit", illegal: "p.init p.start p.deinit",
        breaksByMissingEvents: true, needs: [.objects])
}

struct R49StopBeforeDeinit: RuleMonitor {
    static let interests: EventNameSet = [.pStart, .pStop, .pDeinit]

    private var isRunning = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .pStart:
            if load.isStarted || load.isStopped {
                return Breach("p.start of an object that was started or stopped before", isInferred: true)
            }
            isRunning = true
        case .pStop:
            if load.isStopped, !isRunning { return Breach("p.stop comes a second time", isInferred: true) }
            isRunning = false
        default:
            guard isRunning else { return nil }
            return Breach("p.deinit of an object that was started and never stopped")
        }
        return nil
    }
}
