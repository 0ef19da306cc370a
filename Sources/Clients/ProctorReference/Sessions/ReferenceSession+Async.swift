internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

// The `async` methods; each throws a `LoadError`, and `cancelled` when its task is cancelled.
extension ReferenceSession {
    /// Runs `body` on the session's loading thread, where awaiting the session's methods needs no change of thread.
    ///
    /// Neither `body` nor anything it awaits may block, since the session loads nothing meanwhile.
    package func onLoadingThread<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard !isInvalidated else { throw Self.invalidated }
        return try await loop.run(body)
    }

    /// Loads the whole content and the response (R54).
    ///
    /// `delegate`, or else the session's delegate, receives challenges, redirects, body streams, progress and metrics.
    public func data(
        for request: ClientRequest, timeout: Duration? = nil, delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        try await content(of: .data, for: request, timeout: timeout, delegate: delegate)
    }

    /// Like ``data(for:timeout:delegate:)``, with `content` as the body of the request.
    public func upload(
        for request: ClientRequest, from content: [UInt8], timeout: Duration? = nil,
        delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        try await self.content(of: .upload, for: request.with(.bytes(content)), timeout: timeout, delegate: delegate)
    }

    /// Like ``data(for:timeout:delegate:)``, with the content of the file as the body of the request.
    public func upload(
        for request: ClientRequest, fromFile path: String, timeout: Duration? = nil,
        delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        try await content(of: .upload, for: request.with(.file(path: path)), timeout: timeout, delegate: delegate)
    }

    /// Loads the content without a task when neither a delegate nor a filter could observe one.
    private func content(
        of kind: ReferenceTask.Kind, for request: ClientRequest, timeout: Duration?,
        delegate: (any ReferenceTaskDelegate)?
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        guard delegate == nil, self.delegate == nil, configuration.makeCallFilter == nil else {
            return try await outcome(of: kind, for: request, timeout: timeout, delegate: delegate).wholeContent()
        }
        let load = PlainLoad(request, timeout: timeout, session: self)
        return try await onLoop { await load.run() }.wholeContent()
    }

    /// Loads the content into a new file, which the caller removes, and returns its path with the response.
    public func download(
        for request: ClientRequest, timeout: Duration? = nil, delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (path: String, response: LoadResponse) {
        try await outcome(of: .download, for: request, timeout: timeout, delegate: delegate).wholeFile()
    }

    /// Resumes another download with its resume data (R36).
    public func download(
        resumeFrom data: ResumeData, timeout: Duration? = nil, delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (path: String, response: LoadResponse) {
        try await outcome(of: .download, for: data.rest, timeout: timeout, delegate: delegate, resuming: data)
            .wholeFile()
    }

    private func outcome(
        of kind: ReferenceTask.Kind, for request: ClientRequest, timeout: Duration?,
        delegate: (any ReferenceTaskDelegate)?, resuming resumeData: ResumeData? = nil
    ) async -> TaskOutcome {
        let outcome = Locked(TaskOutcome(error: Self.invalidated))
        let task = makeTask(
            kind, request, timeout: timeout, sink: .awaiter { result in outcome.withLock { $0 = result } },
            delegate: delegate, resuming: resumeData)
        if let error = task.error { return TaskOutcome(error: error) }
        await withTaskCancellationHandler {
            await onLoop { await task.load.run() }
        } onCancel: {
            task.cancel()
        }
        // The delegate's call with the task's metrics returns before the caller continues.
        if delegate != nil || self.delegate != nil { await queue.waitForEarlierCalls() }
        return outcome.withLock { $0 }
    }

    /// Runs in the current task when that is on the loading thread, else in a new task there.
    private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        if loop.isCurrent { return await body() }
        let task = Task(executorPreference: loop, operation: body)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension TaskOutcome {
    fileprivate func wholeContent() throws(LoadError) -> (content: [UInt8], response: LoadResponse) {
        (bytes, try answered())
    }

    fileprivate func wholeFile() throws(LoadError) -> (path: String, response: LoadResponse) {
        let response = try answered()
        guard let file else { throw LoadError(.cannotCreateFile, "the download left no file") }
        file.retain()
        return (file.path, response)
    }

    private func answered() throws(LoadError) -> LoadResponse {
        if let error { throw error }
        guard let response else { throw LoadError(.badServerResponse, "the load ended without a response") }
        return response
    }
}

/// A load without task, delegate and queue, which answers every question itself; loop thread only.
final class PlainLoad: LoadClient {
    private let session: ReferenceSession
    private let request: ClientRequest
    private let options: LoadOptions
    private let loopState: LoopBound<State>

    private final class State {
        var load: Load?
        var reply: GatheredReply

        init(_ reply: GatheredReply) { self.reply = reply }
    }

    /// Any thread may call it.
    init(_ request: ClientRequest, timeout: Duration?, session: ReferenceSession) {
        self.session = session
        self.request = session.shared.completed(request)
        options = session.shared.options(timeout: timeout, asksToStore: true)
        loopState = LoopBound(State(GatheredReply(session.configuration)), on: session.loop)
    }

    private var state: State { loopState.value }

    /// Returns at the end of the load; cancelling the task cancels the load.
    func run() async -> TaskOutcome {
        guard session.add(self) else { return TaskOutcome(error: ReferenceSession.invalidated) }
        let load = Load(request, options: options, pool: session.pool, client: self)
        state.load = load
        await load.run()
        state.load = nil
        session.remove(self)
        return state.reply.outcome(of: request)
    }

    func cancel() { state.load?.submit(.cancel) }

    func load(_ load: Load, tells call: DelegateCall) { state.reply.receive(call, of: load) }
}
