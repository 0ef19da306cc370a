public import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// The `async` methods of URLSession, in lane `handler`.
//
// Their task is made out of sight, so that of several calls at a time a callback may be written to another one's lane.
extension SessionRecorder {
    /// Like the session's method; give it a ``taskDelegate`` where a task delegate is wanted.
    public func data(
        for request: URLRequest, in session: URLSession, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaiting(in: session, delegate) { try await session.data(for: request, delegate: delegate) }
    }

    /// Like the session's method; give it a ``taskDelegate`` where a task delegate is wanted.
    public func upload(
        for request: URLRequest, from body: Data, in session: URLSession,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaiting(in: session, delegate) {
            try await session.upload(for: request, from: body, delegate: delegate)
        }
    }

    private func awaiting(
        in session: URLSession, _ delegate: (any URLSessionTaskDelegate)?,
        _ load: () async throws -> (Data, URLResponse)
    ) async throws -> (Data, URLResponse) {
        let role = newHandlerRole()
        let record = HandlerRecord(role: role, recorder: recorder, session: session)
        recorder.expectTask(role.number)
        defer { recorder.withdrawTask(role.number) }
        TaskActs(recorder: recorder).note(.resume, role, delegate == nil ? [] : TaskActs.ofTaskDelegate)
        do {
            let (data, response) = try await load()
            record.returned(data, response)
            return (data, response)
        } catch {
            record.threw(error)
            throw error
        }
    }
}
