import ProctorBase
import ProctorEvents
import ProctorRules

/// Events of a client's trace in their order, all of them or those at some places, without a copy of the trace.
///
/// What a trace from elsewhere leaves out is filled in when an event is read: its number and the family of its task.
struct EventList: RandomAccessCollection {
    private let source: EventSource
    /// Indexes into the trace; nil means all.
    private let places: [Int32]?

    /// Events whose numbers rise and which need nothing filled in.
    init(_ events: [TraceEvent]) { self.init(EventSource(events)) }

    init(_ source: EventSource) {
        self.source = source
        places = nil
    }

    private init(_ source: EventSource, at places: [Int32]) {
        self.source = source
        self.places = places
    }

    var startIndex: Int { 0 }
    var endIndex: Int { places?.count ?? source.events.count }

    subscript(position: Int) -> TraceEvent { source[place(of: position)] }

    /// The same trace at some of its places, which rise.
    func events(at places: [Int32]) -> EventList { EventList(source, at: places) }

    /// The events of this list that meet a condition.
    func selecting(_ isMeant: (TraceEvent) -> Bool) -> EventList {
        var chosen: [Int32] = []
        for position in indices where isMeant(self[position]) {
            chosen.append(Int32(truncatingIfNeeded: place(of: position)))
        }
        return EventList(source, at: chosen)
    }

    /// The index in this list of the event with that number; nil where there is none.
    func position(of sequence: Int) -> Int? {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let found = source.sequence(at: place(of: middle))
            if found == sequence { return middle }
            range = found < sequence ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    private func place(of position: Int) -> Int { places.map { Int($0[position]) } ?? position }
}

/// The events of a trace as a recorder wrote them, with what is filled in where they are read.
struct EventSource {
    let events: [TraceEvent]
    /// Each event that is read is a step of it.
    let budget: WorkBudget
    /// Whether the place is the number, in a trace without numbers of its own, or with those of each lane.
    private let isNumberedByPlace: Bool
    /// The families of tasks, for events that do not tell theirs.
    private var families: [Int: CallbackFamily] = [:]

    init(_ events: [TraceEvent], budget: WorkBudget = WorkBudget()) {
        self.events = events
        self.budget = budget
        var last = 0
        isNumberedByPlace = !events.allSatisfy { event in
            defer { last = event.sequence }
            return event.sequence > last
        }
    }

    /// `programs` give the family of tasks whose trace does not.
    init(_ events: [TraceEvent], familiesOf programs: [CallbackFamily], budget: WorkBudget) {
        self.init(events, budget: budget)
        // The acts of the test show a task that was cancelled before its first callback.
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

/// Events of the client and of the server in one order, without a copy of the client's.
struct EventOrder: RandomAccessCollection {
    let client: EventList
    private(set) var server: [TraceEvent] = []
    /// The client's event at an index, or the server's as the bitwise complement of its index; nil means the client's
    /// alone.
    private var order: [Int32]?

    init(_ client: EventList) { self.client = client }

    /// Puts the server's events, in their order, before the first of these events that they are before.
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

    var startIndex: Int { 0 }
    var endIndex: Int { order?.count ?? client.count }

    subscript(position: Int) -> TraceEvent {
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
