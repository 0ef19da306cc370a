import ProctorEvents

struct R6CancelInRedirect: RuleMonitor {
    static let wantsExits = true
    static let interests: EventNameSet = [
        .cancel, .answer, .redirect, .response, .challenge, .needBodyStream, .data, .progress, .fileReady, .complete,
        .request, .handler, .awaited,
    ]

    /// A redirect whose callback has not returned, as far as the trace shows.
    private var redirect: KeptEvent?
    /// A redirect after the response is R3.
    private var response = DefinitiveResponse()
    private var isCancelled = false
    private var isAnsweredLate = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.phase == .exit {
            // The callback returned; only a trace with answers shows that the question is still open.
            if event.name == .redirect, !isCancelled, !load.seesAnswers { redirect = nil }
        } else if isCancelled {
            return judge(event, load)
        } else {
            switch event.name {
            case .cancel: isCancelled = redirect != nil
            case .redirect: redirect = response.status == nil ? KeptEvent(event) : nil
            case .request: break
            default: redirect = nil
            }
        }
        if event.phase == .enter { response.see(event) }
        return nil
    }

    private mutating func judge(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        let isOld = load.family == .connection || load.family == .download
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .cancel: return nil
        case .answer:
            isAnsweredLate = true
            return nil
        case .complete, .handler, .awaited: if !isOld, event.argument == "cancelled" { return nil }
        default: break
        }
        return Breach(
            "\(event.symbol) came after a cancel inside \(redirect?.symbol.description ?? "redirect"); "
                + (isOld ? "nothing comes after that" : "only complete(cancelled) does"),
            isInferred: load.family == .download || (isAnsweredLate && event.name == .request))
    }
}
