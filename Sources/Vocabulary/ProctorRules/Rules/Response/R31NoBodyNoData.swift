import ProctorEvents

struct R31NoBodyNoData: RuleMonitor {
    static let interests: EventNameSet = [.response, .data, .redirect, .request]

    private var response: KeptEvent?
    private var why: Reason?
    /// Whether the last request on the wire is the load's last: a followed redirect may lead to another server.
    private var isMethodKnown = false

    private enum Reason: String {
        case status = "that status has no content"
        case method = "HEAD has no content"
        case length = "its length is 0"
    }

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .redirect: isMethodKnown = false
        case .request: isMethodKnown = true
        case .data:
            guard let why, load.terminal == nil, event.facts.integer(.bytes) != 0 else { return nil }
            return Breach(
                "data came after \(response?.symbol.description ?? "response"); \(why.rawValue)", weight: .failure)
        default:
            response = KeptEvent(event)
            why = reason(event, load)
        }
        return nil
    }

    private func reason(_ event: TraceEvent, _ load: LoadState) -> Reason? {
        switch event.argument {
        case "204", "205", "304": .status
        default:
            if isMethodKnown, load.lastWireMethod == "HEAD" {
                .method
            } else if event.facts.integer(.expectedLength) == 0 {
                .length
            } else {
                nil
            }
        }
    }
}
