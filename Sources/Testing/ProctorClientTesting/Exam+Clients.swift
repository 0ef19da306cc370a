public import ProctorAssignments
public import ProctorEvents
public import ProctorHarness
public import ProctorRecorder

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Exam {
    /// Runs the case's client program with URLSession in this process.
    ///
    /// A client that traps ends the test process; `proctor exam` runs such a client in another process.
    @discardableResult
    public func performProgram() async throws -> AssignmentEnding {
        let assignment = try await assignment()
        expectReports()
        return await AssignmentRunner(assignment, recordingTo: recorder).run()
    }

    /// Loads a request with your URLProtocol class, without URLSession, and records the calls of both sides.
    ///
    /// The sides are the class and its client; see ``ProctorAssignments/ProtocolDriver``.
    /// Returns the events of this load, at the latest after ``patience``. Await one load before the next begins.
    @discardableResult
    public func load(
        _ request: URLRequest, with protocolClass: URLProtocol.Type, program: ProtocolProgram = ProtocolProgram()
    ) async -> [TraceEvent] {
        expectReports()
        return await ProtocolDriver(protocolClass).run(
            request, program: program, deadline: patience, in: LoadTrace(recorder: recorder, task: takeLoadNumber()))
    }
}
