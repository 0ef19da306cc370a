internal import ProctorBase
import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
import ProctorProgram

/// What the processes of an adapter did with one assignment.
struct Performance {
    var outcome: WatchedChild.Outcome
    var reading: IncomingTrace.Reading
    /// What stands for the trace of a client without an adapter, by the whole journal.
    var trace: (@Sendable ([JournalEntry]) -> (header: TraceHeader, events: [TraceEvent]))?
    /// The assignment, or those of all processes, as the adapter read them.
    var input: [UInt8]

    /// Whether the process has done each of its steps, so that the client can be started again.
    ///
    /// A client that lacks the ability is not started again: its case is not judged.
    func permitsLaunch(after part: Assignment) -> Bool {
        guard outcome.ending == .exited(0), reading.fault == nil, let header = reading.header else { return false }
        guard !reading.events.contains(where: { $0.name == .unimplemented }) else { return false }
        let abilities = ClientAbilities(declared: header.abilities, reportsCallbacks: true)
        let steps = Set(reading.events.lazy.filter { $0.name == .result }.map(\.task))
        return abilities.include(.secondLaunch) && steps.isSuperset(of: part.steps.indices)
    }

    /// Appends what the next process did, behind the mark of its launch.
    ///
    /// Numbers of the next trace that would repeat those of the former one become others: `earlierSteps` is added to
    /// those of its steps and sessions.
    mutating func append(_ next: Performance, earlierSteps: Int, launchedAt nanoseconds: UInt64) {
        input += [0x0A] + next.input
        outcome.ending = next.outcome.ending
        outcome.errorOutput = (outcome.errorOutput + next.outcome.errorOutput).ends(within: Self.errorLimit)
        outcome.hasOutput = next.outcome.hasOutput
        if let spending = next.outcome.spending { outcome.spending?.add(spending) }
        reading.text += next.reading.text
        reading.fault = next.reading.fault ?? difference(of: next.reading.header)
        var numbering = Numbering(after: reading.events, earlierSteps: earlierSteps)
        reading.events.append(numbering.launch(at: nanoseconds))
        reading.events += next.reading.events.map { numbering.renumbered($0) }
    }

    private static let errorLimit = 64 << 10

    /// The fault of a header that promises something else than that of the first process; nil when it does not.
    private func difference(of header: TraceHeader?) -> AdapterFault? {
        guard let first = reading.header, let header else { return nil }
        let hasSameFacts = first.facts.map(Set.init) == header.facts.map(Set.init)
        guard Set(first.lanes) != Set(header.lanes) || first.abilities != header.abilities || !hasSameFacts else {
            return nil
        }
        return AdapterFault(
            "the header of the client that was started again differs from the first one in lanes, facts or abilities; one "
                + "client has the same at each launch")
    }
}

/// The numbers of a trace that continues another one.
private struct Numbering {
    private var sequence: Int
    private let object: Int
    private let earlierSteps: Int
    private let time: TraceEvent.Time?

    init(after events: [TraceEvent], earlierSteps: Int) {
        sequence = events.reduce(0) { max($0, $1.sequence) }
        object = events.reduce(0) { max($0, ($1.object ?? -1) &+ 1) }
        time = events.last { $0.time != nil }?.time
        self.earlierSteps = earlierSteps
    }

    private mutating func nextSequence() -> Int {
        sequence &+= 1
        return sequence
    }

    mutating func launch(at nanoseconds: UInt64) -> TraceEvent {
        var event = TraceEvent(sequence: nextSequence(), lane: .harness, task: earlierSteps, name: .launched)
        switch time {
        case .monotonic: event.time = .monotonic(nanoseconds)
        case .elsewhere, nil: event.time = time
        }
        return event
    }

    mutating func renumbered(_ event: TraceEvent) -> TraceEvent {
        var event = event
        event.sequence = nextSequence()
        event.task &+= earlierSteps
        if let number = event.object { event.object = number &+ object }
        // A clock of the process itself may begin with it.
        if case .elsewhere(let former)? = time, case .elsewhere(let milliseconds)? = event.time {
            event.time = .elsewhere(former + max(0, milliseconds))
        }
        return event
    }
}
