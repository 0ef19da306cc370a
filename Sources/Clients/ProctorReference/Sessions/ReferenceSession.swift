public import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A client in the shape of URLSession: tasks, delegates, completion handlers and `async` methods over shared
/// connections.
///
/// A session loads on its own thread and calls delegates on its queue. Tasks keep it alive; one without tasks ends when
/// it is released, and always by ``finishTasksAndInvalidate()`` or ``invalidateAndCancel()``.
public final class ReferenceSession: Sendable {
    /// The configuration that the session was made with.
    package var configuration: ReferenceConfiguration { shared.configuration }
    /// The queue of delegate calls and completion handlers (R46).
    public let queue: CallbackQueue
    let shared: SharedState
    /// A queue for calls that a filter makes on a wrong thread.
    let elsewhere: CallbackQueue?
    private let ownsQueue: Bool
    /// The configuration's store, or the session's own.
    public var cookieStore: ReferenceCookieStore { shared.cookieStore }
    let state: Locked<State>
    private let plainLoads: LoopBound<[ObjectIdentifier: PlainLoad]>

    struct State {
        var delegate: (any ReferenceSessionDelegate)?
        var tasks: [Int: ReferenceTask] = [:]
        var lastNumber = 0
        /// Tasks whose `didCreate` call has not returned; no other call may be made before.
        var beingMade: Set<Int> = []
        var isInvalidated = false
        var isCancelled = false
        var hasEnded = false
    }

    /// Replaces proxy, names, trust and identity for the tasks that begin from now on.
    ///
    /// The stores, the pool of connections and the limits stay those with which the session was made.
    package func changeWays(_ configuration: ReferenceConfiguration) { shared.changeWays(configuration) }

    /// Starts the session's threads.
    ///
    /// Without a `queue` the session makes its own. It keeps its delegate until it has ended.
    public init(
        configuration: ReferenceConfiguration = ReferenceConfiguration(),
        delegate: (any ReferenceSessionDelegate)? = nil, queue: CallbackQueue? = nil
    ) throws(CallFailure) {
        let thread = try LoadingThread(name: "session", limits: configuration.transportLimits)
        do throws(CallFailure) {
            if let queue { self.queue = queue } else { self.queue = try CallbackQueue() }
            elsewhere = configuration.makeCallFilter == nil ? nil : try CallbackQueue(label: "elsewhere")
        } catch {
            thread.stop()
            throw error
        }
        shared = SharedState(configuration, on: thread)
        ownsQueue = queue == nil
        state = Locked(State(delegate: delegate))
        plainLoads = LoopBound([:], on: thread.loop)
    }

    deinit {
        if !hasEnded { endThreads() }
    }

    /// The session's delegate; nil after ``ReferenceSessionDelegate/sessionDidBecomeInvalid(_:)`` has returned.
    public var delegate: (any ReferenceSessionDelegate)? { state.withLock { $0.delegate } }

    // MARK: Invalidation

    /// Refuses new tasks and ends when the present ones are complete; a task that is never resumed keeps it alive
    /// (R43).
    public func finishTasksAndInvalidate() {
        state.withLock { $0.isInvalidated = true }
        loop.submit { self.endIfDone() }
    }

    /// Refuses new tasks, cancels the present ones, and ends when they are complete (R43).
    public func invalidateAndCancel() {
        let tasks = state.withLock { state in
            state.isInvalidated = true
            state.isCancelled = true
            let tasks = state.tasks.values.filter { !state.beingMade.contains($0.number) }
            return tasks.sorted { $0.number < $1.number }
        }
        for task in tasks { task.cancel() }
        loop.submit {
            for load in self.plainLoads.value.values { load.cancel() }
            self.endIfDone()
        }
    }

    /// Returns when the loading thread of an invalidated session has ended, after its last callback was submitted.
    public func ended() async { await shared.thread.ended() }

    var loop: EventLoop { shared.thread.loop }
    var pool: ConnectionPool { shared.thread.pool }

    var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Ends the session when nothing is running; loop thread only.
    private func endIfDone() {
        let hasPlainLoads = !plainLoads.value.isEmpty
        let isOver = state.withLock { state in
            guard state.isInvalidated, !state.hasEnded, !hasPlainLoads, state.tasks.isEmpty, state.beingMade.isEmpty
            else { return false }
            state.hasEnded = true
            return true
        }
        guard isOver else { return }
        var filter = configuration.makeCallFilter?()
        for call in filter.calls(for: .sessionInvalid) {
            guard case .sessionInvalid = call.call else { continue }
            (call.isElsewhere ? elsewhere ?? queue : queue).submit { self.delegate?.sessionDidBecomeInvalid(self) }
        }
        let leave: @Sendable () -> Void = {
            if !self.configuration.keepsDelegate { self.state.withLock { $0.delegate = nil } }
            self.endThreads()
        }
        // After the last call, or at once where the queue has ended and makes no calls.
        if !queue.submit(leave) { leave() }
    }

    private func endThreads() {
        if configuration.transportFault == .storm(.leavesOpen) {
            StormMistake.left.withLock { $0.append(shared.thread) }
        } else {
            shared.thread.stop()
        }
        elsewhere?.stop()
        if ownsQueue { queue.stop() }
    }

    // MARK: On the loop

    /// Runs `act` at once on the loop's thread, else as soon as possible; in order.
    func onLoop(_ act: @escaping @Sendable () -> Void) {
        loop.perform(act)
    }

    /// Handles the end of a task, after its last call was submitted.
    func hasEnded(_ task: ReferenceTask) {
        state.withLock { $0.tasks[task.number] = nil }
        endIfDone()
    }

    /// Keeps the session alive while a load without a task runs; false when it accepts no further loads.
    func add(_ load: PlainLoad) -> Bool {
        guard loop.isCurrent, !isInvalidated else { return false }
        plainLoads.value[ObjectIdentifier(load)] = load
        return true
    }

    func remove(_ load: PlainLoad) {
        plainLoads.value[ObjectIdentifier(load)] = nil
        if isInvalidated { endIfDone() }
    }

    /// Registers a task and reports it; a refused task is complete when it is returned.
    func makeTask(
        _ kind: ReferenceTask.Kind, _ request: ClientRequest, timeout: Duration?, sink: TaskSink,
        delegate: (any ReferenceTaskDelegate)? = nil, resuming resumeData: ResumeData? = nil,
        conversation: WebSocketConversation? = nil
    ) -> ReferenceTask {
        let request = shared.completed(request)
        var options = shared.options(timeout: timeout, asksToStore: kind != .download)
        if let conversation { options.open(conversation.handshake) }
        let (number, isTaken) = state.withLock { state in
            state.lastNumber += 1
            if !state.isInvalidated { state.beingMade.insert(state.lastNumber) }
            return (state.lastNumber, !state.isInvalidated)
        }
        let load = TaskLoad(
            request, options: options, sink: sink, isDownload: kind == .download,
            resuming: isTaken ? resumeData : nil, conversation: conversation, session: self)
        let task = ReferenceTask(
            number: number, kind: kind, request: request, session: self, load: load, delegate: delegate)
        guard isTaken else {
            refuse(task, sink)
            return task
        }
        state.withLock { $0.tasks[number] = task }
        load.tellCreated(as: task)
        let isCancelled = state.withLock { state in
            state.beingMade.remove(number)
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        return task
    }

    /// Refuses a task; when it is resumed, its handler is called on the resuming thread, since the queue may have
    /// ended.
    private func refuse(_ task: ReferenceTask, _ sink: TaskSink) {
        let error = Self.invalidated
        guard case .handler(let handler) = sink else { return task.refuse(error, nil) }
        task.refuse(error) { handler(TaskOutcome(error: error)) }
    }

    static let invalidated = LoadError(
        .cancelled, "the session was invalidated and takes no more tasks; make another one")
}

// The methods that make tasks; a task does nothing before `resume()`.
//
// `timeout` is the time without activity for the task, in place of the configuration's. A completion handler is called
// once, on the session's queue, in place of response, content and end (R54).
extension ReferenceSession {
    /// Receives the content, the response and the error; the content is nil after an error.
    public typealias ContentHandler =
        @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    /// Receives the path of the file, the response and the error; the path is nil after an error.
    public typealias FileHandler =
        @Sendable (_ path: String?, _ response: LoadResponse?, _ error: LoadError?) -> Void

    /// Makes a data task with the request's own body; its stream is used for the first transmission without a question
    /// (R21).
    public func dataTask(
        with request: ClientRequest, timeout: Duration? = nil, completionHandler: ContentHandler? = nil
    ) -> ReferenceTask {
        makeTask(.data, request, timeout: timeout, sink: .content(completionHandler))
    }

    /// Makes an upload task; `content` replaces the request's body and can be sent again (R22).
    public func uploadTask(
        with request: ClientRequest, from content: [UInt8], timeout: Duration? = nil,
        completionHandler: ContentHandler? = nil
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.bytes(content)), timeout: timeout, sink: .content(completionHandler))
    }

    /// Makes an upload task; the file is opened for each transmission.
    public func uploadTask(
        with request: ClientRequest, fromFile path: String, timeout: Duration? = nil,
        completionHandler: ContentHandler? = nil
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.file(path: path)), timeout: timeout, sink: .content(completionHandler))
    }

    /// Makes an upload task whose delegate is asked for the body before each transmission (R21, R22).
    public func uploadTask(withStreamedRequest request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.upload, request.with(.streamOnDemand), timeout: timeout, sink: .delegate)
    }

    /// Makes a download task; the file is removed when the handler returns, unless it was moved (R35).
    public func downloadTask(
        with request: ClientRequest, timeout: Duration? = nil, completionHandler: FileHandler? = nil
    ) -> ReferenceTask {
        makeTask(.download, request, timeout: timeout, sink: .file(completionHandler))
    }

    /// Makes a task that resumes another download (R36); when the resume data was used before, the task fails when it
    /// is resumed.
    public func downloadTask(
        withResumeData data: ResumeData, timeout: Duration? = nil, completionHandler: FileHandler? = nil
    ) -> ReferenceTask {
        makeTask(.download, data.rest, timeout: timeout, sink: .file(completionHandler), resuming: data)
    }
}

extension TaskSink {
    fileprivate static func content(_ handler: ReferenceSession.ContentHandler?) -> TaskSink {
        guard let handler else { return .delegate }
        return .handler { handler($0.error == nil ? $0.bytes : nil, $0.response, $0.error) }
    }

    fileprivate static func file(_ handler: ReferenceSession.FileHandler?) -> TaskSink {
        guard let handler else { return .delegate }
        return .handler { handler($0.file?.path, $0.response, $0.error) }
    }
}

extension ClientRequest {
    func with(_ body: RequestBody) -> ClientRequest {
        var request = self
        request.body = body
        return request
    }
}
