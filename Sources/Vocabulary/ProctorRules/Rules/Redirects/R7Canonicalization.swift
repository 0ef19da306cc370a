import ProctorEvents

struct R7Canonicalization: RuleMonitor {
    static let interests: EventNameSet = [.canonicalize, .redirect, .response, .challenge]

    private var response = DefinitiveResponse()

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        response.see(event)
        // A recorder may report a call of a session's redirect method without response as a redirect without status.
        guard event.name == .canonicalize || event.name == .redirect && event.status == nil else { return nil }
        switch load.family {
        case .sessionData, .sessionDownload, .sessionHandler:
            return Breach(
                "a session told of \(event.symbol); only the old families have a redirect without response",
                isInferred: true)
        default:
            guard let status = response.status else { return nil }
            return Breach(
                "canonicalize came after response(\(status)); requests are rewritten before the response",
                isInferred: true)
        }
    }
}
