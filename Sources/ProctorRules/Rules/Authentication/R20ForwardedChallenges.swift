import ProctorEvents

extension Rules {
    static let r20 = Rule(
        20, title: "what a URLProtocol may forward",
        statement: """
            Of challenges a URLProtocol hands on only those of kind default, basic and digest, of an origin or of a \
            proxy. Whatever else comes up, TLS above all, is its own decision.
            """,
        source: "CustomHTTPProtocol Read Me", confidence: .documented, families: [.urlProtocol],
        monitors: [.load(R20ForwardedChallenges.self)], limits: nil,
        legal: "challenge(digest) response(200) data complete(ok)",
        illegal: "challenge(serverTrust) response(200) data complete(ok)")
}

struct R20ForwardedChallenges: RuleMonitor {
    static var rule: Rule { Rules.r20 }
    static let interests: EventNameSet = [.challenge]

    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.argument {
        // A proxy's space has the same three methods; the proxy is another property of it.
        case nil, "default", "basic", "digest", "proxyDefault", "proxyBasic", "proxyDigest": return
        default: break
        }
        isReported = true
        let reason =
            event.isOfTLS
            ? "a protocol decides on its own connection by itself" : "only default, basic and digest may be"
        hits.report(Self.rule, "\(event.symbol) was passed to the client; \(reason)", at: event, in: load.lane)
    }
}
