import ProctorEvents
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

/// A client's trace and the requests of the journal, as far as they share a clock, in one order.
struct MergedTrace {
    /// The client's events alone; their sequences rise, and each says its family as far as that is known.
    let events: [TraceEvent]
    /// The client's events, and between them the requests by their time.
    let items: [Item]
    /// Whether requests have a place among the client's events.
    let isMerged: Bool
    /// Whether there are no tasks, but the objects of a URLProtocol; their events say for which step they work.
    let isOfProtocol: Bool
    /// Steps of several that ran at once when a session was asked about TLS, so that it is unknown for which.
    let askedTogether: Set<Int>
    /// The clock that begins with the first event of either side.
    let clock: TraceClock
    /// Places in ``events`` by sequence.
    private let places: [Int: Int]

    /// A client's event, or a request.
    struct Item {
        let event: TraceEvent
        /// Into the requests of the record; nil for the client's own events.
        let request: Int?
        /// Whether it is known which task a request belongs to.
        let hasTask: Bool
    }

    /// `programs` tell the family of tasks whose trace does not.
    ///
    /// `assignsChallenges`: what a session is asked about TLS goes to the lane of the one task that runs (R18).
    init(
        _ events: [TraceEvent], record: WireRecord?, programs: [ClientProgram], isOfProtocol: Bool = false,
        assignsChallenges: Bool = false
    ) {
        var events = Self.numbered(events)
        if isOfProtocol { events = Self.ofProtocol(events) }
        events = Self.withFamilies(events, programs)
        var askedTogether: Set<Int> = []
        if assignsChallenges, !isOfProtocol {
            var assigning = SessionChallenges(events, stepCount: programs.count)
            events = assigning.assigned(events)
            askedTogether = assigning.askedTogether
        }
        self.askedTogether = askedTogether
        self.events = events
        self.isOfProtocol = isOfProtocol
        places = Dictionary(events.enumerated().map { ($0.element.sequence, $0.offset) }, uniquingKeysWith: { $1 })
        let tells = events.contains { if case .monotonic? = $0.time { true } else { false } }
        isMerged = record != nil && (tells || events.isEmpty)
        guard let record, isMerged else {
            items = events.map { Item(event: $0, request: nil, hasTask: true) }
            clock = TraceClock(events)
            return
        }
        let correlation = WireCorrelation(events, isOfProtocol: isOfProtocol)
        let tasks = correlation.tasks(of: record)
        var items: [Item] = []
        items.reserveCapacity(events.count + record.requests.count)
        var next = 0
        func take(before time: UInt64?) {
            while next < record.requests.count, time.map({ record.requests[next].nanoseconds < $0 }) ?? true {
                let event = Self.event(
                    of: record.requests[next], task: tasks[next], tellsReply: correlation.isCertain)
                items.append(Item(event: event, request: next, hasTask: tasks[next] != nil))
                next += 1
            }
        }
        for event in events {
            if case .monotonic(let time)? = event.time { take(before: time) }
            items.append(Item(event: event, request: nil, hasTask: true))
        }
        take(before: nil)
        self.items = items
        clock = TraceClock(items.lazy.map(\.event))
    }

    /// The replies of a record as events of the wire, each when its first byte went out.
    static func replies(of record: WireRecord) -> [TraceEvent] {
        record.replies.map { reply in
            TraceEvent(
                sequence: -Int(clamping: reply.sequence), time: .monotonic(reply.nanoseconds), lane: .wire, task: 0,
                name: .replied, argument: reply.status.map { String($0) }, facts: [])
        }
    }

    /// Requests and replies of a record in one order, without the client's events.
    static func wire(of record: WireRecord) -> [TraceEvent] {
        let requests = record.requests.map { event(of: $0, task: nil, tellsReply: false) }
        // Of both the sequence is that of the journal, negative.
        return (requests + replies(of: record)).sorted { $0.sequence > $1.sequence }
    }

    /// The client's event of that sequence.
    func event(_ sequence: Int) -> TraceEvent? { places[sequence].map { events[$0] } }

    /// The entry of the journal that a negative sequence stands for.
    static func journalSequence(_ sequence: Int?) -> UInt64? {
        sequence.flatMap { $0 < 0 ? UInt64($0.magnitude) : nil }
    }

    /// Requests carry the sequence of their journal entry, negative, so that a rule's hit leads back to it.
    private static func event(
        of request: WireRecord.SeenRequest, task: Int?, tellsReply: Bool
    ) -> TraceEvent {
        var facts: EventFacts = [EventFact(.connection, .integer(request.connection))]
        if let body = request.content { facts.append(EventFact(.bodyLength, .integer(body.byteCount))) }
        if tellsReply { request.tellReply(in: &facts) }
        return TraceEvent(
            sequence: -Int(clamping: request.sequence), time: .monotonic(request.nanoseconds), lane: .wire,
            task: task ?? 0, name: .request, argument: request.symbol.argument, facts: facts)
    }

    /// Logs from elsewhere may have no numbers, or count each lane.
    private static func numbered(_ events: [TraceEvent]) -> [TraceEvent] {
        var last = 0
        for event in events {
            guard event.sequence > last else {
                return events.enumerated().map { index, event in
                    var event = event
                    event.sequence = index + 1
                    return event
                }
            }
            last = event.sequence
        }
        return events
    }

    /// Without tasks, what the test did belongs to family urlProtocol, and an answer to the object that asked last.
    private static func ofProtocol(_ events: [TraceEvent]) -> [TraceEvent] {
        let ofHandlers = Set(events.lazy.filter { $0.lane == .handler }.map(\.task))
        var asking: [Int: Int] = [:]
        return events.map { event in
            var event = event
            switch event.lane {
            case .protocolClient:
                if event.name == .redirect || event.name == .challenge { asking[event.task] = event.laneID.number }
                event.family = event.family ?? .urlProtocol
            case .harness where event.name != .invalidate && !ofHandlers.contains(event.task):
                if event.name == .answer, event.object == nil { event.object = asking[event.task] }
                event.family = event.family ?? .urlProtocol
            default: break
            }
            return event
        }
    }

    private static func withFamilies(_ events: [TraceEvent], _ programs: [ClientProgram]) -> [TraceEvent] {
        var families: [Int: CallbackFamily] = [:]
        for event in events where event.lane == .task || event.lane == .handler {
            if let family = event.family, families[event.task] == nil { families[event.task] = family }
        }
        // One that was cancelled before it said anything.
        for event in events where event.lane == .harness && event.belongsToTask {
            if let family = event.family, families[event.task] == nil { families[event.task] = family }
        }
        for (step, program) in programs.enumerated() where families[step] == nil {
            families[step] = program.task.family
        }
        return events.map { event in
            guard event.family == nil, event.belongsToTask, let family = families[event.task] else { return event }
            var event = event
            event.family = family
            return event
        }
    }
}

extension TraceEvent {
    /// Whether it is something a client was told, and not what the test did or the wire saw.
    var isCallback: Bool { lane != .harness && lane != .wire && phase == .enter }
}

/// Says which task of a trace a request on the wire belongs to.
///
/// A run serves one case, so that there is nothing to tell apart with a single task. With several, the local port
/// counts where the client tells it; else the one task that was under way when the request came.
struct WireCorrelation {
    private var spans: [Int: ClosedRange<UInt64>] = [:]
    private var tasks: Set<Int> = []
    /// The claims by local port, in the order of the trace.
    private var claims: [Int: [(nanoseconds: UInt64, task: Int)]] = [:]

    init(_ events: [TraceEvent], isOfProtocol: Bool = false) {
        for event in events where event.belongsToTask(isOfProtocol: isOfProtocol) && event.phase == .enter {
            tasks.insert(event.task)
            guard case .monotonic(let time)? = event.time else { continue }
            if let port = event.facts.integer(.localPort) { claims[port, default: []].append((time, event.task)) }
            // The end of an object need not be that of its load.
            let isEnd =
                event.name == .complete && !isOfProtocol || event.lane == .handler || event.name == .result
            let span = spans[event.task] ?? time...UInt64.max
            if isEnd, span.upperBound == .max {
                spans[event.task] = span.lowerBound...max(time, span.lowerBound)
            } else {
                spans[event.task] = span
            }
        }
    }

    /// Whether every request is of one task, so that what the server made of it tells of that task alone.
    var isCertain: Bool { tasks.count == 1 }

    /// For each request its task; nil when that cannot be told.
    func tasks(of record: WireRecord) -> [Int?] {
        if tasks.count <= 1 { return record.requests.map { _ in tasks.first } }
        return record.requests.map { request in
            if let port = record.connections[request.connection].peerPort, let claims = claims[port] {
                // A kept connection may serve several tasks: the first that speaks of it after the request.
                let claim = claims.first { $0.nanoseconds >= request.nanoseconds } ?? claims.last
                if let claim { return claim.task }
            }
            let open = spans.filter { $0.value.contains(request.nanoseconds) }
            return open.count == 1 ? open.first?.key : nil
        }
    }
}
