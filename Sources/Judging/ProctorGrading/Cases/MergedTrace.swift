import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

/// A client's trace and the requests of the journal in one order, as far as they share a clock.
struct MergedTrace {
    /// The client's events; their sequence numbers ascend, and each has its family where it is known.
    let events: EventList
    /// The client's events with the requests between them, by time.
    let order: EventOrder
    let isMerged: Bool
    /// Whether there are no tasks, only URLProtocol objects whose events name the step.
    let isOfProtocol: Bool
    /// Steps that ran at the same time when a session got a TLS challenge, so that its step is unknown.
    let askedTogether: Set<Int>
    /// The clock that begins with the first event of client or server.
    let clock: TraceClock
    /// For each request in ``order`` whether its task is known.
    private let haveTasks: [Bool]
    /// The requests in ``order``, by their place in the record; without those for a file of proxies, which are of no load.
    private let requests: [Int]

    struct Item {
        let event: TraceEvent
        /// The index of the request in the record; nil for the client's own events.
        let request: Int?
        let hasTask: Bool
    }

    /// The client's events with the requests between them, with the task of each request where it is known.
    var items: some RandomAccessCollection<Item> { order.indices.lazy.map { item(at: $0) } }

    /// `programs` give the family of a task when its trace has none.
    ///
    /// `assignsChallenges` moves TLS challenges of a session to the lane of the only running task (R18).
    init(
        _ events: [TraceEvent], record: WireRecord?, programs: [ClientProgram], isOfProtocol: Bool = false,
        assignsChallenges: Bool = false, budget: WorkBudget = WorkBudget()
    ) {
        var events = events
        if isOfProtocol { events = Self.ofProtocol(events) }
        let families = programs.map(\.task.family)
        var askedTogether: Set<Int> = []
        if assignsChallenges, !isOfProtocol {
            var assigning = SessionChallenges(events, stepCount: programs.count)
            if assigning.isNeeded(for: events) {
                events = assigning.assigned(
                    events, EventList(RecordedEvents(events, familiesOf: families, budget: budget)))
            }
            askedTogether = assigning.askedTogether
        }
        self.askedTogether = askedTogether
        let list = EventList(RecordedEvents(events, familiesOf: families, budget: budget))
        (self.events, self.isOfProtocol) = (list, isOfProtocol)
        let tells = events.contains { if case .monotonic? = $0.time { true } else { false } }
        isMerged = record != nil && (tells || events.isEmpty)
        guard let record, isMerged else {
            order = EventOrder(list)
            (haveTasks, requests) = ([], [])
            clock = TraceClock(list)
            return
        }
        let correlation = WireCorrelation(list, isOfProtocol: isOfProtocol)
        let tasks = correlation.tasks(of: record)
        let hasFile = programs.first?.session?.pac != nil
        requests = record.exchanges.indices.filter { !hasFile || record.exchanges[$0].origin != "main" }
        let sent = requests.map {
            Self.event(of: record.exchanges[$0], task: tasks[$0], tellsReply: correlation.isCertain)
        }
        order = EventOrder(EventOrder(list), with: sent) { $0.isBefore($1) }
        haveTasks = tasks.map { $0 != nil }
        clock = TraceClock(order)
    }

    func sent(_ request: Int) -> TraceEvent? { requests.firstIndex(of: request).map { order.server[$0] } }

    func item(at position: Int) -> Item {
        let request = order.serverIndex(at: position).map { requests[$0] }
        return Item(event: order[position], request: request, hasTask: request.map { haveTasks[$0] } ?? true)
    }

    /// Replies at the time of their first byte, ends of connections and frames in one order; a timeline of requests
    /// does not contain these.
    static func ofEdges(_ record: WireRecord) -> [TraceEvent] {
        let events =
            record.replies.map { wireEvent($0.sequence, $0.nanoseconds, .replied, $0.note.map { String($0) }) }
            + record.closings.map { wireEvent($0.sequence, $0.nanoseconds, .closed, $0.note.rawValue) }
            + record.frameEvents.map { wireEvent($0.sequence, $0.nanoseconds, $0.name, $0.argument) }
        return events.sorted { $0.sequence > $1.sequence }
    }

    /// Requests, replies, ends of connections and frames of a record in one order, without the client's events.
    static func wire(of record: WireRecord) -> [TraceEvent] {
        let requests = record.exchanges.map { event(of: $0, task: nil, tellsReply: false) }
        return (requests + ofEdges(record)).sorted { $0.sequence > $1.sequence }
    }

    func event(_ sequence: Int) -> TraceEvent? { events.position(of: sequence).map { events[$0] } }

    /// The journal sequence for a negative event sequence; nil for other sequences.
    static func journalSequence(_ sequence: Int?) -> UInt64? {
        sequence.flatMap { $0 < 0 ? UInt64($0.magnitude) : nil }
    }

    private static func event(of request: SeenExchange, task: Int?, tellsReply: Bool) -> TraceEvent {
        var facts: EventFacts = [EventFact(.connection, .integer(request.connection))]
        if let body = request.content { facts.append(EventFact(.bodyLength, .integer(body.byteCount))) }
        if tellsReply { for fact in request.factsOfReply { facts.append(fact) } }
        return wireEvent(request.sequence, request.nanoseconds, .request, request.name, task: task ?? 0, facts)
    }

    /// An event whose sequence is the negative sequence of its journal entry, so that the entry of a rule's hit can be
    /// found.
    private static func wireEvent(
        _ sequence: UInt64, _ nanoseconds: UInt64, _ name: EventName, _ argument: String?, task: Int = 0,
        _ facts: EventFacts = []
    ) -> TraceEvent {
        TraceEvent(
            sequence: -Int(clamping: sequence), time: .monotonic(nanoseconds), lane: .wire, task: task, name: name,
            argument: argument, facts: facts)
    }

    /// In a trace without tasks, the acts of the test belong to family urlProtocol, and an answer belongs to the object
    /// that asked last.
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
}

extension TraceEvent {
    /// Whether the event is a callback, and not an act of the test or a request on the wire.
    var isCallback: Bool { lane != .harness && lane != .wire && phase == .enter }

    /// Compares times of the server's clock; false when either event has none.
    func isBefore(_ other: TraceEvent) -> Bool {
        guard let nanoseconds, let otherNanoseconds = other.nanoseconds else { return false }
        return nanoseconds < otherNanoseconds
    }
}

/// Finds the task to which a session's TLS challenge belongs, since the session's delegate method names no task (R18).
///
/// With one running task, it is that task; so an expression `challenge(serverTrust) response(200) …` holds for clients
/// whose delegate implements the session's method or the task's. With several tasks it is unknown.
struct SessionChallenges {
    /// Steps that were running together when the session got a challenge.
    private(set) var askedTogether: Set<Int> = []
    private let tellsResumes: Bool
    private let stepCount: Int
    /// Whether the recorder already copies the challenge into the task's lane.
    private let copies: Bool
    private var running: Set<Int> = []
    /// Tasks of ``running`` that were not running together with others at any challenge.
    private var fresh: Set<Int> = []
    private var ended: Set<Int> = []
    /// The lowest step that may be unfinished.
    private var firstOpen = 0

    init(_ events: [TraceEvent], stepCount: Int) {
        tellsResumes = events.contains { $0.name == .resume && $0.object == nil }
        self.stepCount = stepCount
        copies = events.contains { $0.lane == .task && $0.isQuestionOfSession }
    }

    /// Whether the trace has a challenge to assign.
    func isNeeded(for events: [TraceEvent]) -> Bool {
        !copies && events.contains { $0.lane == .session && $0.isQuestionOfTLS }
    }

    /// The events in the same order, with each TLS challenge in the lane of its task where that is known.
    ///
    /// `known` are these events with the families of their tasks.
    mutating func assigned(_ events: [TraceEvent], _ known: EventList) -> [TraceEvent] {
        var assigned = events
        // The return of a callback is moved to the lane of its beginning.
        var last: Int?
        for (index, event) in known.enumerated() {
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
        case .harness where event.name == .resume: start(event.task)
        case .task, .handler:
            guard event.name != .becameDownload, event.name != .becameStream else { return }
            if (event.family ?? .sessionData).isEnded(by: event.name) || event.lane == .handler {
                running.remove(event.task)
                fresh.remove(event.task)
                ended.insert(event.task)
            } else if event.name != .created, event.name != .metrics, !ended.contains(event.task) {
                start(event.task)
            }
        default: return
        }
    }

    private mutating func start(_ task: Int) {
        if running.insert(task).inserted, !askedTogether.contains(task) { fresh.insert(task) }
    }

    /// The only running task; in a trace without acts, the first step that has not ended, since steps run one after the
    /// other.
    private mutating func owner() -> Int? {
        if running.count > 1 {
            askedTogether.formUnion(fresh)
            fresh.removeAll(keepingCapacity: true)
        }
        if let task = running.first { return running.count == 1 ? task : nil }
        guard !tellsResumes else { return nil }
        while firstOpen < max(1, stepCount), ended.contains(firstOpen) { firstOpen += 1 }
        return firstOpen < max(1, stepCount) ? firstOpen : nil
    }
}

extension TraceEvent {
    fileprivate var isQuestionOfTLS: Bool { name == .challenge && isOfTLS }

    /// Whether the event is a TLS challenge that the recorder marks as one of the session.
    fileprivate var isQuestionOfSession: Bool { isQuestionOfTLS && facts.text(.scope) == "session" }
}
