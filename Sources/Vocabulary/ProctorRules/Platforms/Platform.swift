package import ProctorEvents

/// What the rules leave open and a client platform decides: constants, switches, and the weight of inferred rules.
public struct Platform: Sendable, Equatable {
    /// The name in files and in `--platform`: `darwin-network`.
    package var name: String
    /// Redirects that are followed before a load fails (R9); nil means that the number is unknown.
    package var redirectLimit: Int?
    /// Whether `metrics` come, and where (R41).
    package var metrics = Metrics.optional
    /// Whether interim responses are reported, each as one `informational` (R27).
    package var reportsInformational = false
    /// The outcome of a load whose challenge the client cancelled (R14).
    package var cancelledChallengeOutcome = "cancelled"
    /// The effect of refusing a redirect of an NSURLDownload (R5).
    package var refusedDownloadRedirect = RefusedDownloadRedirect.cancel
    /// Whether a body is sent again on a followed 307 or 308 (R22c).
    package var redirectBody = RedirectBody.unknown
    /// Whether the client may repeat an idempotent request without an event when a kept connection is lost.
    package var retriesSilently = true
    /// Whether upload totals start again with a new transmission (R23).
    package var uploadTotals = UploadTotals.unknown
    /// What NSURLConnection does after `cancel` (R42).
    package var legacyCancel = LegacyCancel.hint
    /// The families of API that the platform has.
    package var families = Set(CallbackFamily.allCases)
    /// Abilities that no client on the platform has.
    package var lacks: Set<Ability> = []
    /// Rules, or parts of rules, with another weight on this platform.
    package var weights: [RuleNumber: RuleWeight] = [:]

    /// How a platform reports task metrics.
    package enum Metrics: String, Sendable, CaseIterable { case required, optional, absent, anyOrder }
    /// What a platform does when a redirect of an NSURLDownload is refused.
    package enum RefusedDownloadRedirect: String, Sendable, CaseIterable { case cancel, deliver }
    /// What a platform does with a body after 307 and 308.
    package enum RedirectBody: String, Sendable, CaseIterable { case resent, stripped, unknown }
    /// What a platform does with upload totals when a body is sent again.
    package enum UploadTotals: String, Sendable, CaseIterable { case restart, cumulative, unknown }
    /// What a platform does after NSURLConnection's `cancel`.
    package enum LegacyCancel: String, Sendable, CaseIterable { case silent, hint }

    /// Events that no client on the platform reports, because all lack the ability for it.
    package var never: [TraceEventSymbol] {
        let events: [(Ability, TraceEventSymbol)] = [
            (.metrics, TraceEventSymbol(EventName.metrics.rawValue)),
            (.trustQuestion, TraceEventSymbol(EventName.challenge.rawValue, "serverTrust")),
            (.identityQuestion, TraceEventSymbol(EventName.challenge.rawValue, "clientCert")),
        ]
        return events.filter { lacks.contains($0.0) }.map(\.1)
    }

    /// No platform in particular: every family exists, and undocumented behaviour stays open.
    public static let neutral = Platform(name: "neutral")

    /// A platform with the values of ``neutral``.
    package init(name: String) { self.name = name }
}
