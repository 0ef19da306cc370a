import ProctorEvents

struct R75TaskThatReads: RuleMonitor {
    static let interests: EventNameSet = [.schedule, .response, .data, .trailers, .complete]

    private var place: String?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.name != .schedule else {
            place = event.argument == "task" ? event.facts.text(.place) : nil
            return nil
        }
        guard let place, event.queue != place else { return nil }
        return Breach(
            "\(event.symbol) came on \(event.queue.map { "task \($0)" } ?? "a task without a label"); "
                + "\(place) reads the sequence")
    }
}
