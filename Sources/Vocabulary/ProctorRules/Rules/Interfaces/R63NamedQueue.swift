import ProctorEvents

extension Rules {
    static let r63 = Rule(
        63, title: "the block comes on the queue that was named",
        statement: """
            The block of a queued request runs on the operation queue that was given with the request, whatever thread \
            the load had.
            """,
        source: "NSURLConnection.h; Using NSURLSession, Retrieving the Contents of a URL without Delegates",
        confidence: .documented, families: [.connectionQueued],
        monitors: [.load(R63NamedQueue.self)],
        limits: "The trace must have the event schedule with the queue's label (fact place), and the labels of queues",
        legal: "  # schedule(queue) names D, and handler(ok) comes on queue D",
        illegal: "  # schedule(queue) names D, and handler(ok) comes on queue E, or on none")
}

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
