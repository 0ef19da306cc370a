public import ProctorEvents
public import ProctorProgram
public import ProctorRecorder

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Runs an assignment's steps in one URLSession, one after the other or together, and records them.
public struct AssignmentRunner: Sendable {
    /// The assignment to run.
    package let assignment: Assignment
    /// The recorder of the trace, whose header the caller writes.
    public let recorder: TraceRecorder
    /// Sends the awaited events to the server; nil: an examiner reads the trace as it is written.
    package let control: ControlClient?
    /// Classes that are asked before the built-in protocols, and that play no script.
    package var protocolClasses: [URLProtocol.Type] = []

    /// The first line of its trace, for a caller that writes one or has it graded.
    public var header: TraceHeader {
        TraceHeader(
            client: AdapterIdentity.name, clientVersion: AdapterIdentity.version,
            lanes: [.task, .session, .proto, .protocolClient, .handler, .harness], abilities: Self.abilities,
            adapter: "proctor-client-urlsession", adapterVersion: Self.adapterVersion, scenario: assignment.scenario,
            caseName: assignment.caseName, run: assignment.run)
    }

    /// The abilities of URLSession on this platform.
    private static let abilities = Set(
        Ability.allCases.filter { ability in
            #if canImport(Darwin)
                ability.row.urlSession != .none
            #else
                ability.row.urlSession == .all
            #endif
        })

    /// Must change when the same assignment has another trace than before.
    private static let adapterVersion = "1"

    /// Makes a runner; it starts with ``run()``.
    ///
    /// `control` is for a client that talks to a remote server without an exam.
    public init(
        _ assignment: Assignment, recordingTo recorder: TraceRecorder, reportingTo control: ControlClient? = nil
    ) {
        (self.assignment, self.recorder, self.control) = (assignment, recorder, control)
    }

    /// How a run ended.
    package typealias Ending = AssignmentEnding

    /// Returns at the end, or at the assignment's deadline.
    public func run() async -> AssignmentEnding {
        guard let control, let reports = ControlReports(of: recorder, for: assignment, to: control) else {
            return await perform()
        }
        await reports.start()
        let ending = await perform()
        // The trace contains the events too; the server's journal reports waits for events that were not sent.
        await reports.finish()
        return ending
    }

    private func perform() async -> AssignmentEnding {
        if let reason = ProgramSupport.missing(for: assignment) { return recorder.refuse(reason) }
        let end = assignment.end
        let assignment = assignment.encoded(by: FoundationEncoder())
        let client = URLSessionSteps(assignment, recordingTo: recorder, protocolClasses: protocolClasses)
        return await assignment.perform(with: client, recordingTo: recorder, before: end)
    }
}

/// The name and version in the header of a trace.
package enum AdapterIdentity {
    /// The name in ledgers.
    package static var name: String {
        #if canImport(Darwin)
            "urlsession-darwin"
        #else
            "urlsession-corelibs"
        #endif
    }

    /// The version of the system; on Linux, where Foundation has none, of the toolchain.
    package static var version: String {
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
