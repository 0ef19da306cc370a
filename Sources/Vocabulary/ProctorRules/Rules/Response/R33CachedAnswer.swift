import ProctorEvents

struct R33CachedAnswer: RuleMonitor {
    static let interests: EventNameSet = [.cacheValidated]

    private var isValidated = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        if isValidated || load.responseCount > 0 {
            return Breach(
                isValidated
                    ? "cacheValidated came a second time; a cached response is confirmed once"
                    : "cacheValidated came after a response; it stands for a 304, which has come before",
                isInferred: true)
        }
        isValidated = true
        return nil
    }
}
