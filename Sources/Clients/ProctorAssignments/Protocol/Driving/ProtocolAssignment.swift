package import ProctorBase
package import ProctorEvents
package import ProctorProgram
package import ProctorRecorder

/// Runs the scripts of an assignment with a ``ProtocolDriver`` and without URLSession, step by step.
///
/// It tests the rules for URLProtocols that URLSession itself breaks (Foundation on Linux).
package struct ProtocolAssignment: Sendable {
    /// The assignment to run.
    package let assignment: Assignment

    /// Makes a runner; it starts with ``run(writingTo:)``.
    package init(_ assignment: Assignment) { self.assignment = assignment }

    /// The first line of its trace; its lanes have no tasks and no session.
    package var header: TraceHeader {
        TraceHeader(
            client: "protocol-driver", clientVersion: AdapterIdentity.version,
            lanes: [.proto, .protocolClient, .harness], scenario: assignment.scenario, caseName: assignment.caseName,
            run: assignment.run)
    }

    /// The result of an assignment.
    package struct Outcome: Sendable {
        /// The whole trace without its header.
        package let events: [TraceEvent]
        /// How far the run came.
        package let ending: AssignmentRunner.Ending
        /// Why lines could not be written; nil when all were.
        package let writeFailure: CallFailure?
    }

    /// Returns at the end, or at the deadline; a step's `timeout` is a further limit.
    ///
    /// Writes the header, then each event at once, as lines to the descriptor, which remains the caller's.
    package func run(writingTo descriptor: Int32? = nil) async -> Outcome {
        let recorder = TraceRecorder(writingTo: descriptor)
        recorder.write(header)
        let end = assignment.end
        let ending =
            if let missing {
                recorder.refuse(missing)
            } else {
                await assignment.perform(
                    with: ScriptSteps(recordingTo: recorder), recordingTo: recorder, before: end)
            }
        return Outcome(events: recorder.events, ending: ending, writeFailure: recorder.writeFailure)
    }

    // MARK: Unsupported assignments

    /// Why the assignment can't be run, known before its first step; nil when it can.
    private var missing: String? {
        assignment.unknownWord()
            ?? ClientRefusals(of: [.script], called: "a URLProtocol").reason(for: assignment)
    }
}

private struct ScriptSteps: StepClient {
    private let place: Locked<LoadTrace>

    init(recordingTo recorder: TraceRecorder) { place = Locked(LoadTrace(recorder: recorder)) }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let left = Duration.left(until: end)
        let events = await ProtocolDriver.runScript(
            step, program: ProtocolProgram(examining: step),
            deadline: step.timeout.map { min(left, .milliseconds($0)) } ?? left, in: place.withLock { $0 })
        place.withLock { $0 = $0.next }
        return AssignmentRunner.Ending(of: events, before: end)
    }

    /// Each step stopped its objects.
    func finish(before end: UInt64) async -> Bool { true }
}

extension AssignmentRunner.Ending {
    /// The outcome of a step of a ``ProtocolDriver``.
    package init(of events: [TraceEvent], before end: UInt64) {
        if events.contains(where: { $0.name == .unimplemented }) {
            self = .unimplemented
        } else {
            self = MonotonicClock.nanoseconds < end ? .finished : .outOfTime
        }
    }
}
