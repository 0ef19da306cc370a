internal import ProctorHTTP
internal import ProctorLoop

// The `async` methods; each throws a `LoadError`, `cancelled` when its task is cancelled.
extension ReferenceSession {
    /// Runs `body` on the session's loading thread: what it awaits of this session needs no change of thread there.
    ///
    /// It must not block, and neither may what else it awaits: nothing is loaded meanwhile.
    public func onLoadingThread<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard !isInvalidated else { throw Self.invalidated }
        return try await loop.run(body)
    }

    /// All of the content, and the response (R54).
    ///
    /// Of challenges, redirects, body streams, progress and metrics `delegate` is told, or else the session's delegate.
    public func data(
        for request: ClientRequest, timeout: Duration? = nil, delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        guard delegate == nil, self.delegate == nil, configuration.makeCallFilter == nil else {
            return try await outcome(.data, request, timeout, delegate).wholeContent()
        }
        let load = PlainLoad(request, timeout: timeout, session: self)
        await onLoop { await load.run() }
        return try load.result()
    }

    /// As ``data(for:timeout:delegate:)``, with `content` as the body of the request.
    public func upload(
        for request: ClientRequest, from content: [UInt8], timeout: Duration? = nil,
        delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        try await upload(for: request.with(.bytes(content)), timeout, delegate)
    }

    /// As ``data(for:timeout:delegate:)``, with the content of the file as the body of the request.
    public func upload(
        for request: ClientRequest, fromFile path: String, timeout: Duration? = nil,
        delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        try await upload(for: request.with(.file(path: path)), timeout, delegate)
    }

    private func upload(
        for request: ClientRequest, _ timeout: Duration?, _ delegate: (any ReferenceTaskDelegate)?
    ) async throws -> (content: [UInt8], response: LoadResponse) {
        guard delegate == nil, self.delegate == nil, configuration.makeCallFilter == nil else {
            return try await outcome(.upload, request, timeout, delegate).wholeContent()
        }
        return try await data(for: request, timeout: timeout)
    }

    /// The content in a new file, which is the caller's to remove, and the response.
    public func download(
        for request: ClientRequest, timeout: Duration? = nil, delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (path: String, response: LoadResponse) {
        try await outcome(.download, request, timeout, delegate).wholeFile()
    }

    /// Goes on where another download ended (R36).
    public func download(
        resumeFrom data: ResumeData, timeout: Duration? = nil, delegate: (any ReferenceTaskDelegate)? = nil
    ) async throws -> (path: String, response: LoadResponse) {
        try await outcome(.download, data.rest, timeout, delegate, resuming: data).wholeFile()
    }

    private func outcome(
        _ kind: ReferenceTask.Kind, _ request: ClientRequest, _ timeout: Duration?,
        _ delegate: (any ReferenceTaskDelegate)?, resuming resumeData: ResumeData? = nil
    ) async -> TaskOutcome {
        let slot = OutcomeSlot()
        let task = makeTask(
            kind, request, timeout: timeout, sink: .awaiter { slot.outcome = $0 }, delegate: delegate,
            resuming: resumeData)
        if let error = task.error { return TaskOutcome(error: error) }
        await withTaskCancellationHandler {
            await onLoop { await task.course.run() }
        } onCancel: {
            task.cancel()
        }
        return slot.outcome
    }

    /// In this task where it is on the loading thread, else in one of its own.
    private func onLoop(_ body: @escaping @Sendable () async -> Void) async {
        if loop.isCurrent { return await body() }
        let task = Task(executorPreference: loop, operation: body)
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Where a load puts its outcome for the one who awaits it; written before that goes on, and read after.
private final class OutcomeSlot: @unchecked Sendable {
    var outcome = TaskOutcome(error: ReferenceSession.invalidated)
}

extension TaskOutcome {
    fileprivate func wholeContent() throws(LoadError) -> (content: [UInt8], response: LoadResponse) {
        (bytes, try answered())
    }

    fileprivate func wholeFile() throws(LoadError) -> (path: String, response: LoadResponse) {
        let response = try answered()
        guard let file else { throw LoadError(.cannotCreateFile, "the download left no file") }
        file.keep()
        return (file.path, response)
    }

    private func answered() throws(LoadError) -> LoadResponse {
        if let error { throw error }
        guard let response else { throw LoadError(.badServerResponse, "the load ended without a response") }
        return response
    }
}
