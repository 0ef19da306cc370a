public import ProctorEvents
public import ProctorRecorder

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Exam {
    /// Loads a request with your URLProtocol class, without URLSession, and records the calls of both sides.
    ///
    /// The sides are the class and its client; see ``ProctorRecorder/ProtocolDriver``.
    /// Returns the events of this load, at the latest after ``patience``. Await one load before the next begins.
    @discardableResult
    public func load(
        _ request: URLRequest, with protocolClass: URLProtocol.Type, program: ProtocolProgram = ProtocolProgram()
    ) async -> [TraceEvent] {
        expectReports()
        return await ProtocolDriver(protocolClass).run(
            request, program: program, deadline: patience, in: nextProtocolLoad())
    }
}
