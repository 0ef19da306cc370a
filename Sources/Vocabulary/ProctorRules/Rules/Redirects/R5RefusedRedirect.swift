import ProctorEvents

struct R5RefusedRedirect: RuleMonitor {
    static let interests: EventNameSet = [
        .redirect, .answer, .response, .challenge, .complete, .handler, .awaited, .request, .result,
    ]

    private var refused: KeptEvent?
    private var isDelivered = false
    /// `connection` and `download` answer by a return value, so that their redirects are no open questions.
    private var lastRedirect: KeptEvent?
    /// A redirect after the response is R3, and refusing it can change nothing.
    private var response = DefinitiveResponse()

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        defer { response.see(event) }
        if event.name == .answer {
            takeAnswer(event, load)
        } else if let refused, load.terminal == nil || event.name == .result {
            return fault(of: event, load, after: refused).map {
                Breach("\($0) after \(refused.symbol) was refused; then the redirect itself is the result")
            }
        } else if event.name == .redirect, response.status == nil {
            lastRedirect = KeptEvent(event)
        }
        return nil
    }

    private mutating func takeAnswer(_ event: TraceEvent, _ load: LoadState) {
        guard let lastRedirect, event.argument == "refuse", event.facts.text(.to) == "redirect" else { return }
        if load.family == .download, load.platform.refusedDownloadRedirect == .cancel { return }
        refused = lastRedirect
        self.lastRedirect = nil
    }

    /// The fault of an event that must not come; nil for events that may.
    private mutating func fault(of event: TraceEvent, _ load: LoadState, after refused: KeptEvent) -> String? {
        switch event.name {
        case .response:
            defer { isDelivered = true }
            guard isDelivered || event.argument != refused.argument else { return nil }
        case .redirect:
            guard !isDelivered else { return nil }
        case .request: return "request(\(event.argument ?? "")) was sent"
        case .result:
            guard load.family == .sessionHandler, let status = event.facts.integer(.status), status != refused.status
            else { return nil }
            return "the result has status \(status)"
        case .complete, .handler, .awaited:
            guard !isDelivered else { return nil }
            if event.isSuccess {
                // A download without its file breaks R35.
                guard load.family != .sessionDownload, load.family != .sessionHandler else { return nil }
            } else {
                guard load.cancellation == nil, !event.isNetworkFailure else { return nil }
            }
        default: return nil
        }
        return "\(event.symbol) came"
    }
}
