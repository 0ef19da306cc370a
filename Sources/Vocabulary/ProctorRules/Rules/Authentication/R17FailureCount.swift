import ProctorEvents

struct R17FailureCount: EndRuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.challenge, .redirect, .answer, .request]

    /// The last challenge of each protection space, at most ``mostSpaces``.
    private var spaces: [TraceEvent] = []
    /// Whether the last challenge got no credential, so that no count is due.
    private var isUntried = false
    private var isReported = false
    /// Two challenges without an answer between them break R10 where answers are reported.
    private var held: (event: KeptEvent, before: Int)?

    private static let mostSpaces = 4
    private var sentToOrigin = SentCredentials(isProxy: false)
    private var sentToProxy = SentCredentials(isProxy: true)

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .redirect: spaces.removeAll()
        case .request:
            sentToOrigin.takeRequest(event)
            sentToProxy.takeRequest(event)
        case .answer:
            held = nil
            guard let question = load.question(answeredBy: event), question.name == .challenge, !question.isOfTLS
            else { return nil }
            isUntried = event.argument != "use"
        case .challenge where !event.isOfTLS:
            defer { if event.isOfProxy { sentToProxy.takeChallenge(event) } else { sentToOrigin.takeChallenge(event) } }
            let breach = isReported ? nil : count(event, load, sent: event.isOfProxy ? sentToProxy : sentToOrigin)
            isReported = isReported || breach != nil
            return breach
        default: break
        }
        return nil
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard let held, !load.seesAnswers else { return nil }
        return breach(by: held.event, after: held.before, sent: nil)
    }

    private mutating func count(_ event: TraceEvent, _ load: LoadState, sent: SentCredentials) -> Breach? {
        guard let failures = event.facts.integer(.failures) else { return nil }
        guard let index = spaces.firstIndex(where: { Self.isOneSpace($0, event) }) else {
            return addSpace(event, load, failures: failures, sent: sent)
        }
        // Requests since a challenge of another space show nothing about this space.
        let sent = sent.since == spaces[index].sequence ? sent : nil
        let before = spaces[index].facts.integer(.failures) ?? 0
        spaces[index] = event
        let isStale = sent?.wereOnlyStale ?? false
        guard !isUntried, failures &- before != (isStale ? 0 : 1) else { return nil }
        if load.openQuestion(.challenge) == nil { return breach(by: KeptEvent(event), after: before, sent: sent) }
        if !load.seesAnswers { held = held ?? (KeptEvent(event), before) }
        return nil
    }

    private mutating func addSpace(
        _ event: TraceEvent, _ load: LoadState, failures: Int, sent: SentCredentials
    ) -> Breach? {
        let isFirst = spaces.isEmpty
        if spaces.count == Self.mostSpaces { spaces.removeFirst() }
        spaces.append(event)
        let isUnsent = load.wireRequestCount > 0 && sent.hasAny == false
        guard failures > 1 || failures == 1 && isFirst && isUnsent else { return nil }
        let wanted = isUnsent ? "0, since no credential went out before" : "0 or 1"
        return Breach(
            "the first \(event.symbol) of its space has failure count \(failures); it begins with \(wanted)",
            isInferred: !isFirst)
    }

    private func breach(by event: KeptEvent, after before: Int, sent: SentCredentials?) -> Breach {
        let failures = event.facts.integer(.failures) ?? 0
        let isStale = sent?.wereOnlyStale ?? false
        let reason =
            isStale ? "the nonce was too old, and nothing failed" : "it counts up by one for each credential tried"
        // Equal counts of digest may come from nonces that were too old; a client that counts those gives an
        // observation.
        let isInferred =
            isStale
            ? failures &- before == 1
            : failures == before && event.isOfDigest && !(sent?.wereNeverStale ?? false)
        return Breach(
            "\(event.symbol) has failure count \(failures) after \(before); \(reason)", at: event,
            isInferred: isInferred)
    }

    private static func isOneSpace(_ first: TraceEvent, _ second: TraceEvent) -> Bool {
        first.argument == second.argument && first.facts[.realm] == second.facts[.realm]
            && first.facts[.host] == second.facts[.host] && first.facts[.port] == second.facts[.port]
    }
}

/// The credentials that the wire shows in one field: Authorization, or Proxy-Authorization.
struct SentCredentials {
    private let field: String
    /// Whether one was sent so far; nil means that some request did not show it.
    private(set) var hasAny: Bool? = false
    private(set) var since: Int?
    private var requestCount = 0
    private var staleCount = 0
    private var refusedCount = 0
    private var isUntold = false

    init(isProxy: Bool) {
        field = isProxy ? "Proxy-Authorization" : "Authorization"
    }

    /// Whether the wire shows all requests since, and an old nonce was their only fault.
    var wereOnlyStale: Bool { isTold && staleCount > 0 && refusedCount == 0 }

    /// Whether the wire shows all requests since, and no nonce was too old.
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
