import ProctorEvents

extension Rules {
    static let r27 = Rule(
        27, title: "interim responses are not final",
        statement: """
            Of the 1xx codes only 101 is a response. A platform that reports the others says informational for each, \
            ahead of the response, redirect or challenge of that request.
            """,
        source: "NSURLSession.h of 2025; RFC 9110 15.2; CustomHTTPProtocol Read Me", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .download, .urlProtocol],
        monitors: [.load(R27InterimIsNotFinal.self)],
        limits: "Some platforms report no 1xx. So only a case can say that each 1xx of the server is reported",
        legal: "informational(103){2} response(200) data* complete(ok)",
        illegal: "response(103) response(200) data* complete(ok)")
}

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
