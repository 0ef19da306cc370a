public import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

#if canImport(Darwin)
    internal import Foundation
#endif

/// Does with URLSession what an assignment says, one step after the other in one session, and records what comes of it.
public struct AssignmentRunner: Sendable {
    /// What is to be done.
    public let assignment: Assignment
    /// Where it is written down; without a header when the caller wrote none.
    public let recorder: TraceRecorder
    /// Told of the events that the scenario waits for; nil: an examiner reads the trace as it is written.
    public let control: ControlClient?
    /// Asked before the built-in ones whether they take a request; none of them plays a script.
    package var protocolClasses: [URLProtocol.Type] = []

    /// The first line of its trace, for a caller that writes one or has it graded.
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
        if let reason = ProgramSupport.missing(for: assignment) { return recorder.refuse(reason) }
        let end = assignment.end
        let client = URLSessionSteps(assignment, recordingTo: recorder, protocolClasses: protocolClasses)
        return await assignment.perform(with: client, before: end)
    }
}

/// Which URLSession this is, for the header of a trace.
public enum ClientIdentity {
    /// As ledgers are named.
    public static var name: String {
        #if canImport(Darwin)
            "urlsession-darwin"
        #else
            "urlsession-corelibs"
        #endif
    }

    /// Of the system; on Linux, where Foundation does not say, of the toolchain it was built with.
    public static var version: String {
        #if canImport(Darwin)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        #elseif compiler(>=6.5)
            return "6.5 or later"
        #elseif compiler(>=6.4)
            return "6.4"
        #elseif compiler(>=6.3.3)
            return "6.3.3 or later"
        #elseif compiler(>=6.3.2)
            return "6.3.2"
        #elseif compiler(>=6.3.1)
            return "6.3.1"
        #elseif compiler(>=6.3)
            return "6.3"
        #else
            return "6.2"
        #endif
    }
}
