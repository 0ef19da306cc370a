internal import ProctorBase
internal import Synchronization

/// All sleeps of a loop in the order of their ends, over one timer of the system's; loop thread only.
@safe final class SleepQueue: WakeTimerOwner {
    private var sleepers = unsafe SleeperHeap<UnsafeContinuation<Bool, Never>>()
    private var timer: WakeTimer?
    /// When the timer will fire; `.max` is never.
    private var armedEnd: UInt64 = .max

    /// A sleep was over before it began; the loop calls ``wakeOverdue()`` after its next poll.
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

    /// Ends a sleep before its time; of no effect on one that has ended.
    func cancel(_ sleeper: Sleeper) {
        // The timer stays as it is: firing once in vain is cheaper than being set twice.
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
        // Also where there is no next end: being set is what makes the timer forget that it fired.
        arm(unsafe sleepers.firstEnd ?? .max)
    }

    private func arm(_ end: UInt64) {
        armedEnd = end
        timer?.set(end)
    }
}

/// One sleep of a task, by which it can be taken out of the ``SleeperHeap``; any thread may hold it.
final class Sleeper: Sendable {
    /// Where it stands in the heap; -1 outside.
    ///
    /// The loop's thread alone reads and writes it, so the order is relaxed.
    private let place = Atomic(-1)

    fileprivate(set) var index: Int {
        get { place.load(ordering: .relaxed) }
        set { place.store(newValue, ordering: .relaxed) }
    }
}

/// A binary heap of sleeps that know their places, so that one in the middle can be taken out.
///
/// Sleeps with equal ends leave in the order in which they came.
struct SleeperHeap<Waiter> {
    private struct Entry {
        let end: UInt64
        let number: UInt64
        let sleeper: Sleeper
        /// What the sleep is for.
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

    /// Takes out the sleep whose end is the first, if it has come by `now`.
    mutating func popFirst(until now: UInt64) -> Waiter? {
        guard let first = entries.first, first.end <= now else { return nil }
        return remove(first.sleeper)
    }

    /// Takes one sleep out; nil when it stands here no more.
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

    /// Puts an entry where it belongs between `place` and the top.
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

    /// Puts an entry where it belongs between `place` and the leaves.
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
    /// Never early, and late by what the system and the loop's other work take (a millisecond more on Darwin). Returns
    /// false when it was woken by cancellation.
    @discardableResult
    public func sleep(for duration: Duration) async -> Bool {
        preconditionOnLoop()
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return await sleep(until: isNever ? .max : end)
    }

    /// As ``sleep(for:)``, to a moment of ``MonotonicClock`` in nanoseconds; for what must not drift.
    ///
    /// A moment that has passed only lets others have their turn; `.max` never comes.
    @discardableResult
    public func sleep(until end: UInt64) async -> Bool {
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
