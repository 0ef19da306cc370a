import ProctorEvents

extension Rules {
    static let r44 = Rule(
        44, title: "a status is no error",
        statement: """
            4xx and 5xx are delivered like any response and the load ends in complete(ok); a download keeps the \
            error page. Tunnels, WebSocket handshakes and resumptions that a server refuses may still be errors.
            """,
        source: "URLSessionTaskDelegate: errors are of the client's side", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionBackground, .connection, .download, .urlProtocol],
        monitors: [.load(R44StatusIsNoError.self)],
        limits: """
            Only errors that say no more than a status are judged (badServerResponse, noFile …). A connection may \
            break after a 500 as after a 200, and a case with a whole reply says more
            """,
        legal: "response(500) data complete(ok)", illegal: "response(500) data complete(badServerResponse)")
}

/// An error that may have another cause than the status, such as a broken connection, is not judged.
struct R44StatusIsNoError: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.complete, .challenge, .response]

    private static let ofStatus: Set<String> = [
        "badServerResponse", "noFile", "userAuthenticationRequired", "resourceUnavailable",
        "noPermissionsToReadFile",
    ]

    private var isChallenged = false
    /// A 401 that came before its challenge is R12, and not the load's final response.
    private var response = DefinitiveResponse()

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.name == .complete else {
            isChallenged = isChallenged || event.name == .challenge
            response.see(event)
            return nil
        }
        guard load.terminal == nil, let status = event.facts.integer(.status) ?? response.status, status >= 400,
            let outcome = event.argument, outcome != "ok", Self.ofStatus.contains(outcome),
            // R13 checks the load after an abandoned challenge.
            !isChallenged || outcome != "userAuthenticationRequired"
        else { return nil }
        return Breach("\(event.symbol) after a response of status \(status); a status is not an error of the load")
    }
}
