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
    static let interests: EventNameSet = [.challenge]

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.argument {
        // A proxy's space has the same three methods; that it is a proxy is another property.
        case nil, "default", "basic", "digest", "proxyDefault", "proxyBasic", "proxyDigest": return nil
        default: break
        }
        let reason =
            event.isOfTLS
            ? "a protocol decides on its own connection by itself" : "only default, basic and digest may be"
        return Breach("\(event.symbol) was passed to the client; \(reason)")
    }
}
