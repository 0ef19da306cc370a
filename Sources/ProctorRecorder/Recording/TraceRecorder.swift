internal import Dispatch
public import ProctorBase
public import ProctorEvents

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

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

    /// Writes no more lines, whatever comes; returns why lines were no longer written, and nil when all were.
    public func stopWriting() -> CallFailure? {
        state.withLock { state in
            state.descriptor = nil
            return state.failure
        }
    }

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

extension TraceRecorder {
    /// A caller that waits for an event that is not there yet.
    struct Waiter {
        let id: Int
        let isMeant: @Sendable (TraceEvent) -> Bool
        let continuation: CheckedContinuation<TraceEvent?, Never>
    }

    /// The first event that is meant, of those recorded already or in the time to come.
    ///
    /// Returns nil when the time is over or the task is cancelled.
    public func event(
        within limit: Duration, where isMeant: @escaping @Sendable (TraceEvent) -> Bool
    ) async -> TraceEvent? {
        let id = withState { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(id: id, isMeant: isMeant, continuation: continuation)
                let events = withState { state in
                    state.waiters.append(waiter)
                    return state.events
                }
                if let event = events.first(where: isMeant) { return finish(id, with: event) }
                if Task.isCancelled { return finish(id, with: nil) }
                let nanoseconds = Int(clamping: limit.wholeNanoseconds)
                DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    self.finish(id, with: nil)
                }
            }
        } onCancel: {
            finish(id, with: nil)
        }
    }

    /// A waiter gets one answer: the caller that takes it out of the list gives it.
    private func finish(_ id: Int, with event: TraceEvent?) {
        let waiter = withState { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: event)
    }

    func wakeWaiters(with event: TraceEvent) {
        for waiter in withState({ $0.waiters }) where waiter.isMeant(event) {
            finish(waiter.id, with: event)
        }
    }
}

/// A callback that was written down when it began, to be written down again when it returns.
package struct RecordedCallback: Sendable {
    /// As it was recorded, with its number, time and thread.
    package let begin: TraceEvent
    private let recorder: TraceRecorder

    /// Writes the beginning.
    package init(_ event: TraceEvent, recordedBy recorder: TraceRecorder) {
        self.recorder = recorder
        begin = recorder.record(event)
    }

    /// Writes the return, without the facts.
    package func returns() { recorder.recordReturn(of: begin) }
}

extension TraceRecorder {
    /// Writes down that the callback of an event returned.
    package func recordReturn(of event: TraceEvent) {
        var end = event
        end.phase = .exit
        end.facts = []
        record(end)
    }
}

/// Numbers for objects, by identity, without keeping them alive.
struct ObjectNumbers {
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var next = 0
    /// For objects that are made out of sight, in the order in which they will be seen.
    private var expected: [Int] = []

    private struct Entry {
        /// nil when the object is gone and its address may belong to another.
        weak var object: AnyObject?
        let number: Int
    }

    mutating func number(of object: AnyObject) -> Int {
        if let entry = entries[ObjectIdentifier(object)], entry.object === object { return entry.number }
        let number = expected.isEmpty ? next : expected.removeFirst()
        assign(number, to: object)
        return number
    }

    /// A number for an object that is not there yet.
    mutating func take() -> Int {
        defer { next += 1 }
        return next
    }

    /// The next object that was never seen is the one of a number taken before.
    mutating func expect(_ number: Int) { expected.append(number) }

    /// The object of that number was not seen, and will not be.
    mutating func withdraw(_ number: Int) { expected.removeAll { $0 == number } }

    /// Later objects get numbers behind the highest one.
    mutating func assign(_ number: Int, to object: AnyObject) {
        entries[ObjectIdentifier(object)] = Entry(object: object, number: number)
        next = max(next, number + 1)
    }

    /// The next object gets at least that number.
    mutating func reserve(below number: Int) { next = max(next, number) }
}

/// What tells threads apart while they live; names of threads are inherited and say nothing.
enum ThreadIdentity {
    static var current: UInt {
        #if canImport(Darwin)
            unsafe UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
