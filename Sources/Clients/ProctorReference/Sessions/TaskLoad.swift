internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Makes the calls of a ``Load`` to a task's delegates; loop thread only, except ``tellCreated(as:)``.
final class TaskLoad: LoadClient {
    let session: ReferenceSession
    private let request: ClientRequest
    private let options: LoadOptions
    /// The calls to the session's delegate that were made with `created`.
    private let created: [PlacedCall]
    private let owner = Locked<ReferenceTask?>(nil)
    private let loopState: LoopBound<State>

    private final class State {
        /// nil before the first use and after the end.
        var load: Load?
        var isOver = false
        var running: Task<Void, Never>?
        var filter: (any CallFilter)?
        /// nil after the end, so that objects of the handler are released.
        var sink: TaskSink?
        var isDownload: Bool
        var refusal: LoadError?
        var metrics = ReferenceMetrics(exchangeCount: 0)
        var reply: GatheredReply
        var content: DownloadContent
        var resumeHandler: (@Sendable (ResumeData?) -> Void)?
        /// The conversation of a WebSocket task.
        var conversation: WebSocketConversation?

        init(
            filter: (any CallFilter)?, sink: TaskSink, isDownload: Bool, reply: GatheredReply, request: ClientRequest
        ) {
            (self.filter, self.sink, self.isDownload, self.reply) = (filter, sink, isDownload, reply)
            content = DownloadContent(of: request)
        }

        /// Resumes another download; when that is impossible, the task fails at its start (R39, R45).
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
        resuming resumeData: ResumeData?, conversation: WebSocketConversation?, session: ReferenceSession
    ) {
        (self.session, self.request, self.options) = (session, request, options)
        var filter = session.configuration.makeCallFilter?()
        created = filter.calls(for: .created)
        let state = State(
            filter: filter, sink: sink, isDownload: isDownload, reply: GatheredReply(session.configuration),
            request: request)
        if let resumeData { state.goOn(with: resumeData) }
        state.conversation = conversation
        loopState = LoopBound(state, on: session.loop)
    }

    private var state: State { loopState.value }

    private var task: ReferenceTask? { owner.withLock { $0 } }

    // MARK: From its task

    /// Makes the call `created` on the thread that makes the task, before any other code gets the task (R46).
    func tellCreated(as task: ReferenceTask) {
        owner.withLock { $0 = task }
        for call in created {
            let delivery = CallDelivery(call, of: task, load: nil, to: nil)
            if call.isElsewhere { session.elsewhere?.submit { delivery.make() } } else { delivery.make() }
        }
    }

    func start() {
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

    func cancel() { load?.submit(.cancel) }

    func cancel(producingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
        // The load ended before this command ran.
        guard let load else {
            session.queue.submit { handler(nil) }
            return
        }
        state.resumeHandler = handler
        load.submit(.cancel)
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

    /// Fails the load for a reason of this client.
    private func fail(_ error: LoadError) {
        state.reply.fail(error)
        load?.submit(.cancel)
    }

    // MARK: From its load

    func load(_ load: Load, tells call: DelegateCall) {
        switch call {
        case .canonicalize: if let answer = call.defaultAnswer { load.submit(answer) }
        // A question of a connection is asked by the session's method before the task's (R18).
        case .challenge(let challenge) where challenge.space.isOfConnection && session.delegate != nil:
            place(.sessionChallenge(challenge))
        // Only the end of the load withdraws the question (R11).
        case .challengeCancelled: break
        case .response(let response) where state.conversation != nil: open(by: response)
        case .response(let response): received(response)
        // Bytes after those that exceeded the limit are dropped too.
        case .data(let bytes): if state.reply.failure == nil { received(bytes) }
        // No delegate is asked when a handler receives everything, and a download is not stored.
        case .willCache where !isDelivering || state.isDownload:
            load.submit(.cacheAnswered(state.isDownload ? .refuse : .store))
        // Metrics come directly before the end, and the file of a download before both (R35).
        case .trailers(let fields):
            state.reply.append(trailers: fields)
            if isDelivering { place(call) }
        case .metrics(let metrics): state.metrics = metrics
        case .complete(let error): finish(with: error ?? state.content.shortfall)
        default: place(call)
        }
    }

    /// Whether the delegate receives content and end.
    private var isDelivering: Bool { if case .delegate? = state.sink { true } else { false } }

    // MARK: Content

    /// Asks the delegate, if there is one, for its decision (R28).
    private func received(_ response: LoadResponse) {
        if let load { task?.recordRequest(load.request) }
        task?.recordResponse(response)
        state.reply.start(with: response)
        if state.isDownload { return beginFile(with: response) }
        if isDelivering {
            place(.response(response))
        } else {
            load?.submit(.responseAnswered(.allow))
        }
    }

    /// Opens the WebSocket, or fails the load.
    private func open(by response: LoadResponse) {
        guard let conversation = state.conversation, let load else { return }
        task?.recordRequest(load.request)
        task?.recordResponse(response)
        if conversation.handshake.fault == .opensEarly { place(.webSocketOpened(protocolName: nil)) }
        do throws(LoadError) {
            try conversation.open(by: response.head, over: .init(of: load))
            if conversation.handshake.fault != .opensEarly {
                place(.webSocketOpened(protocolName: conversation.protocolName))
            }
            load.submit(.responseAnswered(.allow))
        } catch {
            fail(error)
        }
    }

    func dispose(_ disposition: ResponseDisposition) {
        if disposition == .becomeDownload { becomeDownload() } else { load?.submit(.responseAnswered(disposition)) }
    }

    private func received(_ bytes: [UInt8]) {
        if let conversation = state.conversation { return conversation.read(bytes).forEach { place($0) } }
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
            switch try content.start(with: response) {
            case .new: content.store(in: try session.configuration.makeFile())
            // The next part of multipart/x-mixed-replace replaces the last one (R26).
            case .again: break
            case .goesOn(let offset):
                place(.downloadResumed(response, offset: offset, expected: content.expected ?? -1))
            }
        } catch {
            return fail(error)
        }
        load?.submit(.responseAnswered(.allow))
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

    /// Makes a call, or the filter's calls; then the load counts `byteCount` bytes as processed.
    private func place(_ call: DelegateCall, consuming byteCount: Int = 0) {
        guard let task else { return }
        let placed = state.filter.calls(for: call)
        for (index, call) in placed.enumerated() {
            make(call, of: task, consuming: index == placed.count - 1 ? byteCount : 0)
        }
        if placed.isEmpty { load?.didConsume(byteCount) }
        if let answer = call.defaultAnswer, !placed.contains(where: { $0.call.defaultAnswer != nil }) {
            load?.submit(answer)
        }
    }

    private func make(_ placed: PlacedCall, of task: ReferenceTask, consuming byteCount: Int) {
        let delivery = CallDelivery(placed, of: task, load: load, consuming: byteCount, to: state.sink)
        // Without a delegate the call needs no change of thread.
        guard delivery.needsQueue else { return delivery.make() }
        let queue = placed.isElsewhere ? session.elsewhere ?? session.queue : session.queue
        if !queue.submit({ delivery.make() }) { delivery.skip() }
    }

    // MARK: The end

    private func finish(with loadError: LoadError?) {
        guard let task else { return }
        let state = state
        // Checked after a successful load too, since the last bytes and the end of a reply may come together.
        var error = state.reply.failure ?? loadError
        if let conversation = state.conversation { error = conversation.finish(with: error) }
        if let load { task.recordRequest(load.request) }
        let file = state.content.file
        let left = error == nil ? nil : state.content.left
        if left == nil { file?.finish() }
        if session.configuration.downloadFault == .keepsTemporaryFile { file?.retain() }
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
        // Comes after the last call, on whatever thread a filter made it.
        if task.delegate != nil, state.filter == nil, !session.queue.submit({ task.letGoOfDelegate() }) {
            task.letGoOfDelegate()
        }
        session.hasEnded(task)
        owner.withLock { $0 = nil }
        state.isOver = true
        state.load = nil
        state.running = nil
        state.content.letGo()
        state.resumeHandler = nil
        state.conversation = nil
        state.sink = nil
        state.reply.letGo()
    }
}

enum TaskSink: Sendable {
    case delegate
    /// The result goes to a completion handler, on the queue.
    case handler(@Sendable (TaskOutcome) -> Void)
    /// The result goes to the waiting task, on the loop.
    case awaiter(@Sendable (TaskOutcome) -> Void)
}

/// The reply as far as a load has received it, for a user who gets it at the end.
struct GatheredReply: Sendable {
    private(set) var response: LoadResponse?
    private(set) var bytes: [UInt8] = []
    /// Why this client ended the load, or why it failed; the first reason counts.
    private(set) var failure: LoadError?
    private let limit: Int

    /// Keeps at most the configuration's `collectedByteLimit`.
    init(_ configuration: ReferenceConfiguration) { limit = configuration.collectedByteLimit }

    /// A further response replaces the last one (R26).
    mutating func start(with response: LoadResponse) {
        self.response = response
        bytes = []
    }

    /// Appends content; false when it is too long, and the load has failed.
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

    mutating func append(trailers: [HTTPField]) { response?.trailers += trailers }

    mutating func fail(_ error: LoadError) { failure = failure ?? error }

    mutating func letGo() { bytes = [] }

    // MARK: A load without a delegate

    /// Handles a call of a load, and gives every question its default answer.
    mutating func receive(_ call: DelegateCall, of load: Load) {
        switch call {
        case .response(let response): start(with: response)
        case .data(let bytes) where failure == nil:
            if append(bytes) { load.didConsume(bytes.count) } else { load.submit(.cancel) }
        case .complete(let error?): fail(error)
        default: break
        }
        if let answer = call.defaultAnswer { load.submit(answer) }
    }

    /// What the user of the load gets; with an error, response and content are nil (R64).
    func outcome(of request: ClientRequest) -> TaskOutcome {
        if let failure { return TaskOutcome(error: failure) }
        guard let response else {
            return TaskOutcome(
                error: LoadError(.badServerResponse, "\(request.method) \(request.url) ended without a response"))
        }
        return TaskOutcome(bytes: bytes, response: response)
    }
}
