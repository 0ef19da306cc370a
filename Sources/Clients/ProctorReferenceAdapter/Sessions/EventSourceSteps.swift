internal import ProctorAssignments
internal import ProctorBase
import ProctorEvents
internal import ProctorHTTP
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Runs steps as event sources, and as readers of one stream.
final class EventSourceSteps: ReferenceClient {
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let session: ReferenceSession
    private let fault: EventSourceFault?

    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure) {
        setup = assignment.session
        self.recorder = recorder
        fault = breaking?.asFault()
        session = try ReferenceSession(configuration: try ReferenceConfiguration(assignment, breaking: breaking))
    }

    /// The step is over when a reply has ended its event source, or the program has closed it.
    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let notes = StepNotes(index, recorder: recorder, family: .eventSource)
        let record = EventSourceRecord(index, notes: notes, recorder: recorder, cancelAt: step.cancelAt)
        notes.record(.resume)
        let source = ReferenceEventSource(
            step.request(with: .none, in: setup), in: session, connectsAgain: step.task == .eventSource, fault: fault
        ) { record.write($0) }
        let ending = await withTaskGroup(of: ReferenceEventSource.Ending?.self) { group in
            group.addTask { await source.run() }
            group.addTask {
                try? await Task.sleep(for: .left(until: end))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        var facts = EventFacts()
        facts.add(.status, ending?.response?.status)
        facts.add(.url, ending?.response?.url.text)
        facts.add(.error, ending?.error.flatMap { EventDetail(end: $0).argument })
        facts.add(.message, ending == nil ? "the event source did not end in its time" : ending?.error?.sentence)
        notes.result(facts)
        return ending == nil ? .outOfTime : .finished
    }

    func finish(before _: UInt64) async -> Bool {
        session.finishTasksAndInvalidate()
        return true
    }

    func abandon() { session.invalidateAndCancel() }
}

/// Writes what an event source tells, and closes it where the program says so.
private struct EventSourceRecord: Sendable {
    private let index: Int
    private let notes: StepNotes
    private let recorder: TraceRecorder
    private let cancelAt: Assignment.Moment?
    private let counts = Locked<[EventName: Int]>([:])

    init(_ index: Int, notes: StepNotes, recorder: TraceRecorder, cancelAt: Assignment.Moment?) {
        (self.index, self.notes, self.recorder, self.cancelAt) = (index, notes, recorder, cancelAt)
    }

    /// False where the program closes the event source in the callback.
    func write(_ call: ReferenceEventSource.Call) -> Bool {
        switch call {
        case .open: return write(.esOpen)
        case .event(let event):
            let byteCount = event.data.utf8.count
            var facts: EventFacts = [EventFact(.bytes, .integer(byteCount))]
            if byteCount <= Self.keptByteCount { facts.add(.data, event.data) }
            facts.add(.lastEventId, event.lastID)
            facts.add(.origin, event.origin)
            return write(.esEvent, event.type, facts)
        case .error(let connectsAgain):
            return write(.esError, connectsAgain ? EventVocabulary.retry : EventVocabulary.fatal)
        case .complete(let error):
            return write(.complete, EventDetail(end: error).argument)
        }
    }

    /// Bytes of data that a line of the trace has; longer data is counted alone.
    private static let keptByteCount = 640 << 10

    private func write(_ name: EventName, _ argument: String? = nil, _ facts: EventFacts = []) -> Bool {
        recorder.record(
            TraceEvent(lane: .task, task: index, name: name, argument: argument, family: .eventSource, facts: facts))
        let count = counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
        guard cancelAt == .event(name.rawValue, count: count) else { return true }
        notes.record(.cancel)
        return false
    }
}

extension Assignment {
    /// Whether all steps are event sources or readers of one stream.
    var opensEventSources: Bool { !steps.isEmpty && steps.allSatisfy { $0.task.family == .eventSource } }

    /// The facts that an event source's result can have.
    static let factsOfEventSources: [FactKey] = [.status, .url, .error, .message]
}
