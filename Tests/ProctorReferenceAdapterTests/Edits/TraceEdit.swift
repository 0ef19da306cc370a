import ProctorEvents

/// One change to a trace, made by a rule, so that the same trace always gives the same changes.
struct TraceEdit: Sendable {
    /// What is changed, without values that differ from run to run: `task response(200): status`.
    let name: String
    let events: [TraceEvent]

    /// Every change to the first event of each kind that the client reports, and to each value of it.
    ///
    /// Acts of the test are no client's, apart from a step's `result`.
    static func all(of events: [TraceEvent]) -> [TraceEdit] {
        var seen: Set<String> = []
        return events.indices.flatMap { index -> [TraceEdit] in
            let event = events[index]
            guard event.phase == .enter, event.lane != .wire,
                event.lane != .harness || event.name == .result || event.name == .returned
            else { return [] }
            let subject = EditedEvent(index, in: events)
            guard seen.insert(subject.name).inserted else { return [] }
            return subject.edits
        }
    }
}

/// An event of a trace with the return of its callback, and what can be made of it.
private struct EditedEvent {
    let name: String
    private let events: [TraceEvent]
    private let event: TraceEvent
    /// From the event to the return of its callback.
    private let span: Range<Int>

    init(_ index: Int, in events: [TraceEvent]) {
        self.events = events
        event = events[index]
        let event = event
        let end = events[index...].firstIndex { later in
            later.phase == .exit && later.laneID == event.laneID && later.name == event.name
        }
        span = index..<(end ?? index) + 1
        name = "\(event.laneID) \(event.symbol.name)" + (Self.isSteady(event) ? "(\(event.argument ?? ""))" : "")
    }

    /// Whether the argument is a word or a status, and no URL or count of bytes.
    private static func isSteady(_ event: TraceEvent) -> Bool {
        guard let argument = event.argument, event.name != .downloadResumed else { return false }
        return argument.count <= 24 && argument.allSatisfy { $0.isLetter || $0.isNumber }
    }

    var edits: [TraceEdit] { placed + labelled + valued }

    private func edit(_ what: String, _ events: [TraceEvent]?) -> TraceEdit? {
        guard let events, events != self.events else { return nil }
        return TraceEdit(name: "\(name): \(what)", events: Self.numbered(events))
    }

    /// The changed event in place of its first.
    private func edit(_ what: String, change: (inout TraceEvent) -> Void) -> TraceEdit? {
        var changed = events
        change(&changed[span.lowerBound])
        return edit(what, changed)
    }

    // MARK: Places

    /// Dropped, doubled, before its cause and behind the end.
    private var placed: [TraceEdit] {
        let others = Array(events[..<span.lowerBound] + events[span.upperBound...])
        let doubled = Array(events[..<span.upperBound] + events[span] + events[span.upperBound...])
        return [
            edit("dropped", others), edit("doubled", doubled), edit("before its cause", before),
            edit("behind the end", behind),
        ].compactMap(\.self)
    }

    /// The events with this one before the callback that came last; nil where none did.
    private var before: [TraceEvent]? {
        guard event.lane != .harness,
            let cause = events[..<span.lowerBound].lastIndex(where: { earlier in
                earlier.phase == .enter && earlier.lane != .harness && earlier.lane != .wire
            })
        else { return nil }
        let moved = events[span].map { Self.at(events[cause].time, $0) }
        var edited = Array(events[..<cause])
        edited += moved
        edited += events[cause..<span.lowerBound]
        edited += events[span.upperBound...]
        return edited
    }

    /// The events with this one after the end of the load; nil where it is the end, or came after it.
    private var behind: [TraceEvent]? {
        let ends: EventNameSet = [.complete, .handler, .awaited, .returned]
        guard !ends.contains(event.name), event.name != .result,
            let last = events.lastIndex(where: { ends.contains($0.name) }), last >= span.upperBound
        else { return nil }
        let moved = events[span].map { Self.at(events[last].time, $0) }
        var edited = Array(events[..<span.lowerBound])
        edited += events[span.upperBound...last]
        edited += moved
        edited += events[(last + 1)...]
        return edited
    }

    private static func at(_ time: TraceEvent.Time?, _ event: TraceEvent) -> TraceEvent {
        var event = event
        event.time = time
        return event
    }

    private static func numbered(_ events: [TraceEvent]) -> [TraceEvent] {
        events.enumerated().map { index, event in
            var event = event
            event.sequence = index + 1
            return event
        }
    }

    // MARK: Labels

    /// Another lane, thread and queue, for the event and the return of its callback.
    private var labelled: [TraceEdit] {
        guard event.lane != .harness else { return [] }
        let lane: Lane = event.lane == .session ? .task : .session
        return [
            relabelled("another lane") { $0.lane = lane },
            event.thread == nil ? nil : relabelled("another thread") { $0.thread = "another thread" },
            event.queue == nil ? nil : relabelled("another queue") { $0.queue = "another queue" },
        ].compactMap(\.self)
    }

    private func relabelled(_ what: String, change: (inout TraceEvent) -> Void) -> TraceEdit? {
        var changed = events
        for index in span
        where changed[index].laneID == event.laneID && changed[index].name == event.name { change(&changed[index]) }
        return edit(what, changed)
    }

    // MARK: Values

    private var valued: [TraceEdit] {
        let argument = OtherValues.of(argument: event).map { other in
            edit("argument \(other)") { $0.argument = other }
        }
        let facts = event.facts.flatMap { fact in
            OtherValues.of(fact).enumerated().map { number, value in
                edit(number == 0 ? fact.key.rawValue : "\(fact.key.rawValue), \(number + 1)") { event in
                    event.facts = EventFacts(event.facts.map { $0.key == fact.key ? EventFact(fact.key, value) : $0 })
                }
            }
        }
        return (argument + facts).compactMap(\.self)
    }
}
