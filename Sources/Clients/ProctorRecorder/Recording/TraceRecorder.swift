internal import Dispatch
package import ProctorBase
public import ProctorEvents

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Receives the events of all recorders of a client: numbers them, adds time and thread, keeps and writes them.
///
/// Any thread may use it. An event has left the process when ``record(_:)`` returns, so a crash afterwards loses
/// nothing.
public final class TraceRecorder: Sendable {
    /// The most events that are kept; later ones are counted in ``droppedCount``, and the last kept event reports the
    /// limit.
    package let limit: Int
    /// The steps of a program that have begun.
    package let startedSteps = StartedSteps()
    private let state: Locked<State>
    private let clock: RecordingClock

    struct State {
        var events: [TraceEvent] = []
        /// Tasks whose further events are ignored.
        var closedTasks: Set<Int> = []
        var descriptor: Int32?
        var failure: CallFailure?
        var droppedCount = 0
        var threads: [UInt: String] = [:]
        var numbers: [Numbering: ObjectNumbers] = [:]
        var waiters: [Waiter] = []
        var lastWaiter = 0
        /// The moment of the next timer that looks for waiters whose time is over; nil: none is set.
        var timer: UInt64?
        var observers: [@Sendable (TraceEvent) -> Void] = []
    }

    enum Numbering: Hashable { case tasks, sessions, objects }

    /// Keeps events in memory, and writes each as a line to the descriptor, which remains the caller's.
    public convenience init(writingTo descriptor: Int32? = nil, limit: Int = 100_000) {
        self.init(writingTo: descriptor, limit: limit, clock: .system)
    }

    package init(writingTo descriptor: Int32? = nil, limit: Int = 100_000, clock: RecordingClock) {
        self.limit = max(1, limit)
        self.clock = clock
        state = Locked(State(descriptor: descriptor))
    }

    /// Records the last event of a task; later ones are neither kept nor written.
    package func close(with event: TraceEvent) {
        let thread = ThreadIdentity.current
        let (recorded, isKept) = state.withLock { state in
            defer { state.closedTasks.insert(event.task) }
            return state.append(event, at: clock.now(), thread: thread, limit: limit)
        }
        if isKept { notifyObservers(recorded) }
    }

    /// Ignores further events of these tasks, and of sessions with these numbers.
    package func close(tasks: some Sequence<Int>) { state.withLock { $0.closedTasks.formUnion(tasks) } }

    /// Writes the header; call it before the first event.
    public func write(_ header: TraceHeader) {
        state.withLock { $0.write(TraceWriter.line(header)) }
    }

    /// Records an event, and sets its sequence, time and thread.
    @discardableResult
    public func record(_ event: TraceEvent) -> TraceEvent {
        let thread = ThreadIdentity.current
        // The lock is held while writing: otherwise lines would overtake one another.
        let (recorded, isKept) = state.withLock { state in
            state.append(event, at: clock.now(), thread: thread, limit: limit)
        }
        if isKept { notifyObservers(recorded) }
        return recorded
    }

    /// Calls `observer` with every later event, on the thread that recorded it, before its callback continues, without
    /// a lock.
    package func observe(_ observer: @escaping @Sendable (TraceEvent) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    private func notifyObservers(_ event: TraceEvent) {
        wakeWaiters(with: event)
        for observer in state.withLock({ $0.observers }) { observer(event) }
    }

    /// All events so far, in order.
    public var events: [TraceEvent] { state.withLock { $0.events } }

    /// Stops writing lines; returns why an earlier write failed, or nil when none did.
    package func stopWriting() -> CallFailure? {
        state.withLock { state in
            state.descriptor = nil
            return state.failure
        }
    }

    /// The number of events after ``limit`` was reached.
    package var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Why lines are no longer written; nil while they are written.
    package var writeFailure: CallFailure? { state.withLock { $0.failure } }

    /// The number of a task, from 0 in the order in which tasks are first seen; a number is not used again.
    package func taskNumber(of task: AnyObject) -> Int { number(of: task, among: .tasks) }

    /// The number of a session, counted like tasks.
    package func sessionNumber(of session: AnyObject) -> Int { number(of: session, among: .sessions) }

    /// The number of a URLProtocol object, counted like tasks.
    package func objectNumber(of object: AnyObject) -> Int { number(of: object, among: .objects) }

    /// Sets the number of a task: a step's own, or the one of the task that it continues.
    package func assign(_ number: Int, toTask task: AnyObject) {
        withTasks { $0.assign(number, to: task) }
    }

    /// Sets the least number of the next unseen task, since steps before it may have made no task.
    package func reserveTaskNumbers(below number: Int) {
        withTasks { $0.reserve(below: number) }
    }

    func takeTaskNumber() -> Int { withTasks { $0.reserveNext() } }

    /// Gives the next unseen task this number, unless the number is withdrawn.
    func expectTask(_ number: Int) { withTasks { $0.expect(number) } }

    func withdrawTask(_ number: Int) { withTasks { $0.withdraw(number) } }

    private func withTasks<Result>(_ body: (inout ObjectNumbers) -> Result) -> Result {
        state.withLock { body(&$0.numbers[.tasks, default: ObjectNumbers()]) }
    }

    private func number(of object: AnyObject, among numbering: Numbering) -> Int {
        state.withLock { $0.numbers[numbering, default: ObjectNumbers()].number(of: object) }
    }

    /// For functions that wait, which must read the events and change the waiters in one step.
    func withState<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }
}

extension TraceRecorder.State {
    /// The moment for which a timer has to be set now, so that one is set for the first waiter's end; nil: it is set.
    fileprivate mutating func nextTimer() -> UInt64? {
        guard let first = waiters.map(\.end).min(), first < timer ?? .max else { return nil }
        timer = first
        return first
    }

    fileprivate mutating func append(
        _ event: TraceEvent, at nanoseconds: UInt64, thread: UInt, limit: Int
    ) -> (TraceEvent, isKept: Bool) {
        var event = event
        event.sequence = events.count + 1
        event.time = .monotonic(nanoseconds)
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

    /// After a failed write nothing more is written, since a trace with a gap would be misread.
    fileprivate mutating func write(_ line: @autoclosure () -> [UInt8]) {
        guard let descriptor, failure == nil else { return }
        failure = FullWrite.write(line(), to: descriptor).failure
    }
}

extension TraceRecorder {
    struct Waiter {
        let id: Int
        /// The only task whose events are meant; nil: those of any.
        let task: Int?
        /// When its time is over, by ``MonotonicClock``.
        let end: UInt64
        let isMeant: @Sendable (TraceEvent) -> Bool
        let continuation: CheckedContinuation<TraceEvent?, Never>
    }

    /// The first matching event, among the events that were recorded or will be.
    ///
    /// Returns nil when the time is over or the task is cancelled.
    public func event(
        within limit: Duration, where isMeant: @escaping @Sendable (TraceEvent) -> Bool
    ) async -> TraceEvent? {
        await event(of: nil, within: limit, where: isMeant)
    }

    /// The first matching event of one task, recorded already or later; with the task nil, the first one of any task.
    ///
    /// Events of other tasks are not looked at. Returns nil when the time is over or the task is cancelled.
    package func event(
        of task: Int?, within limit: Duration, where isMeant: @escaping @Sendable (TraceEvent) -> Bool
    ) async -> TraceEvent? {
        let id = withState { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (end, isBeyond) = MonotonicClock.nanoseconds.addingReportingOverflow(limit.wholeNanoseconds)
                let waiter = Waiter(
                    id: id, task: task, end: isBeyond ? .max : end, isMeant: isMeant, continuation: continuation)
                let events = withState { state in
                    state.waiters.append(waiter)
                    // A list that is held while others append to it is copied as a whole.
                    return task.map { task in state.events.filter { $0.task == task } } ?? state.events
                }
                if let event = events.first(where: isMeant) { return finish(id, with: event) }
                if Task.isCancelled { return finish(id, with: nil) }
                let moment = withState { $0.nextTimer() }
                if let moment { setTimer(to: moment) }
            }
        } onCancel: {
            finish(id, with: nil)
        }
    }

    /// Returns when the load of a step has ended; false when the time is over or the task is cancelled.
    ///
    /// `end` is an instant of ``MonotonicClock``.
    package func waitForEnd(ofStep number: Int, before end: UInt64) async -> Bool {
        await event(within: .left(until: end)) { event in
            guard event.task == number, event.phase == .exit else { return false }
            return switch event.lane {
            case .task: event.name == .complete
            case .handler: event.name == .handler || event.name == .awaited
            default: false
            }
        } != nil
    }

    /// Only the caller that removes the waiter from the list resumes it.
    private func finish(_ id: Int, with event: TraceEvent?) {
        let waiter = withState { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: event)
    }

    private func setTimer(to moment: UInt64) {
        let distance = moment - min(moment, MonotonicClock.nanoseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: distance))) {
            self.wakeExpiredWaiters(at: moment)
        }
    }

    /// One timer serves all waiters, most of which wait until the same moment.
    private func wakeExpiredWaiters(at moment: UInt64) {
        let (expired, next) = withState { state in
            if state.timer == moment { state.timer = nil }
            let now = MonotonicClock.nanoseconds
            let expired = state.waiters.filter { $0.end <= now }
            state.waiters.removeAll { $0.end <= now }
            return (expired, state.nextTimer())
        }
        for waiter in expired { waiter.continuation.resume(returning: nil) }
        if let next { setTimer(to: next) }
    }

    func wakeWaiters(with event: TraceEvent) {
        let waiters = withState { $0.waiters.filter { $0.task == nil || $0.task == event.task } }
        for waiter in waiters where waiter.isMeant(event) {
            finish(waiter.id, with: event)
        }
    }
}

/// A callback whose beginning was recorded and whose return is recorded later.
package struct RecordedCallback: Sendable {
    /// The event of the beginning, with its sequence, time and thread.
    package let begin: TraceEvent
    private let recorder: TraceRecorder

    package init(_ event: TraceEvent, recordedBy recorder: TraceRecorder) {
        self.recorder = recorder
        begin = recorder.record(event)
    }

    package func returns() { recorder.recordReturn(of: begin) }
}

extension TraceRecorder {
    package func recordReturn(of event: TraceEvent) {
        var end = event
        end.phase = .exit
        end.facts = []
        record(end)
    }
}

/// Numbers objects by identity, and does not keep them alive.
struct ObjectNumbers {
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var next = 0
    /// Numbers for objects that are not yet visible, in the order in which these appear.
    private var expected: [Int] = []

    private struct Entry {
        /// nil when the object was released, so that its address may belong to another object.
        weak var object: AnyObject?
        let number: Int
    }

    mutating func number(of object: AnyObject) -> Int {
        if let entry = entries[ObjectIdentifier(object)], entry.object === object { return entry.number }
        let number = expected.isEmpty ? next : expected.removeFirst()
        assign(number, to: object)
        return number
    }

    /// Reserves a number for an object that does not exist yet.
    mutating func reserveNext() -> Int {
        defer { next += 1 }
        return next
    }

    /// The next unseen object has this reserved number.
    mutating func expect(_ number: Int) { expected.append(number) }

    /// The object with this number will not appear.
    mutating func withdraw(_ number: Int) { expected.removeAll { $0 == number } }

    mutating func assign(_ number: Int, to object: AnyObject) {
        entries[ObjectIdentifier(object)] = Entry(object: object, number: number)
        next = max(next, number + 1)
    }

    mutating func reserve(below number: Int) { next = max(next, number) }
}

/// Identifies threads while they live; their names are inherited, so they identify none.
package enum ThreadIdentity {
    package static var current: UInt {
        #if canImport(Darwin)
            unsafe UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}

/// The clock of the times in a trace.
package struct RecordingClock: Sendable {
    /// Nanoseconds since an arbitrary past moment.
    package let now: @Sendable () -> UInt64
    /// Equal for clocks that count from the same moment; nil when that is unknown.
    package let identity: String?

    package init(identity: String?, now: @escaping @Sendable () -> UInt64) {
        (self.identity, self.now) = (identity, now)
    }

    /// The clock of this machine, which a server on the same machine uses too.
    package static let system = RecordingClock(identity: MonotonicClock.identity) { MonotonicClock.nanoseconds }

    /// Whether another clock is this one, by a reading of the other taken between `start`, by this clock, and now.
    ///
    /// When one identity is unknown, only the reading decides: clocks that count from different moments have different
    /// readings.
    package func isSame(asOneThatReads nanoseconds: UInt64, identity other: String?, since start: UInt64) -> Bool {
        if let identity, let other, identity != other { return false }
        let end = now()
        return start <= nanoseconds && nanoseconds <= end
    }
}
