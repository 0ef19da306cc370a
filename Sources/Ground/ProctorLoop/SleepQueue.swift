internal import CUV
internal import ProctorBase
internal import Synchronization

#if !canImport(Darwin)
    internal import Glibc
#endif

/// All sleeps of a loop in the order of their ends, with one timer of the system; loop thread only.
@safe final class SleepQueue: WakeTimerOwner {
    private var sleepers = unsafe SleeperHeap<UnsafeContinuation<Bool, Never>>()
    private var timer: WakeTimer?
    /// The moment for which the timer is set; `.max` means never.
    private var armedEnd: UInt64 = .max

    /// Whether a sleep's end was past when it began; the loop calls ``wakeOverdue()`` after its next poll.
    private(set) var hasOverdue = false

    var isEmpty: Bool { unsafe sleepers.isEmpty }

    /// 1 from ``open(on:)`` to ``close()``: the timer is one of the loop's own handles.
    var handleCount: Int { timer == nil ? 0 : 1 }

    func open(on loop: EventLoop) throws(CallFailure) {
        timer = try WakeTimer(on: loop, owner: self)
    }

    func close() {
        timer?.close()
        timer = nil
    }

    func startSleep(_ sleeper: Sleeper, until end: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        unsafe sleepers.insert(sleeper, end: end, continuation)
        if end <= MonotonicClock.nanoseconds {
            hasOverdue = true
        } else if end < armedEnd {
            arm(end)
        }
    }

    /// Ends a sleep early; no effect on one that has ended.
    func cancel(_ sleeper: Sleeper) {
        // The timer is not changed: one needless firing costs less than two settings.
        if let continuation = unsafe sleepers.remove(sleeper) { unsafe continuation.resume(returning: false) }
    }

    /// Wakes all sleeps whose end has come, in the order of their ends.
    func wakeOverdue() {
        hasOverdue = false
        let now = MonotonicClock.nanoseconds
        while let continuation = unsafe sleepers.popFirst(until: now) { unsafe continuation.resume(returning: true) }
    }

    func timerFired() {
        wakeOverdue()
        // Also without a next sleep: setting the timer makes its descriptor unreadable again.
        arm(unsafe sleepers.firstEnd ?? .max)
    }

    private func arm(_ end: UInt64) {
        armedEnd = end
        timer?.set(end)
    }
}

/// One sleep of a task, the key to find it in ``SleeperHeap``; any thread may hold it.
final class Sleeper: Sendable {
    /// Its index in the heap; -1 if it is in none.
    ///
    /// Only the loop's thread uses the value, so the memory order is relaxed.
    private let place = Atomic(-1)

    fileprivate(set) var index: Int {
        get { place.load(ordering: .relaxed) }
        set { place.store(newValue, ordering: .relaxed) }
    }
}

/// A binary heap of sleeps, each of which knows its index, so that any of them can be removed.
///
/// Sleeps with equal ends are removed in the order in which they were inserted.
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

    /// `sleeper` must not be in a heap.
    mutating func insert(_ sleeper: Sleeper, end: UInt64, _ waiter: Waiter) {
        precondition(sleeper.index < 0, "a sleeper stands in a heap already")
        let entry = Entry(end: end, number: nextNumber, sleeper: sleeper, waiter: waiter)
        nextNumber &+= 1
        entries.append(entry)
        rise(entry, from: entries.count - 1)
    }

    /// Removes the sleep with the earliest end, if that is not after `now`.
    mutating func popFirst(until now: UInt64) -> Waiter? {
        guard let first = entries.first, first.end <= now else { return nil }
        return remove(first.sleeper)
    }

    /// nil if the sleep is not in this heap.
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
            setEntry(entries[parent], at: index)
            index = parent
        }
        setEntry(entry, at: index)
    }

    /// Moves an entry down from `place` to its position.
    private mutating func sink(_ entry: Entry, from place: Int) {
        var index = place
        while true {
            var child = index * 2 + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].comes(before: entries[child]) { child += 1 }
            guard entries[child].comes(before: entry) else { break }
            setEntry(entries[child], at: index)
            index = child
        }
        setEntry(entry, at: index)
    }

    private mutating func setEntry(_ entry: Entry, at index: Int) {
        entries[index] = entry
        entry.sleeper.index = index
    }
}

extension EventLoop {
    /// Suspends the task on this loop; returns false if cancellation woke it, which happens at once.
    ///
    /// The task never wakes early. It wakes late by the delay of the system and the loop, and a millisecond more on
    /// Darwin.
    @discardableResult
    package func sleep(for duration: Duration) async -> Bool {
        preconditionOnLoop()
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return await sleep(until: isNever ? .max : end)
    }

    /// Like ``sleep(for:)``, until a moment of ``MonotonicClock`` in nanoseconds; for regular intervals without drift.
    ///
    /// For a past moment it only lets other tasks run; `.max` means no end.
    @discardableResult
    package func sleep(until end: UInt64) async -> Bool {
        preconditionOnLoop()
        if Task.isCancelled { return false }
        let sleeper = Sleeper()
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                unsafe sleeps.startSleep(sleeper, until: end, continuation)
            }
        } onCancel: {
            submit { self.sleeps.cancel(sleeper) }
        }
    }
}

protocol WakeTimerOwner: AnyObject {
    /// Called at the moment or after it; once for each ``WakeTimer/set(_:)``.
    func timerFired()
}

#if canImport(Darwin)
    /// One moment at which the loop wakes, on libuv's clock of milliseconds; loop thread only.
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

        /// In MonotonicClock nanoseconds; `.max` means never.
        func set(_ end: UInt64) {
            self.end = end
            guard end != .max else {
                unsafe uv_timer_stop(timer)
                return
            }
            // libuv's time is that of the last poll.
            unsafe uv_update_time(loop)
            let now = MonotonicClock.nanoseconds
            let left = end > now ? end - now : 0
            unsafe uv_timer_start(timer, timeHasCome, left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1), 0)
        }

        func close() {
            unsafe closeHandle(timer)
        }

        fileprivate func fired() {
            // libuv truncates its clock to milliseconds, so it may fire nearly one millisecond early.
            if MonotonicClock.nanoseconds < end { set(end) } else { owner.timerFired() }
        }
    }

    private func timeHasCome(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
        guard let timer = unsafe timer, let data = unsafe timer.pointee.data else { return }
        unsafe Unmanaged<WakeTimer>.fromOpaque(data).takeUnretainedValue().fired()
        unsafe runWokenTasks(after: timer)
    }
#else
    /// One moment at which the loop wakes: a timerfd, the most precise timer of Linux; loop thread only.
    @safe final class WakeTimer: PollOwner {
        private unowned let owner: any WakeTimerOwner
        private let descriptor: Int32
        private var poll: PollHandle?

        init(on loop: EventLoop, owner: any WakeTimerOwner) throws(CallFailure) {
            self.owner = owner
            descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
            super.init()
            guard descriptor >= 0 else { throw .system("timerfd_create") }
            poll = try PollHandle(owning: descriptor, on: loop, owner: self)
            poll?.want(PollHandle.readable)
        }

        /// In MonotonicClock nanoseconds; `.max` means never.
        ///
        /// Setting the timer also makes its descriptor unreadable again, so no `read` is needed.
        func set(_ end: UInt64) {
            var moment = itimerspec()
            // A value of zero stops the timer.
            if end != .max {
                moment.it_value = timespec(
                    tv_sec: Int(end / 1_000_000_000), tv_nsec: max(1, Int(end % 1_000_000_000)))
            }
            unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &moment, nil)
        }

        override func becameReady(_ events: Int32, afterError: Bool) {
            owner.timerFired()
        }

        func close() {
            guard let poll = poll.take() else { return }
            poll.close()
            closeDescriptor(descriptor)
        }
    }
#endif
