internal import ProctorBase
public import ProctorRecorder
public import ProctorTrace

/// Does with the reference client what an assignment says, one step after the other, and records what comes of it.
public struct ReferenceRunner: Sendable {
    /// What is to be done.
    public let assignment: Assignment
    /// As which API.
    public let shape: ReferenceShape
    /// What it does wrong; nil: nothing.
    public let breaking: Breakage?
    /// Where it is written down; without a header when the caller wrote none.
    public let recorder: TraceRecorder

    /// Nothing happens before ``run()``.
    public init(
        _ assignment: Assignment, as shape: ReferenceShape = .session, breaking: Breakage? = nil,
        recordingTo recorder: TraceRecorder
    ) {
        self.assignment = assignment
        self.shape = shape
        self.breaking = breaking
        self.recorder = recorder
    }

    /// The first line of its trace, for whoever writes one or has it graded.
    public var header: TraceHeader {
        TraceHeader(
            client: ReferenceIdentity.name, clientVersion: ReferenceIdentity.version(breaking: breaking),
            lanes: shape.lanes, abilities: Self.abilities, adapter: "proctor-client-reference",
            adapterVersion: Self.adapterVersion, scenario: assignment.scenario, caseName: assignment.caseName,
            run: assignment.run)
    }

    /// What the client has, whatever its shape; what a shape has no calls for, its adapter says.
    private static let abilities = Set(Ability.allCases).subtracting([.fetch, .http10])

    /// Raised when the same assignment would have another trace.
    private static let adapterVersion = "1"

    /// Returns when all is done, at the latest at the assignment's deadline.
    ///
    /// A client that did not come to its end is cancelled then, and nothing more is recorded of its steps.
    public func run() async -> AssignmentRunner.Ending {
        let end = MonotonicClock.nanoseconds &+ Duration.milliseconds(assignment.deadline).wholeNanoseconds
        let type = shape.client
        if let reason = StepSupport.missing(for: assignment) ?? type.missing(for: assignment) {
            return unimplemented(reason)
        }
        let client: any StepClient
        do throws(CallFailure) {
            client = try type.init(assignment, breaking: breaking, recordingTo: recorder)
        } catch {
            return unimplemented("the client can't be set up: \(error)")
        }
        for (index, step) in assignment.steps.enumerated() {
            switch await client.perform(step, index: index, before: end) {
            case .finished: break
            case .outOfTime: return abandon(client, as: .outOfTime)
            case .unimplemented: return abandon(client, as: .unimplemented)
            }
        }
        return await client.finish(before: end) ? .finished : abandon(client, as: .outOfTime)
    }

    /// Silently: an end that comes of this is none that came in time.
    private func abandon(_ client: any StepClient, as ending: AssignmentRunner.Ending) -> AssignmentRunner.Ending {
        recorder.close(tasks: assignment.steps.indices)
        client.abandon()
        return ending
    }

    private func unimplemented(_ reason: String) -> AssignmentRunner.Ending {
        recorder.record(TraceEvent(lane: .harness, name: .unimplemented, argument: reason))
        return .unimplemented
    }
}
