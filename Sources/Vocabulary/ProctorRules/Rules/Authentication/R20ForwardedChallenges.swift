import ProctorEvents

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
