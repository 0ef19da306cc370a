internal import CUV
internal import ProctorBase
internal import Synchronization

#if !canImport(Darwin)
    internal import Glibc
#endif

/// All sleeps of a loop in the order of their ends, over one timer of the system; loop thread only.
@safe final class SleepQueue: WakeTimerOwner {
    private var sleepers = unsafe SleeperHeap<UnsafeContinuation<Bool, Never>>()
    private var timer: WakeTimer?
    /// When the timer will fire; `.max` is never.
    private var armedEnd: UInt64 = .max

    /// A sleep ended before it began; the loop calls ``wakeOverdue()`` after its next poll.
    private(set) var hasOverdue = false

    var isEmpty: Bool { unsafe sleepers.isEmpty }

    /// 1 from ``open(on:)`` to ``close()``: it is the loop's own handle.
    var handleCount: Int { timer == nil ? 0 : 1 }

    func open(on loop: EventLoop) throws(CallFailure) {
        timer = try WakeTimer(on: loop, owner: self)
    }

    func close() {
        timer?.close()
        timer = nil
    }

    func begin(_ sleeper: Sleeper, until end: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        unsafe sleepers.insert(sleeper, end: end, continuation)
        if end <= MonotonicClock.nanoseconds {
            hasOverdue = true
        } else if end < armedEnd {
            arm(end)
        }
    }

    /// Ends a sleep early; no effect on one that has ended.
    func cancel(_ sleeper: Sleeper) {
        // The timer is not changed: one useless firing costs less than setting it twice.
        if let continuation = unsafe sleepers.remove(sleeper) { unsafe continuation.resume(returning: false) }
    }

    /// Wakes, in the order of their ends, all whose time is over.
    func wakeOverdue() {
        hasOverdue = false
        let now = MonotonicClock.nanoseconds
        while let continuation = unsafe sleepers.popFirst(until: now) { unsafe continuation.resume(returning: true) }
    }

    func timerFired() {
        wakeOverdue()
        // Also without a next end: setting the timer makes it unreadable again.
        arm(unsafe sleepers.firstEnd ?? .max)
    }

    private func arm(_ end: UInt64) {
        armedEnd = end
        timer?.set(end)
    }
}

/// One sleep of a task, by which ``SleeperHeap`` finds it; any thread may hold it.
final class Sleeper: Sendable {
    /// Its index in the heap; -1 outside.
    ///
    /// Only the loop's thread uses it, so the order is relaxed.
    private let place = Atomic(-1)

    fileprivate(set) var index: Int {
        get { place.load(ordering: .relaxed) }
        set { place.store(newValue, ordering: .relaxed) }
    }
}

/// A binary heap of sleeps that know their indices, so that any of them can be removed.
///
/// Sleeps with equal ends leave in the order in which they came.
struct SleeperHeap<Waiter> {
    private struct Entry {
        let end: UInt64
        let number: UInt64
        let sleeper: Sleeper
        let waiter: Waiter

        func comes(before other: Entry) -> Bool {
            end != other.end ? end < other.end : number < other.number
        }
    }

    private var entries: [Entry] = []
    private var nextNumber: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    var firstEnd: UInt64? { entries.first?.end }

    /// `sleeper` must stand in no heap.
    mutating func insert(_ sleeper: Sleeper, end: UInt64, _ waiter: Waiter) {
        precondition(sleeper.index < 0, "a sleeper stands in a heap already")
        let entry = Entry(end: end, number: nextNumber, sleeper: sleeper, waiter: waiter)
        nextNumber &+= 1
        entries.append(entry)
        rise(entry, from: entries.count - 1)
    }

    /// Removes the sleep with the first end, if that has come by `now`.
    mutating func popFirst(until now: UInt64) -> Waiter? {
        guard let first = entries.first, first.end <= now else { return nil }
        return remove(first.sleeper)
    }

    /// nil when the sleep is not in this heap.
    mutating func remove(_ sleeper: Sleeper) -> Waiter? {
        let index = sleeper.index
        guard index >= 0, index < entries.count, entries[index].sleeper === sleeper else { return nil }
        let waiter = entries[index].waiter
        sleeper.index = -1
        let last = entries.removeLast()
        if last.sleeper !== sleeper {
            if index > 0, last.comes(before: entries[(index - 1) / 2]) {
                rise(last, from: index)
            } else {
                sink(last, from: index)
            }
        }
        return waiter
    }

    /// Moves an entry up from `place` to its position.
    private mutating func rise(_ entry: Entry, from place: Int) {
        var index = place
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.comes(before: entries[parent]) else { break }
            put(entries[parent], at: index)
            index = parent
        }
        put(entry, at: index)
    }

    /// Moves an entry down from `place` to its position.
    private mutating func sink(_ entry: Entry, from place: Int) {
        var index = place
        while true {
            var child = index * 2 + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].comes(before: entries[child]) { child += 1 }
            guard entries[child].comes(before: entry) else { break }
            put(entries[child], at: index)
            index = child
        }
        put(entry, at: index)
    }

    private mutating func put(_ entry: Entry, at index: Int) {
        entries[index] = entry
        entry.sleeper.index = index
    }
}

extension EventLoop {
    /// Suspends the task on this loop; a cancelled task wakes at once.
    ///
    /// It never wakes early, and late by the delay of the system and the loop (a millisecond more on Darwin). Returns
    /// false when cancellation woke it.
    @discardableResult
    package func sleep(for duration: Duration) async -> Bool {
        preconditionOnLoop()
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return await sleep(until: isNever ? .max : end)
    }

    /// Like ``sleep(for:)``, until a moment of ``MonotonicClock`` in nanoseconds; for regular intervals without drift.
    ///
    /// A past moment only lets other tasks run; `.max` never comes.
    @discardableResult
    package func sleep(until end: UInt64) async -> Bool {
        preconditionOnLoop()
        if Task.isCancelled { return false }
        let sleeper = Sleeper()
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                unsafe sleeps.begin(sleeper, until: end, continuation)
            }
        } onCancel: {
            submit { self.sleeps.cancel(sleeper) }
        }
    }
}

protocol WakeTimerOwner: AnyObject {
    /// At the moment or after it; once for each ``WakeTimer/set(_:)``.
    func timerFired()
}

#if canImport(Darwin)
    /// One moment at which the loop wakes, by its clock of milliseconds; loop thread only.
    @safe final class WakeTimer {
        private unowned let owner: any WakeTimerOwner
        private let timer: UnsafeMutablePointer<uv_timer_t>
        private let loop: UnsafeMutablePointer<uv_loop_t>
        private var end: UInt64 = .max

        init(on loop: EventLoop, owner: any WakeTimerOwner) throws(CallFailure) {
            self.owner = owner
            unsafe self.loop = loop.uv
            unsafe timer = .allocate(capacity: 1)
            unsafe uv_timer_init(loop.uv, timer)
            unsafe timer.pointee.data = Unmanaged.passRetained(self).toOpaque()
        }

        /// In MonotonicClock nanoseconds; `.max` is never.
        func set(_ end: UInt64) {
            self.end = end
            guard end != .max else {
                unsafe uv_timer_stop(timer)
                return
            }
            // The loop's time may be as old as its last poll.
            unsafe uv_update_time(loop)
            let now = MonotonicClock.nanoseconds
            let left = end > now ? end - now : 0
            unsafe uv_timer_start(timer, timeHasCome, left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1), 0)
        }

        func close() {
            unsafe closeHandle(timer)
        }

        fileprivate func fired() {
            // libuv cuts its clock to milliseconds and so may fire nearly one early.
            if MonotonicClock.nanoseconds < end { set(end) } else { owner.timerFired() }
        }
    }

    private func timeHasCome(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
        guard let timer = unsafe timer, let data = unsafe timer.pointee.data else { return }
        unsafe Unmanaged<WakeTimer>.fromOpaque(data).takeUnretainedValue().fired()
        unsafe runWokenTasks(after: timer)
    }
#else
    /// One moment at which the loop wakes: a timerfd, whose clock is the system's finest; loop thread only.
    @safe final class WakeTimer: PollOwner {
        private unowned let owner: any WakeTimerOwner
        private let descriptor: Int32
        private var poll: PollHandle?

        init(on loop: EventLoop, owner: any WakeTimerOwner) throws(CallFailure) {
            self.owner = owner
            descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
            guard descriptor >= 0 else { throw .system("timerfd_create") }
            do throws(CallFailure) {
                poll = try PollHandle(descriptor: descriptor, on: loop, owner: self)
            } catch {
                closeDescriptor(descriptor)
                throw error
            }
            poll?.want(PollHandle.readable)
        }

        /// In MonotonicClock nanoseconds; `.max` is never.
        ///
        /// Setting it also makes it unreadable again, which saves the `read`.
        func set(_ end: UInt64) {
            var moment = itimerspec()
            // All zero is never.
            if end != .max {
                moment.it_value = timespec(
                    tv_sec: Int(end / 1_000_000_000), tv_nsec: max(1, Int(end % 1_000_000_000)))
            }
            unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &moment, nil)
        }

        func becameReady(_ events: Int32, afterError: Bool) {
            owner.timerFired()
        }

        func close() {
            guard let poll = poll.take() else { return }
            poll.close()
            closeDescriptor(descriptor)
        }
    }
#endif
