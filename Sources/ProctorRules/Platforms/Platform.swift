public import ProctorEvents

/// What the rules leave open and one client platform decides: constants, switches, and which inferred rules count.
public struct Platform: Sendable, Equatable {
    /// As files and `--platform` name it: `darwin-network`.
    public var name: String
    /// Redirects that are followed before a load fails (R9); nil: unknown, only that there is a limit.
    public var redirectLimit: Int?
    /// Whether and where `metrics` comes (R41).
    public var metrics: Metrics
    /// Whether interim responses are reported, each as one `informational` (R27).
    public var reportsInformational: Bool
    /// The outcome of a load whose challenge the client cancelled (R14).
    public var cancelledChallengeOutcome: String
    /// What refusing a redirect does to an NSURLDownload (R5).
    public var refusedDownloadRedirect: RefusedDownloadRedirect
    /// What becomes of a body on a followed 307 or 308 (R22c).
    public var redirectBody: RedirectBody
    /// Whether an idempotent request may be repeated without an event when a kept connection turns out to be gone.
    public var retriesSilently: Bool
    /// Whether upload totals start again with a new transmission (R23).
    public var uploadTotals: UploadTotals
    /// What NSURLConnection does after `cancel` (R42).
    public var legacyCancel: LegacyCancel
    /// The families of API that exist there.
    public var families: Set<CallbackFamily>
    /// Abilities that no client there has.
    public var lacks: Set<Ability>
    /// Rules, or parts of rules, whose weight is another here.
    public var weights: [RuleNumber: RuleWeight]

    /// What a platform does about task metrics.
    public enum Metrics: String, Sendable, CaseIterable { case required, optional, absent, anyOrder }
    /// What a platform does about a redirect that an NSURLDownload refuses.
    public enum RefusedDownloadRedirect: String, Sendable, CaseIterable { case cancel, deliver }
    /// What a platform does about a body after 307 and 308.
    public enum RedirectBody: String, Sendable, CaseIterable { case resent, stripped, unknown }
    /// What a platform does about upload totals across a re-send.
    public enum UploadTotals: String, Sendable, CaseIterable { case restart, cumulative, unknown }
    /// What a platform does after NSURLConnection's `cancel`.
    public enum LegacyCancel: String, Sendable, CaseIterable { case silent, hint }

    /// Events that follow from abilities that no client there has, so that none is ever told.
    public var never: [TraceEventSymbol] {
        let events: [(Ability, TraceEventSymbol)] = [
            (.metrics, TraceEventSymbol(EventName.metrics.rawValue)),
            (.trustQuestion, TraceEventSymbol(EventName.challenge.rawValue, "serverTrust")),
            (.identityQuestion, TraceEventSymbol(EventName.challenge.rawValue, "clientCert")),
        ]
        return events.filter { lacks.contains($0.0) }.map(\.1)
    }

    /// No platform in particular: every family exists and what is not documented stays open.
    public static let neutral = Platform(name: "neutral")

    /// The values of no platform in particular.
    public init(name: String) {
        self.name = name
        redirectLimit = nil
        metrics = .optional
        reportsInformational = false
        cancelledChallengeOutcome = "cancelled"
        refusedDownloadRedirect = .cancel
        redirectBody = .unknown
        retriesSilently = true
        uploadTotals = .unknown
        legacyCancel = .hint
        families = Set(CallbackFamily.allCases)
        lacks = []
        weights = [:]
    }
}
