import ProctorEvents

struct R3RedirectsFirst: RuleMonitor {
    static let interests: EventNameSet = [
        .redirect, .response, .challenge, .progress, .destination, .destinationCreated, .fileReady, .downloadResumed,
    ]

    private var response = DefinitiveResponse()
    /// The event that showed the response, where there is no `response`.
    private var sign: EventName?
    /// For `connectionDownload`: a redirect that only a resumption excuses.
    private var held: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .redirect:
            guard response.status != nil || sign != nil else { return nil }
            guard load.family == .connectionDownload else { return breach(by: KeptEvent(event)) }
            held = held ?? KeptEvent(event)
        case .downloadResumed: held = nil
        case .challenge:
            // Progress before a challenge is R12.
            if !event.isOfTLS { sign = nil }
        case .progress, .destination, .destinationCreated, .fileReady:
            if let held { return breach(by: held) }
            sign = event.name
        default: break
        }
        response.see(event)
        return nil
    }

    private func breach(by redirect: KeptEvent) -> Breach {
        let before = response.status.map { "response(\($0))" } ?? sign?.rawValue ?? "the response"
        return Breach("\(redirect.symbol) came after \(before); redirects come before the response", at: redirect)
    }
}
