import ProctorEvents

struct R72TrailersLast: RuleMonitor {
    static let interests: EventNameSet = [.data, .trailers]

    private var hasTrailers = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil, load.cancellation == nil else { return nil }
        if event.name == .trailers {
            defer { hasTrailers = true }
            return hasTrailers ? Breach("trailers come a second time") : nil
        }
        return hasTrailers ? Breach("data behind trailers, which follow the last part of the content") : nil
    }
}
