/// Whether the response of a load has come.
///
/// 1xx does not count (R27), nor does a 401 or 407 that turns out to be challenged (R12): each has its own rule, and
/// what follows is judged as if the client had kept it to itself.
struct DefinitiveResponse {
    /// nil before it came; 0 for one without a status.
    private(set) var status: Int?

    /// In this order: ask, then let it see the event.
    mutating func see(_ event: TraceEvent) {
        switch event.name {
        case .response where !event.isInterim: status = event.status ?? 0
        case .challenge where isChallenge && !event.isOfTLS: status = nil
        default: break
        }
    }

    /// Whether its status asks for credentials.
    var isChallenge: Bool { status == 401 || status == 407 }
}
