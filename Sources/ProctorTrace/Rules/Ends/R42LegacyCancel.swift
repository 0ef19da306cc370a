/// For the families before URLSession: silence after `cancel`, which one source promises and another does not.
///
/// A cancel inside the redirect callback is R6's.
struct R42LegacyCancel: RuleMonitor {
    static let rule = RuleNumber(42)
    static let families: Set<CallbackFamily> = [.UC, .CD, .DL]
    static let wantsExits = true
    static let interests: EventNameSet = [
        .cancel, .canonicalize, .redirect, .askCanAuth, .askCredStore, .challenge, .challengeCancelled, .needBodyStream,
        .bodySent, .response, .data, .willCache, .downloadBegin, .downloadResumed, .shouldDecode, .destination,
        .destinationCreated, .progress, .fileReady, .complete,
    ]

    /// What does not show that the callback of a redirect is over.
    private static let mayComeMeanwhile: EventNameSet = [.bodySent, .canonicalize, .askCanAuth, .askCredStore]

    private var isInRedirect = false
    private var isCancelled = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard load.terminal == nil else { return }
        guard event.phase == .enter else {
            if event.name == .redirect, !load.seesAnswers { isInRedirect = false }
            return
        }
        if event.name == .cancel {
            isCancelled = isCancelled || !isInRedirect
            return
        }
        isInRedirect = event.name == .redirect || isInRedirect && Self.mayComeMeanwhile.contains(event.name)
        if isCancelled, !isReported {
            isReported = true
            hits.report(
                Self.rule, "\(event.symbol) after the cancel, which should be followed by silence", at: event,
                in: load.lane, isInferred: load.family == .DL || load.platform.legacyCancel == .hint)
        }
    }
}
