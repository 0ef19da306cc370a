public import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A client in the shape of URLSession: tasks, delegates, completion handlers and `async` methods over one set of
/// connections.
///
/// It loads on a thread of its own and calls delegates on its queue. While it has tasks it stays; one without any ends
/// when it is released, or for certain by ``finishTasksAndInvalidate()`` or ``invalidateAndCancel()``.
public final class ReferenceSession: Sendable {
    /// As it was given; changes come too late.
    public var configuration: ReferenceConfiguration { shared.configuration }
    /// Where delegates and completion handlers are called (R46).
    public let queue: CallbackQueue
    private let shared: SharedState
    /// For calls that a filter wants made where they don't belong.
    let elsewhere: CallbackQueue?
    private let ownsQueue: Bool
    /// What its loads send and take: the configuration's, or one of its own.
    public var cookieStore: ReferenceCookieStore { shared.cookieStore }
    let state: Locked<State>
    /// Loads without a task.
    private let plainLoads: LoopBound<[ObjectIdentifier: PlainLoad]>

    struct State {
        var delegate: (any ReferenceSessionDelegate)?
        var tasks: [Int: ReferenceTask] = [:]
        var lastNumber = 0
        /// Tasks that are being made; only after the delegate was told of that anything else may be told.
        var beingMade: Set<Int> = []
        /// Takes no more tasks.
        var isInvalidated = false
        /// Has its tasks cancelled.
        var isCancelled = false
        var hasEnded = false
    }

    /// Starts its threads.
    ///
    /// Without a `queue` the session makes one of its own. It holds its delegate until it has ended.
    public init(
        configuration: ReferenceConfiguration = ReferenceConfiguration(),
        delegate: (any ReferenceSessionDelegate)? = nil, queue: CallbackQueue? = nil
    ) throws(CallFailure) {
        let thread = try LoadingThread(name: "session")
        do throws(CallFailure) {
            if let queue { self.queue = queue } else { self.queue = try CallbackQueue() }
            elsewhere = configuration.makeCallFilter == nil ? nil : try CallbackQueue(label: "elsewhere")
        } catch {
            thread.end()
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

    /// Nil where none was given, and after ``ReferenceSessionDelegate/sessionDidBecomeInvalid(_:)`` has returned.
    public var delegate: (any ReferenceSessionDelegate)? { state.withLock { $0.delegate } }

    // MARK: Invalidation

    /// Takes no more tasks, and ends when those it has are complete; one that is never resumed keeps it (R43).
    public func finishTasksAndInvalidate() {
        state.withLock { $0.isInvalidated = true }
        loop.submit { self.endIfDone() }
    }

    /// Takes no more tasks, cancels those it has, and ends when they are complete (R43).
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

    /// Returns when the loading thread of an invalidated session has ended, after every one of its callbacks was asked for.
    public func ended() async { await shared.thread.ended() }

    var loop: EventLoop { shared.thread.loop }
    var pool: ConnectionPool { shared.thread.pool }

    /// As its loads send it first.
    func completed(_ request: ClientRequest) -> ClientRequest { request.completed(with: shared.fields) }

    func loadOptions(timeout: Duration?, asksToStore: Bool) -> LoadOptions {
        shared.options(timeout: timeout, asksToStore: asksToStore)
    }

    var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Whether it is over; loop thread only.
    private func endIfDone() {
        let hasPlainLoads = !plainLoads.value.isEmpty
        let isOver = state.withLock { state in
            guard state.isInvalidated, !state.hasEnded, !hasPlainLoads, state.tasks.isEmpty, state.beingMade.isEmpty
            else { return false }
            state.hasEnded = true
            return true
        }
        guard isOver else { return }
        var calls = FilteredCalls(configuration.makeCallFilter?())
        for call in calls.calls(for: .sessionInvalid) {
            guard case .sessionInvalid = call.call else { continue }
            (call.isElsewhere ? elsewhere ?? queue : queue).submit { self.delegate?.sessionDidBecomeInvalid(self) }
        }
        let leave: @Sendable () -> Void = {
            self.state.withLock { $0.delegate = nil }
            self.endThreads()
        }
        // Behind the last call, or at once where the queue was ended before the session and makes none.
        if !queue.submit(leave) { leave() }
    }

    private func endThreads() {
        shared.thread.end()
        elsewhere?.end()
        if ownsQueue { queue.end() }
    }

    // MARK: On the loop

    /// Now or soon; in order.
    func onLoop(_ act: @escaping @Sendable () -> Void) {
        loop.perform(act)
    }

    /// The last call of the task is on the way.
    func hasEnded(_ task: ReferenceTask) {
        state.withLock { $0.tasks[task.number] = nil }
        endIfDone()
    }

    /// Keeps the session while a load without a task runs; false when it takes none any more.
    func begin(_ load: PlainLoad) -> Bool {
        guard loop.isCurrent, !isInvalidated else { return false }
        plainLoads.value[ObjectIdentifier(load)] = load
        return true
    }

    func end(_ load: PlainLoad) {
        plainLoads.value[ObjectIdentifier(load)] = nil
        if isInvalidated { endIfDone() }
    }

    /// Registers a task, tells of it and gives it back; refused ones are complete already.
    func makeTask(
        _ kind: ReferenceTask.Kind, _ request: ClientRequest, timeout: Duration?, sink: TaskSink,
        delegate: (any ReferenceTaskDelegate)? = nil, resuming resumeData: ResumeData? = nil
    ) -> ReferenceTask {
        let request = completed(request)
        let options = loadOptions(timeout: timeout, asksToStore: kind != .download)
        let (number, isTaken) = state.withLock { state in
            state.lastNumber += 1
            if !state.isInvalidated { state.beingMade.insert(state.lastNumber) }
            return (state.lastNumber, !state.isInvalidated)
        }
        let load = TaskLoad(
            request, options: options, sink: sink, isDownload: kind == .download,
            resuming: isTaken ? resumeData : nil, session: self)
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

    /// A handler is called all the same, when the task is resumed and on that thread: there may be no queue any more.
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
// `timeout` is the time without activity that a task is given, in place of the configuration's.
extension ReferenceSession {
    // MARK: For delegates

    /// The request's body, if any, goes with it; a stream that was given with it is not asked for the first time (R21).
    public func dataTask(with request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.data, request, timeout: timeout, sink: .delegate)
    }

    /// `content` takes the place of the request's body, and is sent again where that is necessary (R22).
    public func uploadTask(
        with request: ClientRequest, from content: [UInt8], timeout: Duration? = nil
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.bytes(content)), timeout: timeout, sink: .delegate)
    }

    /// The file is opened for each sending.
    public func uploadTask(
        with request: ClientRequest, fromFile path: String, timeout: Duration? = nil
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.file(path: path)), timeout: timeout, sink: .delegate)
    }

    /// The delegate is asked for the body, each time that it is sent (R21, R22).
    public func uploadTask(withStreamedRequest request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.upload, request.with(.streamOnDemand), timeout: timeout, sink: .delegate)
    }

    /// The content goes to a file (R35).
    public func downloadTask(with request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.download, request, timeout: timeout, sink: .delegate)
    }

    /// Goes on where another download ended (R36); with resume data that was used before it fails when it is resumed.
    public func downloadTask(withResumeData data: ResumeData, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.download, data.rest, timeout: timeout, sink: .delegate, resuming: data)
    }

    // MARK: With completion handlers

    /// The handler is called once, on the session's queue, in place of response, content and end (R54).
    public func dataTask(
        with request: ClientRequest, timeout: Duration? = nil,
        completionHandler:
            @escaping @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.data, request, timeout: timeout, sink: .content(completionHandler))
    }

    /// As the data task with a handler.
    public func uploadTask(
        with request: ClientRequest, from content: [UInt8], timeout: Duration? = nil,
        completionHandler:
            @escaping @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.bytes(content)), timeout: timeout, sink: .content(completionHandler))
    }

    /// As the data task with a handler.
    public func uploadTask(
        with request: ClientRequest, fromFile path: String, timeout: Duration? = nil,
        completionHandler:
            @escaping @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.file(path: path)), timeout: timeout, sink: .content(completionHandler))
    }

    /// The file is removed when the handler returns, unless it was moved away.
    public func downloadTask(
        with request: ClientRequest, timeout: Duration? = nil,
        completionHandler: @escaping @Sendable (_ path: String?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.download, request, timeout: timeout, sink: .file(completionHandler))
    }

    /// As the download task with a handler; goes on where another download ended.
    public func downloadTask(
        withResumeData data: ResumeData, timeout: Duration? = nil,
        completionHandler: @escaping @Sendable (_ path: String?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.download, data.rest, timeout: timeout, sink: .file(completionHandler), resuming: data)
    }
}

extension TaskSink {
    fileprivate static func content(
        _ handler: @escaping @Sendable ([UInt8]?, LoadResponse?, LoadError?) -> Void
    ) -> TaskSink {
        .handler { outcome in handler(outcome.error == nil ? outcome.bytes : nil, outcome.response, outcome.error) }
    }

    fileprivate static func file(
        _ handler: @escaping @Sendable (String?, LoadResponse?, LoadError?) -> Void
    ) -> TaskSink {
        .handler { outcome in handler(outcome.file?.path, outcome.response, outcome.error) }
    }
}

extension ClientRequest {
    func with(_ body: RequestBody) -> ClientRequest {
        var request = self
        request.body = body
        return request
    }
}
