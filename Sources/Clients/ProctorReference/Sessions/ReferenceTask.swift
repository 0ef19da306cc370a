internal import ProctorBase
internal import ProctorHTTP

/// One load of a session; a new task is suspended.
///
/// Any thread may call it. Its session keeps it alive until it is complete, also when it is never resumed.
public final class ReferenceTask: Sendable {
    /// The number of the task, from 1 in the order of creation; a data task that becomes a download keeps it.
    public let number: Int
    /// The first request, with the fields of the session's configuration.
    package let originalRequest: ClientRequest
    let session: ReferenceSession
    let load: TaskLoad
    private let record: Locked<Record>

    /// The kind of a task.
    package enum Kind: String, Sendable { case data, upload, download, webSocket }

    /// The state of a task.
    public enum State: String, Sendable {
        /// Before the first ``resume()``, and after ``suspend()``.
        case suspended
        case running
        /// ``cancel()`` was called, and the end has not come.
        case cancelling
        /// The last callback runs or is complete.
        case completed
    }

    private struct Record {
        var kind: Kind
        var state = State.suspended
        var hasBegun = false
        var currentRequest: ClientRequest
        var response: LoadResponse?
        var error: LoadError?
        var resumeData: ResumeData?
        var delegate: (any ReferenceTaskDelegate)?
        /// Calls the handler of a task that its session refused.
        var refusal: (@Sendable () -> Void)?
    }

    init(
        number: Int, kind: Kind, request: ClientRequest, session: ReferenceSession, load: TaskLoad,
        delegate: (any ReferenceTaskDelegate)?
    ) {
        self.number = number
        originalRequest = request
        (self.session, self.load) = (session, load)
        record = Locked(Record(kind: kind, currentRequest: request, delegate: delegate))
    }

    // MARK: State

    /// The kind; `download` also for a data task that became one.
    package var kind: Kind { record.withLock { $0.kind } }

    /// The state; `completed` from the call of the last callback or handler on.
    public var state: State { record.withLock { $0.state } }

    /// The current or last request, which differs from the original one after a redirect.
    package var currentRequest: ClientRequest { record.withLock { $0.currentRequest } }

    /// The last response, except followed redirects; nil before the first one.
    public var response: LoadResponse? { record.withLock { $0.response } }

    /// The error of a failed task; nil before the end and after a success.
    public var error: LoadError? { record.withLock { $0.error } }

    /// The resume data of a failed download; a cancelled one gives it only to ``cancel(producingResumeData:)``.
    public var resumeData: ResumeData? { record.withLock { $0.resumeData } }

    /// The task's own delegate, which is used before the session's; released when the task is complete.
    public var delegate: (any ReferenceTaskDelegate)? {
        get { record.withLock { $0.delegate } }
        set {
            record.withLock { record in
                if record.state != .completed { record.delegate = newValue }
            }
        }
    }

    // MARK: Commands

    /// Starts the task, or continues it after ``suspend()``; no effect in other states.
    public func resume() {
        let (isChanged, refusal) = record.withLock { record -> (Bool, (@Sendable () -> Void)?) in
            defer { record.refusal = nil }
            guard record.state == .suspended else { return (false, record.refusal) }
            record.state = .running
            return (true, nil)
        }
        refusal?()
        if isChanged { session.onLoop { self.followState() } }
    }

    /// Stops loading and all time limits until ``resume()``; submitted calls are still made.
    public func suspend() {
        let isRunning = record.withLock { record in
            guard record.state == .running else { return false }
            record.state = .suspended
            return true
        }
        if isRunning { session.onLoop { self.followState() } }
    }

    /// Applies the current state on the loop, since calls from two threads may arrive in another order.
    private func followState() {
        let (state, isFirst) = record.withLock { record in
            defer { if record.state == .running { record.hasBegun = true } }
            return (record.state, !record.hasBegun)
        }
        switch state {
        case .running where isFirst: load.start()
        case .running: load.resume()
        case .suspended where !isFirst: load.suspend()
        case .suspended, .cancelling, .completed: break
        }
    }

    /// Ends the task with `cancelled` unless its end is decided; also before the first ``resume()`` (R42).
    public func cancel() {
        guard beginCancelling() else { return }
        session.onLoop { [load] in load.cancel() }
    }

    /// Cancels like ``cancel()``, and passes the data with which another download can resume, or nil.
    ///
    /// The handler is called once, on the session's queue and before the end, or with nil after an end that came first.
    /// For a task that is cancelled or complete it is called with nil at once, on this thread.
    public func cancel(producingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
        guard beginCancelling() else { return handler(nil) }
        session.onLoop { [load] in load.cancel(producingResumeData: handler) }
    }

    private func beginCancelling() -> Bool {
        record.withLock { record in
            guard record.state == .suspended || record.state == .running else { return false }
            record.state = .cancelling
            return true
        }
    }

    // MARK: Events of its load

    /// Starts the task for an `async` method, which runs the load itself.
    func beginsByItself() {
        record.withLock { record in
            record.hasBegun = true
            if record.state == .suspended { record.state = .running }
        }
    }

    func turnIntoDownload() { record.withLock { $0.kind = .download } }

    func recordRequest(_ request: ClientRequest) { record.withLock { $0.currentRequest = request } }

    func recordResponse(_ response: LoadResponse) { record.withLock { $0.response = response } }

    func complete(_ error: LoadError?, leaving resumeData: ResumeData?) {
        record.withLock { record in
            record.state = .completed
            record.error = error
            record.resumeData = resumeData
        }
    }

    func letGoOfDelegate() { record.withLock { $0.delegate = nil } }

    /// Handles a refusal by the session; `refusal` is called when the task is resumed.
    func refuse(_ error: LoadError, _ refusal: (@Sendable () -> Void)?) {
        record.withLock { record in
            record.state = .completed
            record.error = error
            record.delegate = nil
            record.refusal = refusal
        }
    }
}
