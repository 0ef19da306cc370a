internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The call of an `async` method of URLSession, in a task of Swift's that can be cancelled.
final class AsyncCall: Sendable {
    private let parts: StepParts
    private let role: TaskRole
    private let session: LiveSession
    private let task = Locked<Task<Void, Never>?>(nil)

    init(_ parts: StepParts, role: TaskRole, session: LiveSession) {
        self.parts = parts
        self.role = role
        self.session = session
    }

    /// Begins, in a task that may be cancelled already.
    func start(isCancelledBefore: Bool) {
        if isCancelledBefore { write(.cancel) }
        write(.resume, session.taskDelegate == nil ? [] : TaskActs.ofTaskDelegate)
        let call = Task { [self] in
            if isCancelledBefore { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            await run()
        }
        task.withLock { $0 = call }
    }

    func cancel() {
        write(.cancel)
        task.withLock { $0 }?.cancel()
    }

    private func run() async {
        let record = HandlerRecord(role: role, recorder: session.recorder, session: session.session)
        do {
            let (data, response) = try await load()
            record.returned(data, response)
        } catch {
            record.threw(error)
        }
    }

    private func load() async throws -> (Data, URLResponse) {
        let delegate = session.taskDelegate
        if let file = parts.file {
            return try await session.session.upload(for: parts.request, fromFile: file, delegate: delegate)
        }
        return try await session.session.data(for: parts.completeRequest, delegate: delegate)
    }

    private func write(_ name: EventName, _ facts: EventFacts = []) {
        TaskActs(recorder: session.recorder).note(name, role, facts)
    }
}
