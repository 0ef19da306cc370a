import ProctorEvents

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
