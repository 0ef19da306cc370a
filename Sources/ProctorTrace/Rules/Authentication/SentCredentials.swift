/// What the wire tells of credentials in one field: Authorization, or Proxy-Authorization.
struct SentCredentials {
    private let field: String
    /// Whether one went out so far; nil: some request did not tell.
    private(set) var hasAny: Bool? = false
    /// The challenge since which the counts below are kept.
    private(set) var since: Int?
    private var requestCount = 0
    private var staleCount = 0
    private var refusedCount = 0
    private var isUntold = false

    init(isProxy: Bool) {
        field = isProxy ? "Proxy-Authorization" : "Authorization"
    }

    /// Whether what came since was told, and an old nonce was all that was wrong with it.
    var wereOnlyStale: Bool { isTold && staleCount > 0 && refusedCount == 0 }

    /// Whether what came since was told, and no nonce was too old.
    var wereNeverStale: Bool { isTold && staleCount == 0 }

    private var isTold: Bool { requestCount > 0 && !isUntold }

    mutating func takeRequest(_ event: TraceEvent) {
        switch event.facts.text(.credentials) {
        case "none": break
        case "origin": if field == "Authorization" { hasAny = hasAny.map { _ in true } }
        case "proxy": if field == "Proxy-Authorization" { hasAny = hasAny.map { _ in true } }
        case "both": hasAny = hasAny.map { _ in true }
        default: hasAny = nil
        }
        requestCount += 1
        switch event.facts.text(.guarded) {
        case nil: isUntold = true
        case "\(field) stale": staleCount += 1
        case "\(field) refused", "\(field) gaveUp": refusedCount += 1
        default: break
        }
    }

    mutating func takeChallenge(_ event: TraceEvent) {
        since = event.sequence
        (requestCount, staleCount, refusedCount, isUntold) = (0, 0, 0, false)
    }
}
