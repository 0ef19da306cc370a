import ProctorEvents

struct R16NoHeaderNoChallenge: RuleMonitor {
    static let interests: EventNameSet = [.challenge, .request]

    /// A reply whose status the trace does not state may have been a 401.
    private var isUntold = false
    private var hasUnauthorized = false
    private var hasProxyUnauthorized = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .request {
            takeReply(event.facts.integer(.status))
            return nil
        }
        guard load.terminal == nil, !event.isOfTLS else { return nil }
        if isUnasked(event, load) {
            let wanted = event.isOfProxy ? "407 with Proxy-Authenticate" : "401 with WWW-Authenticate"
            return Breach("\(event.symbol) came, and no reply was a \(wanted); nothing else asks")
        } else if event.argument == "default" {
            return Breach(
                "challenge(default) names no scheme; a 401 whose WWW-Authenticate names none is a response",
                isInferred: true)
        }
        return nil
    }

    /// Takes a reply's status from the wire, which may come before the client reports it.
    private mutating func takeReply(_ status: Int?) {
        switch status {
        case nil: isUntold = true
        case 401: hasUnauthorized = true
        case 407: hasProxyUnauthorized = true
        default: break
        }
    }

    /// A web page asks by a form, without a status.
    private func isUnasked(_ event: TraceEvent, _ load: LoadState) -> Bool {
        load.wireRequestCount > 0 && !isUntold && event.argument != "form"
            && !(event.isOfProxy ? hasProxyUnauthorized : hasUnauthorized)
    }
}
