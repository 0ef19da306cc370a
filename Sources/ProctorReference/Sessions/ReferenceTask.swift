internal import ProctorBase
internal import ProctorHTTP

/// One load of a session; made suspended, by the session.
///
/// Any thread may call it. Its session holds it until it is complete, also when it is never resumed.
public final class ReferenceTask: Sendable {
    /// From 1, in the order in which the session made them; stays when a data task becomes a download.
    public let number: Int
    /// As the session sends it first, with the fields of its configuration.
    public let originalRequest: ClientRequest
    let session: ReferenceSession
    let load: TaskLoad
    private let record: Locked<Record>

    /// What a task is for.
    public enum Kind: String, Sendable { case data, upload, download }

    /// How far a task is.
    public enum State: String, Sendable {
        /// Before the first ``resume()``, and after ``suspend()``.
        case suspended
        case running
        /// ``cancel()`` was called and the end has not come.
        case cancelling
        /// Its last callback is made, or about to be.
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
        /// Calls the handler of a task that its session did not take.
        var refusal: (@Sendable () -> Void)?
    }

    init(
        number: Int, kind: Kind, request: ClientRequest, session: ReferenceSession, load: TaskLoad,
        delegate: (any ReferenceTaskDelegate)?
    ) {
        self.number = number
        originalRequest = request
        self.session = session
        self.load = load
        record = Locked(Record(kind: kind, currentRequest: request, delegate: delegate))
    }

    // MARK: What is known

    /// `download` also for a data task that became one.
    public var kind: Kind { record.withLock { $0.kind } }

    /// `completed` when the callback or handler of its end is called.
    public var state: State { record.withLock { $0.state } }

    /// The one under way, or the last: other than the original one after a redirect.
    public var currentRequest: ClientRequest { record.withLock { $0.currentRequest } }

    /// The last one that was not followed elsewhere; nil before it has come.
    public var response: LoadResponse? { record.withLock { $0.response } }

    /// Why it failed; nil before its end and after a success.
    public var error: LoadError? { record.withLock { $0.error } }

    /// What a download that failed left behind; a cancelled one gives it to ``cancel(producingResumeData:)`` alone.
    public var resumeData: ResumeData? { record.withLock { $0.resumeData } }

    /// Asked before the session's delegate; let go of when the task is complete.
    public var delegate: (any ReferenceTaskDelegate)? {
        get { record.withLock { $0.delegate } }
        set {
            record.withLock { record in
                if record.state != .completed { record.delegate = newValue }
            }
        }
    }

    // MARK: What is done

    /// Begins, or goes on after ``suspend()``; changes nothing in other states.
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

    /// Stands still and lets no time run out, until ``resume()``; calls that are on the queue already are still made.
    public func suspend() {
        let isRunning = record.withLock { record in
            guard record.state == .running else { return false }
            record.state = .suspended
            return true
        }
        if isRunning { session.onLoop { self.followState() } }
    }

    /// On the loop: does what the state wants by then, as the calls of two threads may get here in the other order.
    private func followState() {
        let (state, isFirst) = record.withLock { record in
            defer { if record.state == .running { record.hasBegun = true } }
            return (record.state, !record.hasBegun)
        }
        switch state {
        case .running where isFirst: load.begin()
        case .running: load.resume()
        case .suspended where !isFirst: load.suspend()
        case .suspended, .cancelling, .completed: break
        }
    }

    /// Ends it with `cancelled`, unless its end is decided already; also before the first ``resume()`` (R42).
    public func cancel() {
        guard beginCancelling() else { return }
        session.onLoop { [load] in load.cancel() }
    }

    /// As ``cancel()``, and gives what another download can go on with; nil where that is nothing.
    ///
    /// The handler is called once, on the session's queue and before the end, or with nil behind an end that was faster.
    /// When the task is cancelled or complete already, it is called with nil at once, on this thread.
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

    // MARK: What happens to it

    /// The task that awaits it runs it.
    func beginsByItself() {
        record.withLock { record in
            record.hasBegun = true
            if record.state == .suspended { record.state = .running }
        }
    }

    func turnIntoDownload() { record.withLock { $0.kind = .download } }

    func note(_ request: ClientRequest) { record.withLock { $0.currentRequest = request } }

    func note(_ response: LoadResponse) { record.withLock { $0.response = response } }

    func complete(_ error: LoadError?, leaving resumeData: ResumeData?) {
        record.withLock { record in
            record.state = .completed
            record.error = error
            record.resumeData = resumeData
        }
    }

    /// The last callback has been made.
    func letGoOfDelegate() { record.withLock { $0.delegate = nil } }

    /// The session takes no more tasks; `refusal` is called when the task is resumed.
    func refuse(_ error: LoadError, _ refusal: (@Sendable () -> Void)?) {
        record.withLock { record in
            record.state = .completed
            record.error = error
            record.delegate = nil
            record.refusal = refusal
        }
    }
}
