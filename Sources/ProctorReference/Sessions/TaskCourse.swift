internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// What goes on in a task: turns the notices of its load into calls of delegates; loop thread only.
@safe final class TaskCourse: LoadClient, @unchecked Sendable {
    let session: ReferenceSession
    let sink: TaskSink
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
    private var exchangeCount = 0

    var response: LoadResponse?
    /// Content that is collected, or its number of bytes where it is delivered.
    var body: [UInt8] = []
    var bodyByteCount = 0
    /// Of what is delivered or written in all; -1 when nobody knows.
    var expectedByteCount = -1
    var file: DownloadFile?
    /// What is continued.
    private(set) var resumeData: ResumeData?
    /// Until the server has said how it goes on.
    var isResuming = false
    private var resumeHandler: (@Sendable (ResumeData?) -> Void)?

    init(
        _ request: ClientRequest, options: LoadOptions, sink: TaskSink, isDownload: Bool, session: ReferenceSession
    ) {
        self.session = session
        self.sink = sink
        self.isDownload = isDownload
        filter = session.configuration.makeCallFilter?()
        load = Load(request, options: options, pool: session.pool, client: self)
    }

    // MARK: From its task

    func begin() {
        guard let load, running == nil else { return }
        running = Task(executorPreference: session.loop) { await load.run() }
    }

    /// Runs the load in the caller's task, on the loop.
    func run() async {
        task?.beginsByItself()
        await load?.run()
    }

    /// Continues what another download left; returns why it can't.
    func goOn(with resumeData: ResumeData) -> LoadError? {
        guard let file = resumeData.takeFile() else {
            return LoadError(.resourceUnavailable, "these resume data were used by another download already")
        }
        self.file = file
        self.resumeData = resumeData
        isResuming = true
        return nil
    }

    func cancel() { load?.answer(.cancel) }

    func cancel(producingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
        guard let load else { return handler(nil) }
        resumeHandler = handler
        load.answer(.cancel)
    }

    func refuse() {
        load = nil
        task = nil
    }

    /// Gives the load up for a reason of this side.
    func fail(_ error: LoadError) {
        failure = failure ?? error
        load?.answer(.cancel)
    }

    // MARK: From its load

    func load(_ load: Load, tells notice: ClientNotice) {
        switch notice {
        case .canonicalize: load.answer(.canonicalAnswered(isAccepted: true))
        case .redirect(let next, let response): place(.redirect(to: next, from: response))
        case .challenge(let challenge): place(.challenge(challenge))
        // The end alone withdraws the question (R11).
        case .challengeCancelled: break
        case .needBodyStream: place(.needBodyStream)
        case .bodySent(let byteCount, let total, let expected):
            place(.bodySent(TransferProgress(byteCount: byteCount, total: total, expected: expected)))
        case .informational(let head): place(.informational(head))
        case .response(let response): received(response)
        case .data(let bytes): received(bytes)
        case .willCache(let response):
            if isDelivering, !isDownload {
                place(.willCache(response, byteCount: bodyByteCount))
            } else {
                load.answer(.cacheAnswered(isStored: false))
            }
        // It comes just before the end, and a file is ready before both (R35).
        case .metrics(let count): exchangeCount = count
        case .complete(let error): end(with: error)
        }
    }

    /// Whether the delegate is told of content and end.
    var isDelivering: Bool {
        if case .delegate = sink { return true }
        return false
    }

    // MARK: The end

    private func end(with loadError: LoadError?) {
        guard let task else { return }
        let error = loadError == nil ? nil : failure ?? loadError
        if let load { task.note(load.request) }
        let left =
            error == nil
            ? nil
            : ResumeData(
                file, of: resumeData?.request ?? task.originalRequest, response: response, former: resumeData?.validator
            )
        if left == nil { file?.finish() }
        task.complete(error, leaving: error?.kind == .cancelled ? nil : left)
        if let resumeHandler { session.queue.submit { resumeHandler(left) } }
        if isDelivering, error == nil, let file { place(.fileReady(file)) }
        place(.metrics(ReferenceMetrics(exchangeCount: exchangeCount)))
        let outcome = TaskOutcome(bytes: body, file: error == nil ? file : nil, response: response, error: error)
        switch sink {
        case .delegate: place(.complete(error))
        case .handler: place(.handler(outcome))
        case .awaiter(let give): give(outcome)
        }
        // Behind the last call, wherever a filter has them made.
        if task.delegate != nil, filter == nil { session.queue.submit { task.letGoOfDelegate() } }
        session.hasEnded(task)
        self.task = nil
        load = nil
        running = nil
        file = nil
        resumeHandler = nil
        body = []
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
