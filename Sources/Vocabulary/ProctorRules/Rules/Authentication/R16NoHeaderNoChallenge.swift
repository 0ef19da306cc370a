import ProctorEvents

extension Rules {
    static let r16 = Rule(
        16, title: "no WWW-Authenticate, no challenge",
        statement: """
            Only WWW-Authenticate makes a 401 a question; without it, or with schemes that are all unknown to the \
            loader, the 401 is delivered like any response. Challenges of proxies (407) and of TLS have other causes.
            """,
        source: "URL loading programming guide (Important box)", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .connectionDownload, .download],
        monitors: [.load(R16NoHeaderNoChallenge.self)],
        limits: """
            A trace does not have the header. Without the wire only challenge(default), which names no scheme, is \
            noted. Where the wire tells the status of every reply, a challenge without any 401 (of a proxy: 407) \
            breaks the rule. The expression of a case says the rest
            """,
        legal: "response(401) data* complete(ok)", illegal: "challenge(default) response(401) data* complete(ok)",
        explains: [
            // After a 401 without a challenge its response comes, whether the question was answered or not.
            .init(10, .fromThere)
        ])
}

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
