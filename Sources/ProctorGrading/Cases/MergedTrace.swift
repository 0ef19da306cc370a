import ProctorEvents
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

/// A client's trace and the requests of the journal in one order, as far as they share a clock.
struct MergedTrace {
    /// The client's events alone; their sequences rise, and each has its family where it is known.
    let events: [TraceEvent]
    /// The client's events with the requests between them, by time.
    let items: [Item]
    let isMerged: Bool
    /// Whether there are no tasks, only URLProtocol objects whose events name the step.
    let isOfProtocol: Bool
    /// Steps that ran at the same time when a session got a TLS challenge, so that its step is unknown.
    let askedTogether: Set<Int>
    /// The clock that begins with the first event of client or server.
    let clock: TraceClock
    /// The index in ``events`` of each sequence.
    private let places: [Int: Int]

    struct Item {
        let event: TraceEvent
        /// The index of the request in the record; nil for the client's own events.
        let request: Int?
        let hasTask: Bool
    }

    /// `programs` give the family of tasks whose trace does not.
    ///
    /// `assignsChallenges` moves a session's TLS challenges to the lane of the one task that runs (R18).
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
                let event = Self.event(of: record.requests[next], task: tasks[next], tellsReply: correlation.isCertain)
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

    /// The replies of a record as events of lane `wire`, each at the time of its first byte.
    static func replies(of record: WireRecord) -> [TraceEvent] {
        record.replies.map { reply in
            TraceEvent(
                sequence: -Int(clamping: reply.sequence), time: .monotonic(reply.nanoseconds), lane: .wire, task: 0,
                name: .replied, argument: reply.status.map { String($0) }, facts: [])
        }
    }

    /// The ends of a record's connections as events of lane `wire`.
    private static func closings(of record: WireRecord) -> [TraceEvent] {
        record.closings.map { closing in
            TraceEvent(
                sequence: -Int(clamping: closing.sequence), time: .monotonic(closing.nanoseconds), lane: .wire, task: 0,
                name: .closed, argument: closing.by.rawValue, facts: [])
        }
    }

    /// The frames of a record that edges can name, as events of lane `wire`.
    private static func frames(of record: WireRecord) -> [TraceEvent] {
        record.frameEvents.map { frame in
            TraceEvent(
                sequence: -Int(clamping: frame.sequence), time: .monotonic(frame.nanoseconds), lane: .wire, task: 0,
                name: frame.name, argument: frame.argument, facts: [])
        }
    }

    /// Replies, ends of connections and frames in one order: what a timeline of requests has not.
    static func ofEdges(_ record: WireRecord) -> [TraceEvent] {
        // All have the negative sequence of their journal entry.
        (replies(of: record) + closings(of: record) + frames(of: record)).sorted { $0.sequence > $1.sequence }
    }

    /// Requests, replies, ends of connections and frames of a record in one order, without the client's events.
    static func wire(of record: WireRecord) -> [TraceEvent] {
        let requests = record.requests.map { event(of: $0, task: nil, tellsReply: false) }
        return (requests + ofEdges(record)).sorted { $0.sequence > $1.sequence }
    }

    func event(_ sequence: Int) -> TraceEvent? { places[sequence].map { events[$0] } }

    /// The sequence of the journal entry that a negative event sequence stands for.
    static func journalSequence(_ sequence: Int?) -> UInt64? {
        sequence.flatMap { $0 < 0 ? UInt64($0.magnitude) : nil }
    }

    /// A request has the negative sequence of its journal entry, so that a rule's hit leads back to the entry.
    private static func event(of request: WireRecord.SeenRequest, task: Int?, tellsReply: Bool) -> TraceEvent {
        var facts: EventFacts = [EventFact(.connection, .integer(request.connection))]
        if let body = request.content { facts.append(EventFact(.bodyLength, .integer(body.byteCount))) }
        if tellsReply { request.tellReply(in: &facts) }
        return TraceEvent(
            sequence: -Int(clamping: request.sequence), time: .monotonic(request.nanoseconds), lane: .wire,
            task: task ?? 0, name: .request, argument: request.symbol.argument, facts: facts)
    }

    /// Numbers the events of traces from elsewhere, which may have no numbers, or count each lane.
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

    /// Without tasks, the acts of the test belong to family urlProtocol, and an answer belongs to the object that
    /// asked last.
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
        let ofLoads = events.filter { $0.lane == .task || $0.lane == .handler }
        // The acts of the test show a task that was cancelled before its first callback.
        for event in ofLoads + events.filter({ $0.lane == .harness && $0.belongsToTask }) {
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
    /// Whether the event is a callback, and not an act of the test or a request on the wire.
    var isCallback: Bool { lane != .harness && lane != .wire && phase == .enter }
}

/// Finds the task of a trace that a request on the wire belongs to.
///
/// A run serves one case, so that a single task has all requests. With several tasks the local port decides where the
/// client reports it; else the one task that ran when the request came.
struct WireCorrelation {
    private var spans: [Int: ClosedRange<UInt64>] = [:]
    private var tasks: Set<Int> = []
    /// The tasks that reported each local port, in the order of the trace.
    private var claims: [Int: [(nanoseconds: UInt64, task: Int)]] = [:]

    init(_ events: [TraceEvent], isOfProtocol: Bool = false) {
        for event in events where event.belongsToTask(isOfProtocol: isOfProtocol) && event.phase == .enter {
            tasks.insert(event.task)
            guard case .monotonic(let time)? = event.time else { continue }
            if let port = event.facts.integer(.localPort) { claims[port, default: []].append((time, event.task)) }
            // The end of an object need not be the end of its load.
            let isEnd = event.name == .complete && !isOfProtocol || event.lane == .handler || event.name == .result
            let span = spans[event.task] ?? time...UInt64.max
            if isEnd, span.upperBound == .max {
                spans[event.task] = span.lowerBound...max(time, span.lowerBound)
            } else {
                spans[event.task] = span
            }
        }
    }

    /// Whether every request belongs to one task, so that the server's replies are about that task alone.
    var isCertain: Bool { tasks.count == 1 }

    /// The task of each request; nil when it is unknown.
    func tasks(of record: WireRecord) -> [Int?] {
        if tasks.count <= 1 { return record.requests.map { _ in tasks.first } }
        return record.requests.map { request in
            if let port = record.connections[request.connection].peerPort, let claims = claims[port] {
                // Several tasks may use one kept connection: the first that reports it after the request counts.
                let claim = claims.first { $0.nanoseconds >= request.nanoseconds } ?? claims.last
                if let claim { return claim.task }
            }
            let open = spans.filter { $0.value.contains(request.nanoseconds) }
            return open.count == 1 ? open.first?.key : nil
        }
    }
}

/// Finds the task for which a session got a TLS challenge, whose method names no task (R18).
///
/// With one running task it is that task, so that one expression `challenge(serverTrust) response(200) …` holds for
/// clients whose delegate has the session's method or the task's. With several tasks it is unknown.
struct SessionChallenges {
    /// Steps that ran at the same time when the session got a challenge.
    private(set) var askedTogether: Set<Int> = []
    private let tellsResumes: Bool
    private let stepCount: Int
    /// Whether the recorder already copies the challenge into the task's lane.
    private let copies: Bool
    private var running: Set<Int> = []
    private var ended: Set<Int> = []

    init(_ events: [TraceEvent], stepCount: Int) {
        tellsResumes = events.contains { $0.name == .resume && $0.object == nil }
        self.stepCount = stepCount
        copies = events.contains { $0.lane == .task && $0.isQuestionOfSession }
    }

    /// The same events in the same order, with each TLS challenge in the lane of its task where that is known.
    mutating func assigned(_ events: [TraceEvent]) -> [TraceEvent] {
        guard !copies, events.contains(where: { $0.lane == .session && $0.isQuestionOfTLS }) else { return events }
        var assigned = events
        // The return of a callback goes to the lane of its beginning.
        var last: Int?
        for (index, event) in events.enumerated() {
            guard event.lane == .session, event.isQuestionOfTLS else {
                follow(event)
                continue
            }
            if event.phase == .enter { last = owner() }
            guard let task = last else { continue }
            assigned[index].lane = .task
            assigned[index].task = task
            if event.facts[.scope] == nil { assigned[index].facts.append(EventFact(.scope, .text("session"))) }
        }
        return assigned
    }

    private mutating func follow(_ event: TraceEvent) {
        guard event.phase == .enter, event.object == nil else { return }
        switch event.lane {
        case .harness where event.name == .resume: running.insert(event.task)
        case .task, .handler:
            guard event.name != .becameDownload, event.name != .becameStream else { return }
            if (event.family ?? .sessionData).isEnded(by: event.name) || event.lane == .handler {
                running.remove(event.task)
                ended.insert(event.task)
            } else if event.name != .created, event.name != .metrics, !ended.contains(event.task) {
                running.insert(event.task)
            }
        default: return
        }
    }

    /// The one running task; in a trace without acts the first that has not ended, since steps follow one another.
    private mutating func owner() -> Int? {
        if running.count > 1 { askedTogether.formUnion(running) }
        if let task = running.first { return running.count == 1 ? task : nil }
        return tellsResumes ? nil : (0..<max(1, stepCount)).first { !ended.contains($0) }
    }
}

extension TraceEvent {
    fileprivate var isQuestionOfTLS: Bool { name == .challenge && isOfTLS }

    /// A TLS challenge that the recorder marks as asked of the session.
    fileprivate var isQuestionOfSession: Bool { isQuestionOfTLS && facts.text(.scope) == "session" }
}
