import ProctorEvents

extension Rules {
    static let r31 = Rule(
        31, title: "no body, no data",
        statement: """
            Where HTTP allows no content (HEAD, 204, 205, 304, a length of 0) there is no data between the response \
            and the end. Only the last request decides: a HEAD that a 303 made a GET may have a body.
            """,
        source: "RFC 9110 6.4.1, 9.3.2", confidence: .inferred, families: [.sessionData, .connection, .urlProtocol],
        monitors: [.load(R31NoBodyNoData.self)],
        limits: """
            The wire must show that the method is HEAD, and the fact 'expectedLength' that the length is 0. HTTP \
            decides this rule, so a breach is a failure on every platform
            """,
        legal: "response(204) complete(ok)", illegal: "response(204) data complete(ok)")
}

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
