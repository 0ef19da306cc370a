public import ProctorBase
public import ProctorEvents
public import ProctorProgram

/// Plays the scripts of an assignment with a ``ProtocolDriver`` and no URLSession, one step after the other.
///
/// So the rules for URLProtocols can be tried where the session's own loading breaks them (Foundation on Linux).
public struct ProtocolAssignment: Sendable {
    /// What is to be done.
    public let assignment: Assignment

    /// Nothing happens before ``run(writingTo:)``.
    public init(_ assignment: Assignment) { self.assignment = assignment }

    /// The first line of its trace; there are no tasks and no session to report.
    public var header: TraceHeader {
        TraceHeader(
            client: "protocol-driver", clientVersion: ClientIdentity.version,
            lanes: [.proto, .protocolClient, .harness], scenario: assignment.scenario, caseName: assignment.caseName,
            run: assignment.run)
    }

    /// What came of it.
    public struct Outcome: Sendable {
        /// The whole trace, without its header.
        public let events: [TraceEvent]
        /// How far it came.
        public let ending: AssignmentRunner.Ending
        /// Why lines are no longer written; nil while they are.
        public let writeFailure: CallFailure?
    }

    /// Returns when all is done, at the latest at the deadline; a step's `timeout` is one of its own.
    ///
    /// The header first, and each event as soon as it is known, is written as a line; the descriptor stays the caller's.
    public func run(writingTo descriptor: Int32? = nil) async -> Outcome {
        let recorder = TraceRecorder(writingTo: descriptor)
        recorder.write(header)
        let end = assignment.end
        let ending =
            if let missing {
                recorder.refuse(missing)
            } else {
                await assignment.perform(with: ScriptSteps(recordingTo: recorder), before: end)
            }
        return Outcome(events: recorder.events, ending: ending, writeFailure: recorder.writeFailure)
    }

    // MARK: What it can't do

    /// Why the assignment can't be done, found before anything is; nil when it can.
    private var missing: String? {
        if let unknown = assignment.unknownWord() { return unknown }
        if assignment.session.endAt != nil { return "session.endAt: there is no session without URLSession" }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = Self.missing(for: step) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private static func missing(for step: Assignment.Step) -> String? {
        if step.protocolScript == nil { return "protocolScript: there is none, and nothing else is played" }
        if step.suspendAt != nil { return "suspendAt: a URLProtocol cannot be suspended" }
        if step.resume != nil || step.producesResumeData { return "resume: a URLProtocol has no resume data" }
        if let answer = step.onRedirect.first(where: { !$0.isForProtocols }) {
            return "onRedirect: \(answer.word): a URLProtocol takes no answer to a redirect"
        }
        return nil
    }
}

extension AnswerToRedirect {
    /// Whether a loading system can do it to a URLProtocol, which is answered once.
    package var isForProtocols: Bool {
        switch self {
        case .follow, .refuse, .change, .cancel, .never: true
        case .cancelThenFollow, .cancelThenRefuse, .twice: false
        }
    }
}

/// Does steps with a ``ProtocolDriver`` each.
private struct ScriptSteps: StepClient {
    private let place: Locked<LoadTrace>

    init(recordingTo recorder: TraceRecorder) { place = Locked(LoadTrace(recorder: recorder)) }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let left = Duration.left(until: end)
        let events = await ProtocolDriver.play(
            step, program: ProtocolProgram(examining: step),
            deadline: step.timeout.map { min(left, .milliseconds($0)) } ?? left, in: place.withLock { $0 })
        place.withLock { $0 = $0.next }
        return AssignmentRunner.Ending(of: events, before: end)
    }

    /// Every object was stopped by its own step.
    func finish(before end: UInt64) async -> Bool { true }
}

extension AssignmentRunner.Ending {
    /// Of a step that a ``ProtocolDriver`` did.
    package init(of events: [TraceEvent], before end: UInt64) {
        if events.contains(where: { $0.name == .unimplemented }) {
            self = .unimplemented
        } else {
            self = MonotonicClock.nanoseconds < end ? .finished : .outOfTime
        }
    }
}
