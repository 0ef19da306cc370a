import ProctorEvents

struct R12ChallengeInsteadOfResponse: RuleMonitor {
    static let interests: EventNameSet = [.response, .challenge, .progress, .fileReady]

    private var response = DefinitiveResponse()
    /// For `sessionDownload`: the client counted bytes.
    private var hasProgress = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .progress, .fileReady: hasProgress = load.family == .sessionDownload
        case .challenge where !event.isOfTLS:
            if response.isChallenge, let status = response.status {
                return Breach(
                    "response(\(status)) was delivered before \(event.symbol); the challenge comes in its place")
            }
            if hasProgress {
                return Breach("progress was reported before \(event.symbol); the body of a challenge counts nowhere")
            }
        default: break
        }
        response.see(event)
        return nil
    }
}
