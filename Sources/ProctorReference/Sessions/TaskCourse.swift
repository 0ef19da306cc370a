internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// What goes on in a task: turns the notices of its load into calls of delegates; loop thread only.
@safe final class TaskCourse: LoadClient, @unchecked Sendable {
    let session: ReferenceSession
    /// nil after the end, so that what a handler holds is not kept for longer.
    private(set) var sink: TaskSink?
    /// nil before it is made and after its end.
    var task: ReferenceTask?
    /// nil after the end.
    private(set) var load: Load?
    private var running: Task<Void, Never>?
    var filter: (any CallFilter<SessionCall>)?

    /// Whether content goes to a file.
    var isDownload: Bool
    /// Why the load is given up by this, not by its user.
    var failure: LoadError?
    /// Why nothing is asked of the server at all.
    private var refusal: LoadError?
    private var exchangeCount = 0

    var response: LoadResponse?
    /// Content that is not delivered.
    var collected: CollectedContent
    /// Of content that is.
    var bodyByteCount = 0
    /// What a download has in its file.
    private(set) var content: DownloadContent
    private var resumeHandler: (@Sendable (ResumeData?) -> Void)?

    init(
        _ request: ClientRequest, options: LoadOptions, sink: TaskSink, isDownload: Bool, session: ReferenceSession
    ) {
        self.session = session
        self.sink = sink
        self.isDownload = isDownload
        collected = CollectedContent(session.configuration)
        content = DownloadContent(of: request)
        filter = session.configuration.makeCallFilter?()
        load = Load(request, options: options, pool: session.pool, client: self)
    }

    // MARK: From its task

    func begin() {
        guard let load, running == nil else { return }
        if let refusal { return fail(refusal) }
        running = Task(executorPreference: session.loop) { await load.run() }
    }

    /// Runs the load in the caller's task, on the loop.
    func run() async {
        task?.beginsByItself()
        if let refusal { return fail(refusal) }
        await load?.run()
    }

    /// Continues what another download left; where that can't be, the task fails when it begins (R39, R45).
    func goOn(with resumeData: ResumeData) {
        if let content = DownloadContent(goingOnWith: resumeData) {
            self.content = content
        } else {
            refusal = LoadError(.resourceUnavailable, "these resume data were used by another download already")
        }
    }

    func cancel() { load?.answer(.cancel) }

    func cancel(producingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
        // The end was faster than the way to this thread.
        guard let load else {
            session.queue.submit { handler(nil) }
            return
        }
        resumeHandler = handler
        load.answer(.cancel)
    }

    func refuse() {
        load = nil
        task = nil
        sink = nil
    }

    /// Gives the load up for a reason of this side.
    func fail(_ error: LoadError) {
        failure = failure ?? error
        load?.answer(.cancel)
    }

    // MARK: From its load

    func load(_ load: Load, tells notice: ClientNotice) {
        switch notice {
        case .canonicalize: if let answer = notice.defaultAnswer { load.answer(answer) }
        case .redirect(let next, let response): place(.redirect(to: next, from: response))
        case .challenge(let challenge): ask(challenge)
        // The end alone withdraws the question (R11).
        case .challengeCancelled: break
        case .needBodyStream: place(.needBodyStream)
        case .bodySent(let byteCount, let total, let expected):
            place(.bodySent(TransferProgress(byteCount: byteCount, total: total, expected: expected)))
        case .informational(let head): place(.informational(head))
        case .response(let response): received(response)
        // What comes with the bytes that were too many is too much as well.
        case .data(let bytes): if failure == nil { received(bytes) }
        case .willCache(let response):
            if isDelivering, !isDownload {
                place(.willCache(response, byteCount: bodyByteCount))
            } else {
                // Nobody is asked where a handler gets it all; what became a download is no business of a cache.
                load.answer(.cacheAnswered(isStored: !isDownload))
            }
        // It comes just before the end, and a file is ready before both (R35).
        case .metrics(let count): exchangeCount = count
        case .complete(let error): end(with: error ?? content.shortfall)
        }
    }

    /// Whether the delegate is told of content and end.
    var isDelivering: Bool {
        if case .delegate? = sink { return true }
        return false
    }

    // MARK: The end

    private func end(with loadError: LoadError?) {
        guard let task else { return }
        // Also where the load ended well: the last bytes of a reply and its end may come at once.
        let error = failure ?? loadError
        if let load { task.note(load.request) }
        let file = content.file
        let left = error == nil ? nil : content.left
        if left == nil { file?.finish() }
        task.complete(error, leaving: error?.kind == .cancelled ? nil : left)
        if let resumeHandler { session.queue.submit { resumeHandler(left) } }
        if isDelivering, error == nil, let file { place(.fileReady(file)) }
        place(.metrics(ReferenceMetrics(exchangeCount: exchangeCount)))
        let outcome = TaskOutcome(
            bytes: collected.bytes, file: error == nil ? file : nil, response: response, error: error)
        switch sink {
        case .delegate: place(.complete(error))
        case .handler: place(.handler(outcome))
        case .awaiter(let give): give(outcome)
        case nil: break
        }
        // Behind the last call, wherever a filter has them made.
        if task.delegate != nil, filter == nil, !session.queue.submit({ task.letGoOfDelegate() }) {
            task.letGoOfDelegate()
        }
        session.hasEnded(task)
        self.task = nil
        load = nil
        running = nil
        content.letGo()
        resumeHandler = nil
        sink = nil
        collected.startOver()
    }
}

/// Who gets content and end of a task.
enum TaskSink: Sendable {
    /// The delegate, call by call.
    case delegate
    /// A completion handler, on the queue.
    case handler(@Sendable (TaskOutcome) -> Void)
    /// Whoever awaits it, on the loop.
    case awaiter(@Sendable (TaskOutcome) -> Void)
}
