internal import ProctorBase
internal import ProctorReference

/// A step's task that another step may go on with.
protocol ResumableWork: StepTask {
    /// What it left behind.
    var resumeData: ResumeData? { get }
}

/// A ``ReferenceTask``, for its step.
final class SessionTask: ResumableWork {
    private let task: ReferenceTask
    private let given = Locked<ResumeData?>(nil)

    init(_ task: ReferenceTask) { self.task = task }

    var resumeData: ResumeData? { given.withLock { $0 } ?? task.resumeData }

    func resume() { task.resume() }

    func suspend() { task.suspend() }

    func cancel() { task.cancel() }

    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        task.cancel { [self] data in
            given.withLock { $0 = data }
            handler(data?.byteCount)
        }
    }
}

/// The call of an `async` method, in a task of Swift's that can be cancelled.
final class AwaitedTask: ResumableWork {
    private let record: StepRecord
    private let request: ClientRequest
    private let timeout: Duration?
    private let session: ReferenceSession
    private let delegate: RecordingDelegate?
    private let state = Locked(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    init(_ record: StepRecord, _ request: ClientRequest, timeout: Duration?, in steps: SessionSteps) {
        self.record = record
        self.request = request
        self.timeout = timeout
        session = steps.session
        delegate = steps.taskDelegate
    }

    var resumeData: ResumeData? { nil }

    func resume() {
        state.withLock { state in
            guard state.task == nil else { return }
            state.task = Task { await self.call() }
        }
    }

    /// There is nothing to suspend; assignments that want it are refused.
    func suspend() {}

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }

    private func call() async {
        let handler = HandlerRecording(record, request.body, queue: session.queue)
        if state.withLock({ $0.isCancelled }) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        do {
            let (content, response) = try await load()
            handler.returned(content, response)
        } catch let error as LoadError {
            handler.threw(error)
        } catch {
            handler.threw(LoadError(.cancelled, "\(error)"))
        }
    }

    private func load() async throws -> (content: [UInt8], response: LoadResponse) {
        if case .file(let path) = request.body {
            return try await session.upload(for: request, fromFile: path, timeout: timeout, delegate: delegate)
        }
        return try await session.data(for: request, timeout: timeout, delegate: delegate)
    }
}
