import ProctorBase
package import ProctorEvents
import ProctorRules

/// Events of a client's trace in their order, all of them or some, without a copy of the trace.
///
/// When an event is read, its missing number and the missing family of its task are added.
package struct EventList: RandomAccessCollection {
    private let source: RecordedEvents
    /// Indexes into the trace, ascending; nil means all.
    private let places: [Int32]?

    /// Makes a list of complete events, whose numbers ascend.
    init(_ events: [TraceEvent]) { self.init(RecordedEvents(events)) }

    init(_ source: RecordedEvents) {
        self.source = source
        places = nil
    }

    private init(_ source: RecordedEvents, at places: [Int32]) {
        (self.source, self.places) = (source, places)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { places?.count ?? source.events.count }

    package subscript(position: Int) -> TraceEvent { source[place(of: position)] }

    /// The events of the same trace at these indexes, which ascend.
    func events(at places: [Int32]) -> EventList { EventList(source, at: places) }

    /// The events of this list that satisfy a condition.
    func selecting(_ isMeant: (TraceEvent) -> Bool) -> EventList {
        var chosen: [Int32] = []
        for position in indices where isMeant(self[position]) {
            chosen.append(Int32(truncatingIfNeeded: place(of: position)))
        }
        return EventList(source, at: chosen)
    }

    /// The index in this list of the event with that number; nil when it is not in the list.
    func position(of sequence: Int) -> Int? {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let middleSequence = source.sequence(at: place(of: middle))
            if middleSequence == sequence { return middle }
            range = middleSequence < sequence ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    private func place(of position: Int) -> Int { places.map { Int($0[position]) } ?? position }
}

/// The events of a trace as a recorder wrote them; missing values are added when an event is read.
struct RecordedEvents {
    let events: [TraceEvent]
    /// The budget, of which each event read is a step.
    let budget: WorkBudget
    /// Whether the number of an event is its position, because the trace has no numbers or only numbers within lanes.
    private let isNumberedByPlace: Bool
    /// The families of tasks, for events without a family.
    private var families: [Int: CallbackFamily] = [:]

    init(_ events: [TraceEvent], budget: WorkBudget = WorkBudget()) {
        (self.events, self.budget) = (events, budget)
        var last = 0
        isNumberedByPlace = !events.allSatisfy { event in
            defer { last = event.sequence }
            return event.sequence > last
        }
    }

    /// `programs` give the family of a task when its trace has none.
    init(_ events: [TraceEvent], familiesOf programs: [CallbackFamily], budget: WorkBudget) {
        self.init(events, budget: budget)
        // A task that was cancelled before its first callback occurs only in acts of the test.
        for isOfActs in [false, true] {
            for event in events {
                guard let family = event.family, event.isOfLoad(orAct: isOfActs), families[event.task] == nil else {
                    continue
                }
                families[event.task] = family
            }
        }
        for (step, family) in programs.enumerated() where families[step] == nil { families[step] = family }
    }

    func sequence(at place: Int) -> Int { isNumberedByPlace ? place + 1 : events[place].sequence }

    subscript(place: Int) -> TraceEvent {
        budget.noteStep()
        var event = events[place]
        if isNumberedByPlace { event.sequence = place + 1 }
        if event.family == nil, event.belongsToTask { event.family = families[event.task] }
        return event
    }
}

extension TraceEvent {
    fileprivate func isOfLoad(orAct isAct: Bool) -> Bool {
        isAct ? lane == .harness && belongsToTask : lane == .task || lane == .handler
    }
}

/// The events of client and server in one order, without a copy of the client's events.
struct EventOrder: RandomAccessCollection {
    let client: EventList
    private(set) var server: [TraceEvent] = []
    /// The index of a client's event, or the bitwise complement of the index of a server's event; nil means the
    /// client's events only.
    private var order: [Int32]?

    init(_ client: EventList) { self.client = client }

    /// Inserts the server's events, in their order, each before the first of these events that it precedes.
    init(_ order: EventOrder, with further: [TraceEvent], isBefore: (TraceEvent, TraceEvent) -> Bool) {
        client = order.client
        server = order.server + further
        var places: [Int32] = []
        places.reserveCapacity(order.count + further.count)
        var next = 0
        func append() {
            places.append(~Int32(truncatingIfNeeded: order.server.count + next))
            next += 1
        }
        for index in order.indices {
            if next < further.count {
                let event = order[index]
                while next < further.count, isBefore(further[next], event) { append() }
            }
            places.append(order.order?[index] ?? Int32(truncatingIfNeeded: index))
        }
        while next < further.count { append() }
        self.order = places
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { order?.count ?? client.count }

    package subscript(position: Int) -> TraceEvent {
        guard let order else { return client[position] }
        let place = Int(order[position])
        return place < 0 ? server[~place] : client[place]
    }

    /// The index of the server's event at a position; nil for the client's.
    func serverIndex(at position: Int) -> Int? {
        order.flatMap { $0[position] < 0 ? Int(~$0[position]) : nil }
    }

    /// The index of the client's event at a position; nil for the server's.
    func clientIndex(at position: Int) -> Int? {
        guard let order else { return position }
        return order[position] < 0 ? nil : Int(order[position])
    }
}
