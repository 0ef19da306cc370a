public import ProctorBase
public import ProctorTrace

/// Where every recorder of one client writes: gives events their number, time and labels, keeps them and passes them on.
///
/// Safe from any thread. An event has left the process when ``record(_:)`` returns, so that a crash right after loses nothing.
public final class TraceRecorder: Sendable {
    /// How many events it takes; what comes later is counted in ``droppedCount``, and the last one says so.
    public let limit: Int
    private let state: Locked<State>

    struct State {
        var events: [TraceEvent] = []
        /// Tasks of which nothing more is taken.
        var closedTasks: Set<Int> = []
        var descriptor: Int32?
        var failure: CallFailure?
        var droppedCount = 0
        var threads: [UInt: String] = [:]
        var numbers: [Numbering: ObjectNumbers] = [:]
        var waiters: [Waiter] = []
        var lastWaiter = 0
        var observers: [@Sendable (TraceEvent) -> Void] = []
    }

    /// Which things are counted together.
    enum Numbering: Hashable { case tasks, sessions, objects }

    /// Keeps events in memory, and writes each as a line to the descriptor, which stays the caller's.
    public init(writingTo descriptor: Int32? = nil, limit: Int = 100_000) {
        self.limit = max(1, limit)
        state = Locked(State(descriptor: descriptor))
    }

    /// Ends what is recorded of a task with an event of it; what comes later of that task is neither kept nor written.
    func close(with event: TraceEvent) {
        let thread = ThreadIdentity.current
        let (recorded, isKept) = state.withLock { state in
            defer { state.closedTasks.insert(event.task) }
            return state.take(event, thread: thread, limit: limit)
        }
        if isKept { tell(recorded) }
    }

    /// Takes nothing more of these tasks, or of a session of one of these numbers.
    package func close(tasks: some Sequence<Int>) { state.withLock { $0.closedTasks.formUnion(tasks) } }

    /// Puts the header in front; to be called before the first event.
    public func write(_ header: TraceHeader) {
        state.withLock { $0.write(TraceWriter.line(header)) }
    }

    /// Writes an event down now; its sequence, time and thread are filled in here, whatever stands in them.
    @discardableResult
    public func record(_ event: TraceEvent) -> TraceEvent {
        let thread = ThreadIdentity.current
        // The line is written with the lock held: otherwise lines would overtake one another.
        let (recorded, isKept) = state.withLock { $0.take(event, thread: thread, limit: limit) }
        if isKept { tell(recorded) }
        return recorded
    }

    /// Has every event that is written down from now on told to `observer`: on the thread that wrote it, before the
    /// callback that it is about goes on, without a lock held.
    public func observe(_ observer: @escaping @Sendable (TraceEvent) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    private func tell(_ event: TraceEvent) {
        wakeWaiters(with: event)
        for observer in state.withLock({ $0.observers }) { observer(event) }
    }

    /// Everything so far, in order.
    public var events: [TraceEvent] { state.withLock { $0.events } }

    /// How many events came after the limit was reached.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Why lines are no longer written; nil while they are.
    public var writeFailure: CallFailure? { state.withLock { $0.failure } }

    /// The number of a task, from 0 in the order in which tasks were first seen; a task that is gone gives nothing back.
    public func number(ofTask task: AnyObject) -> Int { number(of: task, among: .tasks) }

    /// The number of a session, counted like tasks.
    public func number(ofSession session: AnyObject) -> Int { number(of: session, among: .sessions) }

    /// The number of a URLProtocol object, counted like tasks.
    public func number(ofObject object: AnyObject) -> Int { number(of: object, among: .objects) }

    /// Says that a task is the one of that number: a step's own, or what another task became.
    public func assign(_ number: Int, toTask task: AnyObject) {
        withTasks { $0.assign(number, to: task) }
    }

    /// Lets the next unseen task have at least that number: steps before it may have made none.
    public func reserveTaskNumbers(below number: Int) {
        withTasks { $0.reserve(below: number) }
    }

    /// A number for a task that is made next.
    func takeTaskNumber() -> Int { withTasks { $0.take() } }

    /// The next task that was never seen has a number taken before, until that is withdrawn.
    func expectTask(_ number: Int) { withTasks { $0.expect(number) } }

    func withdrawTask(_ number: Int) { withTasks { $0.withdraw(number) } }

    private func withTasks<Result>(_ body: (inout ObjectNumbers) -> Result) -> Result {
        state.withLock { body(&$0.numbers[.tasks, default: ObjectNumbers()]) }
    }

    private func number(of object: AnyObject, among numbering: Numbering) -> Int {
        state.withLock { $0.numbers[numbering, default: ObjectNumbers()].number(of: object) }
    }

    /// For waiting, which needs the list of events and the waiters in one look.
    func withState<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }
}

extension TraceRecorder.State {
    fileprivate mutating func take(_ event: TraceEvent, thread: UInt, limit: Int) -> (TraceEvent, isKept: Bool) {
        var event = event
        event.sequence = events.count + 1
        event.time = .monotonic(MonotonicClock.nanoseconds)
        event.thread = label(of: thread)
        guard !closedTasks.contains(event.task) else { return (event, false) }
        guard events.count < limit else {
            droppedCount += 1
            return (event, false)
        }
        if events.count == limit - 1 {
            event = TraceEvent(
                sequence: event.sequence, time: event.time, lane: .harness, name: .unimplemented,
                argument: "no more than \(limit) events are recorded", thread: event.thread)
        }
        events.append(event)
        write(TraceWriter.line(event))
        return (event, true)
    }

    private mutating func label(of thread: UInt) -> String {
        if let label = threads[thread] { return label }
        let label = "t\(threads.count + 1)"
        threads[thread] = label
        return label
    }

    /// After a failed write nothing more is written: the rest of a trace with a hole would be misread.
    fileprivate mutating func write(_ line: @autoclosure () -> [UInt8]) {
        guard let descriptor, failure == nil else { return }
        failure = FullWrite.write(line(), to: descriptor).failure
    }
}
