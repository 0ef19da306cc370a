internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// The load of a task: turns the calls of a ``Load`` into those of the session's delegates.
///
/// Loop thread only, but for its making and for ``tellCreated(as:)``.
final class TaskLoad: LoadClient {
    let session: ReferenceSession
    private let request: ClientRequest
    private let options: LoadOptions
    /// What the session's delegate is told while the task is made.
    private let created: [PlacedCall]
    /// nil before it is made and after its end.
    private let owner = Locked<ReferenceTask?>(nil)
    private let loopState: LoopBound<State>

    private final class State {
        /// nil before it is needed and after the end.
        var load: Load?
        var isOver = false
        var running: Task<Void, Never>?
        var calls: FilteredCalls
        /// nil after the end, so that what a handler holds is not kept for longer.
        var sink: TaskSink?
        /// Whether content goes to a file.
        var isDownload: Bool
        /// Why nothing is asked of the server at all.
        var refusal: LoadError?
        var metrics = ReferenceMetrics(exchangeCount: 0)
        var reply: GatheredReply
        /// What a download has in its file.
        var content: DownloadContent
        var resumeHandler: (@Sendable (ResumeData?) -> Void)?

        init(
            calls: FilteredCalls, sink: TaskSink, isDownload: Bool, reply: GatheredReply, request: ClientRequest
        ) {
            self.calls = calls
            self.sink = sink
            self.isDownload = isDownload
            self.reply = reply
            content = DownloadContent(of: request)
        }

        /// Goes on with what another download left; where that can't be, the task fails when it begins (R39, R45).
        func goOn(with resumeData: ResumeData) {
            if let content = DownloadContent(goingOnWith: resumeData) {
                self.content = content
            } else {
                refusal = LoadError(.resourceUnavailable, "these resume data were used by another download already")
            }
        }
    }

    init(
        _ request: ClientRequest, options: LoadOptions, sink: TaskSink, isDownload: Bool,
        resuming resumeData: ResumeData?, session: ReferenceSession
    ) {
        self.session = session
        self.request = request
        self.options = options
        var calls = FilteredCalls(session.configuration.makeCallFilter?())
        created = calls.calls(for: .created)
        let state = State(
            calls: calls, sink: sink, isDownload: isDownload, reply: GatheredReply(session.configuration),
            request: request)
        if let resumeData { state.goOn(with: resumeData) }
        loopState = LoopBound(state, on: session.loop)
    }

    private var state: State { loopState.value }

    private var task: ReferenceTask? { owner.withLock { $0 } }

    // MARK: From its task

    /// On the thread that makes the task, before anything else has it (R46).
    func tellCreated(as task: ReferenceTask) {
        owner.withLock { $0 = task }
        for call in created {
            let delivery = CallDelivery(call, of: task, load: nil, to: nil)
            if call.isElsewhere { session.elsewhere?.submit { delivery.make() } } else { delivery.make() }
        }
    }

    func begin() {
        guard let load, state.running == nil else { return }
        if let refusal = state.refusal { return fail(refusal) }
        state.running = Task(executorPreference: session.loop) { await load.run() }
    }

    /// Runs the load in the caller's task, on the loop.
    func run() async {
        task?.beginsByItself()
        if let refusal = state.refusal { return fail(refusal) }
        await load?.run()
    }

    func suspend() { load?.suspend() }

    func resume() { load?.resume() }

    func cancel() { load?.answer(.cancel) }

    func cancel(producingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
        // The end was faster than the way to this thread.
        guard let load else {
            session.queue.submit { handler(nil) }
            return
        }
        state.resumeHandler = handler
        load.answer(.cancel)
    }

    /// nil after the end.
    private var load: Load? {
        let state = state
        guard !state.isOver else { return nil }
        if let load = state.load { return load }
        let load = Load(request, options: options, pool: session.pool, client: self)
        state.load = load
        return load
    }

    /// Gives the load up for a reason of this client.
    private func fail(_ error: LoadError) {
        state.reply.fail(error)
        load?.answer(.cancel)
    }

    // MARK: From its load

    func load(_ load: Load, tells call: DelegateCall) {
        switch call {
        case .canonicalize: if let answer = call.defaultAnswer { load.answer(answer) }
        // What a connection asks is for the session's method before the task's (R18).
        case .challenge(let challenge) where challenge.space.isOfConnection && session.delegate != nil:
            place(.sessionChallenge(challenge))
        // The end alone withdraws the question (R11).
        case .challengeCancelled: break
        case .response(let response): received(response)
        // What comes with the bytes that were too many is too much as well.
        case .data(let bytes): if state.reply.failure == nil { received(bytes) }
        // No delegate is asked where a handler gets it all, and a cache has no use for what became a download.
        case .willCache where !isDelivering || state.isDownload:
            load.answer(.cacheAnswered(isStored: !state.isDownload))
        // Metrics come just before the end, and a file is ready before both (R35).
        case .metrics(let metrics): state.metrics = metrics
        case .complete(let error): end(with: error ?? state.content.shortfall)
        default: place(call)
        }
    }

    /// Whether the delegate is told of content and end.
    private var isDelivering: Bool { if case .delegate? = state.sink { true } else { false } }

    // MARK: Content

    /// Asks what becomes of it, where there is a delegate to ask (R28).
    private func received(_ response: LoadResponse) {
        if let load { task?.note(load.request) }
        task?.note(response)
        state.reply.begin(response)
        if state.isDownload { return beginFile(with: response) }
        if isDelivering {
            place(.response(response))
        } else {
            load?.answer(.responseAnswered(isAllowed: true))
        }
    }

    /// The answer to `response`.
    func dispose(_ disposition: ResponseDisposition) {
        switch disposition {
        case .allow: load?.answer(.responseAnswered(isAllowed: true))
        case .cancel: load?.answer(.responseAnswered(isAllowed: false))
        case .becomeDownload: becomeDownload()
        }
    }

    private func received(_ bytes: [UInt8]) {
        if state.isDownload { return write(bytes) }
        guard !isDelivering else { return place(.data(bytes), consuming: bytes.count) }
        if state.reply.append(bytes) { load?.didConsume(bytes.count) } else { cancel() }
    }

    private func becomeDownload() {
        guard let task, load != nil, !state.isDownload, let response = state.reply.response else { return }
        state.isDownload = true
        task.turnIntoDownload()
        place(.becameDownload)
        beginFile(with: response)
    }

    private func beginFile(with response: LoadResponse) {
        let content = state.content
        do throws(LoadError) {
            switch try content.begin(with: response) {
            case .new: content.store(in: try session.configuration.makeFile())
            // The next part of multipart/x-mixed-replace takes the place of the one before (R26).
            case .again: break
            case .goesOn(let offset):
                place(.downloadResumed(response, offset: offset, expected: content.expected ?? -1))
            }
        } catch {
            return fail(error)
        }
        load?.answer(.responseAnswered(isAllowed: true))
    }

    private func write(_ bytes: [UInt8]) {
        do throws(LoadError) {
            try state.content.append(bytes)
        } catch {
            return fail(error)
        }
        guard isDelivering else {
            load?.didConsume(bytes.count)
            return
        }
        place(.progress(state.content.progress(by: bytes.count)), consuming: bytes.count)
    }

    // MARK: Calls

    /// Makes a call, or what a filter makes of it; `byteCount` bytes are read on for when it has been made.
    private func place(_ call: DelegateCall, consuming byteCount: Int = 0) {
        guard let task else { return }
        let placed = state.calls.calls(for: call)
        for (index, call) in placed.enumerated() {
            make(call, of: task, consuming: index == placed.count - 1 ? byteCount : 0)
        }
        if placed.isEmpty { load?.didConsume(byteCount) }
        if let answer = call.defaultAnswer, !placed.contains(where: { $0.call.defaultAnswer != nil }) {
            load?.answer(answer)
        }
    }

    private func make(_ placed: PlacedCall, of task: ReferenceTask, consuming byteCount: Int) {
        let delivery = CallDelivery(placed, of: task, load: load, consuming: byteCount, to: state.sink)
        // Without a delegate to ask there is no need to change the thread.
        guard delivery.needsQueue else { return delivery.make() }
        let queue = placed.isElsewhere ? session.elsewhere ?? session.queue : session.queue
        if !queue.submit({ delivery.make() }) { delivery.skip() }
    }

    // MARK: The end

    private func end(with loadError: LoadError?) {
        guard let task else { return }
        let state = state
        // Also where the load ended well: the last bytes of a reply and its end may come at once.
        let error = state.reply.failure ?? loadError
        if let load { task.note(load.request) }
        let file = state.content.file
        let left = error == nil ? nil : state.content.left
        if left == nil { file?.finish() }
        task.complete(error, leaving: error?.kind == .cancelled ? nil : left)
        if let resumeHandler = state.resumeHandler { session.queue.submit { resumeHandler(left) } }
        if isDelivering, error == nil, let file { place(.fileReady(file)) }
        place(.metrics(state.metrics))
        let outcome = TaskOutcome(
            bytes: state.reply.bytes, file: error == nil ? file : nil, response: state.reply.response, error: error)
        switch state.sink {
        case .delegate: place(.complete(error))
        case .handler: place(.handler(outcome))
        case .awaiter(let give): give(outcome)
        case nil: break
        }
        // Behind the last call, wherever a filter has them made.
        if task.delegate != nil, !state.calls.areFiltered, !session.queue.submit({ task.letGoOfDelegate() }) {
            task.letGoOfDelegate()
        }
        session.hasEnded(task)
        owner.withLock { $0 = nil }
        state.isOver = true
        state.load = nil
        state.running = nil
        state.content.letGo()
        state.resumeHandler = nil
        state.sink = nil
        state.reply.letGo()
    }
}

/// What gets content and end of a task.
enum TaskSink: Sendable {
    /// The delegate, call by call.
    case delegate
    /// A completion handler, on the queue.
    case handler(@Sendable (TaskOutcome) -> Void)
    /// The task that awaits it, on the loop.
    case awaiter(@Sendable (TaskOutcome) -> Void)
}

/// What a load has brought so far, for a user that is given it at the end.
struct GatheredReply: Sendable {
    /// The last one.
    private(set) var response: LoadResponse?
    /// Content that is not delivered.
    private(set) var bytes: [UInt8] = []
    /// Why this client gives the load up, or why the load failed; the first reason counts.
    private(set) var failure: LoadError?
    private let limit: Int

    /// Keeps the `collectedByteLimit` of a session at most.
    init(_ configuration: ReferenceConfiguration) { limit = configuration.collectedByteLimit }

    /// A further response takes the place of the one before (R26).
    mutating func begin(_ response: LoadResponse) {
        self.response = response
        bytes = []
    }

    /// False where the content is too long: then the load has failed.
    mutating func append(_ more: [UInt8]) -> Bool {
        guard limit - bytes.count >= more.count else {
            fail(
                LoadError(
                    .dataLengthExceedsMaximum,
                    "the content is longer than the \(limit) bytes that are kept in memory; use a download"))
            return false
        }
        if bytes.isEmpty { bytes = more } else { bytes += more }
        return true
    }

    mutating func fail(_ error: LoadError) { failure = failure ?? error }

    /// The content is given away.
    mutating func letGo() { bytes = [] }
}
