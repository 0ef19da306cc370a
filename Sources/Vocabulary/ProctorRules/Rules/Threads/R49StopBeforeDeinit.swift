import ProctorEvents

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
