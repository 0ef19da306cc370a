internal import ProctorBase
public import ProctorTrace

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Does with URLSession what an assignment says, one step after the other in one session, and records what comes of it.
public struct AssignmentRunner: Sendable {
    /// What is to be done.
    public let assignment: Assignment
    /// Where it is written down; without a header when the caller wrote none.
    public let recorder: TraceRecorder
    /// Told of the events that the scenario waits for; nil: somebody else reads the trace as it is written.
    public let control: ControlClient?
    /// Asked before the built-in ones whether they take a request; none of them plays a script.
    package var protocolClasses: [URLProtocol.Type] = []

    /// The first line of its trace, for whoever writes one or has it graded.
    public var header: TraceHeader {
        TraceHeader(
            client: ClientIdentity.name, clientVersion: ClientIdentity.version,
            lanes: [.task, .session, .proto, .protocolClient, .handler, .harness], abilities: Self.abilities,
            adapter: "proctor-client-urlsession", adapterVersion: Self.adapterVersion, scenario: assignment.scenario,
            caseName: assignment.caseName, run: assignment.run)
    }

    /// What URLSession has; a platform says what it lacks there.
    private static let abilities = Set(Ability.allCases).subtracting([.fetch, .http10, .unixSockets, .ownScheme])

    /// Raised when the same assignment would have another trace.
    private static let adapterVersion = "1"

    /// Nothing happens before ``run()``.
    ///
    /// `control` is for a client that talks to a server elsewhere by itself, and not through an exam.
    public init(
        _ assignment: Assignment, recordingTo recorder: TraceRecorder, reportingTo control: ControlClient? = nil
    ) {
        self.assignment = assignment
        self.recorder = recorder
        self.control = control
    }

    /// How far a run came.
    public enum Ending: Sendable, Equatable {
        /// Every step had its end, and the session too.
        case finished
        /// A step had not ended when the deadline was over; its session is left as it is.
        case outOfTime
        /// A step, or how the session is set up, is nothing that URLSession can do here; the trace says what.
        case unimplemented
    }

    /// Returns when all is done, at the latest at the assignment's deadline.
    public func run() async -> Ending {
        guard let control, let reports = ControlReports(of: recorder, for: assignment, to: control) else {
            return await perform()
        }
        await reports.begin()
        let ending = await perform()
        // The trace has them too; what could not be reported made the server wait, which its journal says.
        await reports.finish()
        return ending
    }

    private func perform() async -> Ending {
        if let reason = ProgramSupport.missing(for: assignment) {
            recorder.record(TraceEvent(lane: .harness, name: .unimplemented, argument: reason))
            return .unimplemented
        }
        let end = MonotonicClock.nanoseconds &+ Duration.milliseconds(assignment.deadline).wholeNanoseconds
        let session = LiveSession(assignment, recorder: recorder, protocolClasses: protocolClasses)
        var resumeData: [Int: ResumeData] = [:]
        for (index, step) in assignment.steps.enumerated() {
            var run = StepRun(step: step, index: index, session: session, end: end)
            if let earlier = step.resume { run.resumeData = resumeData[earlier] }
            switch await run.run() {
            case .finished(let data): resumeData[index] = data
            case .outOfTime: return .outOfTime
            case .unimplemented: return .unimplemented
            }
        }
        return await session.finish(before: end) ? .finished : .outOfTime
    }
}
