public import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A client in the shape of URLSession: tasks, delegates, completion handlers and `async` methods over one set of
/// connections.
///
/// It loads on a thread of its own and calls delegates on its queue. While it has tasks it stays; one without any ends
/// when nobody holds it, or for certain by ``finishTasksAndInvalidate()`` or ``invalidateAndCancel()``.
public final class ReferenceSession: Sendable {
    /// As it was given; changes come too late.
    public let configuration: ReferenceConfiguration
    /// Where delegates and completion handlers are called (R46).
    public let queue: CallbackQueue
    private let thread: LoadingThread
    /// For calls that a filter wants made where they don't belong.
    let elsewhere: CallbackQueue?
    private let ownsQueue: Bool
    let sessionFields: [HTTPField]
    /// What its loads know of credentials.
    let keeper: AuthenticationKeeper
    /// What its loads send and take: the configuration's, or one of its own.
    public let cookieStore: ReferenceCookieStore
    /// By which its loads speak TLS.
    let security: ConnectionSecurity
    let state: Locked<State>
    /// Loads without a task; loop thread only.
    private let plainLoads = PlainLoads()

    struct State {
        var delegate: (any ReferenceSessionDelegate)?
        var tasks: [Int: ReferenceTask] = [:]
        var lastNumber = 0
        /// Tasks whose making the delegate is being told of; only after that anything else may be told.
        var beingMade: Set<Int> = []
        /// Takes no more tasks.
        var isInvalidated = false
        /// Has its tasks cancelled.
        var isCancelled = false
        var hasEnded = false
    }

    /// Starts its threads.
    ///
    /// It makes a queue of its own where none is given, and holds its delegate until it has ended.
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
        self.thread = thread
        self.configuration = configuration
        ownsQueue = queue == nil
        sessionFields = configuration.sessionFields
        keeper = configuration.makeKeeper()
        cookieStore = configuration.cookieStore ?? ReferenceCookieStore()
        security = ConnectionSecurity(configuration.security)
        state = Locked(State(delegate: delegate))
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
            self.plainLoads.cancelAll()
            self.endIfDone()
        }
    }

    /// Returns when the loading thread of an invalidated session has ended, after every one of its callbacks was asked for.
    public func ended() async { await thread.ended() }

    var loop: EventLoop { thread.loop }
    var pool: ConnectionPool { thread.pool }

    var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Whether it is over; loop thread only.
    private func endIfDone() {
        let isOver = state.withLock { state in
            guard state.isInvalidated, !state.hasEnded, state.tasks.isEmpty, plainLoads.isEmpty else { return false }
            state.hasEnded = true
            return true
        }
        guard isOver else { return }
        var calls = [PlacedCall(SessionCall.sessionInvalid)]
        if var filter = configuration.makeCallFilter?() { calls = filter.filter(.sessionInvalid) }
        for call in calls {
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
        thread.end()
        elsewhere?.end()
        if ownsQueue { queue.end() }
    }

    // MARK: On the loop

    /// Now or soon; in order.
    func onLoop(_ act: @escaping @Sendable () -> Void) {
        loop.perform(act)
    }

    /// Its last call is on the way.
    func hasEnded(_ task: ReferenceTask) {
        state.withLock { $0.tasks[task.number] = nil }
        endIfDone()
    }

    /// Keeps the session while a load without a task runs; false when it takes none any more.
    func begin(_ load: PlainLoad) -> Bool {
        guard loop.isCurrent, !isInvalidated else { return false }
        plainLoads.insert(load)
        return true
    }

    func end(_ load: PlainLoad) {
        plainLoads.remove(load)
        if isInvalidated { endIfDone() }
    }
}
