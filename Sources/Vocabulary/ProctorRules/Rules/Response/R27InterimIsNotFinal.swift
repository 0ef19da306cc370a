import ProctorEvents

struct R27InterimIsNotFinal: RuleMonitor {
    static let interests: EventNameSet = [.response, .informational, .challenge]

    private var response = DefinitiveResponse()

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .response where event.isInterim:
            return Breach("\(event.symbol) is an interim status; it is no response")
        case .informational:
            if event.argument == "101" {
                return Breach("informational(101) came; 101 is the final response of an upgrade")
            }
            if let status = response.status {
                return Breach("\(event.symbol) came after response(\(status)); interim ones come before")
            }
        default: break
        }
        response.see(event)
        return nil
    }
}
