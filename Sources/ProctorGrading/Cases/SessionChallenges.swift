import ProctorEvents
import ProctorRules

/// Finds the task for which a session was asked about TLS: its method names none (R18).
///
/// With one task running it is that one; so one expression `challenge(serverTrust) response(200) …` holds for clients whose
/// delegate has the session's method and for those that are asked by task. With several the task is unknown.
struct SessionChallenges {
    /// Steps of several that ran when the session was asked.
    private(set) var askedTogether: Set<Int> = []
    private let tellsResumes: Bool
    private let stepCount: Int
    /// A recorder that puts its own copy into the lane of the task needs none of ours.
    private let copies: Bool
    private var running: Set<Int> = []
    private var ended: Set<Int> = []

    init(_ events: [TraceEvent], stepCount: Int) {
        tellsResumes = events.contains { $0.name == .resume && $0.object == nil }
        self.stepCount = stepCount
        copies = events.contains { $0.lane == .task && $0.isQuestionOfSession }
    }

    /// The same events in the same order; where the task is known, a question about TLS stands in its lane.
    mutating func assigned(_ events: [TraceEvent]) -> [TraceEvent] {
        guard !copies, events.contains(where: { $0.lane == .session && $0.isQuestionOfTLS }) else { return events }
        var assigned = events
        // Exits of callbacks go where their beginnings went.
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

    /// The one task that runs; without acts in the trace the first that has not ended, since steps follow one another.
    private mutating func owner() -> Int? {
        if running.count > 1 { askedTogether.formUnion(running) }
        if let task = running.first { return running.count == 1 ? task : nil }
        return tellsResumes ? nil : (0..<max(1, stepCount)).first { !ended.contains($0) }
    }
}

extension TraceEvent {
    /// A challenge of TLS, or that it returned.
    fileprivate var isQuestionOfTLS: Bool { name == .challenge && isOfTLS }

    /// Such a challenge of which the recorder says that the session was asked.
    fileprivate var isQuestionOfSession: Bool { isQuestionOfTLS && facts.text(.scope) == "session" }
}
