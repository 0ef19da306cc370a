import ProctorEvents

struct R57WebSocketOrder: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [
        .waiting, .redirect, .challenge, .informational, .wsOpen, .wsClose, .complete, .wsReceived, .wsPong,
    ]

    private var isOpen = false
    private var isClosed = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .wsOpen:
            defer { isOpen = true }
            if isOpen { return Breach("wsOpen comes a second time") }
        case .wsClose:
            defer { isClosed = true }
            if !isOpen { return Breach("\(event.symbol) without wsOpen; there was nothing to close") }
            if isClosed { return Breach("wsClose comes a second time") }
        case .complete:
            guard !isOpen, !isClosed, event.argument == "ok" else { return nil }
            return Breach("complete(ok) without wsOpen; a handshake that fails is an error")
        case .wsReceived, .wsPong:
            guard !isOpen, event.argument == "ok" else { return nil }
            return Breach("\(event.symbol) without wsOpen; the handshake was not over", isInferred: true)
        default:
            guard isOpen else { return nil }
            return Breach("\(event.symbol) after wsOpen; the handshake was over")
        }
        return nil
    }
}
