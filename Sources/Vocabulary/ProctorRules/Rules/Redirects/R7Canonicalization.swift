import ProctorEvents

extension Rules {
    static let r7 = Rule(
        7, title: "canonicalisation is not a redirect",
        statement: """
            When the loader rewrites the request on its own account, the old families hear of it with a nil \
            response, as often as it likes, before the response. Sessions have no such callback; one that reports it \
            is noted, not failed.
            """,
        source: "URL loading programming guide; NSURLConnection delegate reference", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .download, .urlProtocol],
        monitors: [.load(R7Canonicalization.self)],
        limits: """
            A trace can't show that canonicalize has no request of its own; a grader compares it with the next request
            """,
        legal: "canonicalize response(200) data+ complete(ok)  # NSURLConnection",
        illegal: "response(200) canonicalize data+ complete(ok)  # NSURLConnection")
}

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
