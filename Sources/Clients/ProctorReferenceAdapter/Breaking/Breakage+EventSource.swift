internal import ProctorReference

extension Breakage {
    /// Mistakes of event sources (HTML §9.2).
    static let eventSources: [Breakage] = [
        .ofEventSource("sse-no-last-event-id", "connect again without Last-Event-ID", .forgetsLastID),
        .ofEventSource(
            "sse-retries-failures", "connect again where a reply other than 204 ended the event source",
            .retriesFailures),
        .ofEventSource("sse-reads-any-type", "read a reply of any type as a stream", .readsAnyType),
        .ofEventSource("sse-ignores-retry", "connect again at once, whatever retry says", .ignoresRetry),
        .ofEventSource("sse-counts-open-events", "count an event that no empty line ends", .endsOpenEvents),
        .ofEventSource("sse-loses-types", "hand over every event as a message", .losesTypes),
        .ofEventSource("sse-loses-ids", "hand over events without the last event ID", .losesIDs),
        .ofEventSource("sse-joins-data", "put the lines of an event's data together without a line feed", .joinsData),
    ]

    /// Mistakes of event sources that break a rule.
    static let eventSourceRules: [Breakage] = [
        .ofEventSource("R67", "tell twice of the opening of an event source", .opensTwice),
        .ofEventSource("R68", "tell of the opening behind the first event", .opensLate),
        .ofEventSource("R69", "tell nothing of the end of a connection before it connects again", .hidesRetry),
        .ofEventSource("R70", "tell twice of the end of an event source", .tellsBehindTheEnd),
        .ofEventSource("R70b", "go on with events behind close()", .tellsBehindClose),
    ]

    private static func ofEventSource(_ label: String, _ name: String, _ fault: EventSourceFault) -> Breakage {
        setting(label, name) { $0.eventSourceFault = fault }
    }
}
