public import ProctorBase
public import ProctorTrace

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
        public internal(set) var events: [TraceEvent] = []
        /// How far it came.
        public internal(set) var ending = AssignmentRunner.Ending.finished
        /// Why lines are no longer written; nil while they are.
        public internal(set) var writeFailure: CallFailure?
    }

    /// Returns when all is done, at the latest at the deadline; a step's `timeout` is one of its own.
    ///
    /// The header first, and each event as soon as it is known, is written as a line; the descriptor stays the caller's.
    public func run(writingTo descriptor: Int32? = nil) async -> Outcome {
        var outcome = Outcome()
        let recorder = TraceRecorder(writingTo: descriptor)
        recorder.write(header)
        let end = MonotonicClock.nanoseconds &+ Duration.milliseconds(assignment.deadline).wholeNanoseconds
        if let reason = missing {
            recorder.record(TraceEvent(lane: .harness, name: .unimplemented, argument: reason))
            outcome.ending = .unimplemented
        } else {
            var place = TracePlace(recorder: recorder)
            for step in assignment.steps {
                let events = await ProtocolDriver.play(
                    step, program: ProtocolProgram(examining: step), deadline: deadline(of: step, before: end),
                    in: place)
                place = place.next
                if events.contains(where: { $0.name == .unimplemented }) {
                    outcome.ending = .unimplemented
                    break
                }
                guard MonotonicClock.nanoseconds < end else {
                    outcome.ending = .outOfTime
                    break
                }
            }
        }
        outcome.events = recorder.events
        outcome.writeFailure = recorder.writeFailure
        return outcome
    }

    private func deadline(of step: Assignment.Step, before end: UInt64) -> Duration {
        let left = Duration.left(until: end)
        return step.timeout.map { min(left, .milliseconds($0)) } ?? left
    }

    // MARK: What it can't do

    private static let redirectAnswers: Set = ["follow", "refuse", "change", "cancel", "never"]

    /// Why the assignment can't be done, found before anything is; nil when it can.
    private var missing: String? {
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
        if let answer = step.onRedirect.first(where: { !redirectAnswers.contains($0.answer) }) {
            return "onRedirect: \(answer.answer): a URLProtocol takes no answer to a redirect"
        }
        return nil
    }
}
