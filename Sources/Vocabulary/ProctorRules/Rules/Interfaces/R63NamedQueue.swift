import ProctorEvents

struct R63NamedQueue: RuleMonitor {
    static let interests: EventNameSet = [.schedule, .handler]

    private var place: String?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.name == .handler else {
            place = event.facts.text(.place)
            return nil
        }
        guard let place, event.queue != place else { return nil }
        return Breach(
            "the block was called \(event.queue.map { "on queue \($0)" } ?? "off any queue"); the request named \(place)"
        )
    }
}
