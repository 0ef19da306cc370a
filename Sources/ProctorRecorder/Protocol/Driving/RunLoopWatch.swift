internal import Dispatch
internal import Foundation
internal import ProctorBase

/// When a thread ran its run loop last: shows from outside whether it still does.
final class RunLoopActivity: Sendable {
    /// In nanoseconds.
    private let threshold: UInt64
    private let state: Locked<State>

    private struct State {
        var lastTurn: UInt64
        /// Looks from outside since the last turn.
        var looks = 0
        var isBlocked = false
        /// Silences that are over, in nanoseconds.
        var silences: [UInt64] = []

        mutating func turn(_ now: UInt64) {
            if isBlocked { silences.append(now &- lastTurn) }
            lastTurn = now
            looks = 0
            isBlocked = false
        }
    }

    /// A silence counts only when it was seen so often: on a crowded machine the watch is late too.
    private static let fewestLooks = 3

    init(threshold: Duration, at now: UInt64 = MonotonicClock.nanoseconds) {
        self.threshold = threshold.wholeNanoseconds
        state = Locked(State(lastTurn: now))
    }

    /// By the thread itself, whenever its run loop comes round.
    func turn(at now: UInt64 = MonotonicClock.nanoseconds) {
        state.withLock { $0.turn(now) }
    }

    /// By the watch, at regular times; returns the milliseconds of silences that ended since the last look.
    func look(at now: UInt64 = MonotonicClock.nanoseconds) -> [Int] {
        state.withLock { state in
            state.looks += 1
            if state.looks >= Self.fewestLooks, now > state.lastTurn, now &- state.lastTurn > threshold {
                state.isBlocked = true
            }
            return Self.take(&state)
        }
    }

    /// At the end, from any thread: a silence that still lasts counts as over.
    func finish(at now: UInt64 = MonotonicClock.nanoseconds) -> [Int] {
        state.withLock { state in
            if state.isBlocked { state.turn(now) }
            return Self.take(&state)
        }
    }

    private static func take(_ state: inout State) -> [Int] {
        defer { state.silences = [] }
        return state.silences.map { Int($0 / 1_000_000) }
    }
}

/// A thread that watches another one: sees when its run loop stands still, and when the time is over.
final class RunLoopWatch: Sendable {
    private let activity: RunLoopActivity
    private let deadline: UInt64
    private let isOver = DispatchSemaphore(value: 0)

    private static var interval: DispatchTimeInterval { .milliseconds(20) }

    init(of activity: RunLoopActivity, deadline: Duration) {
        self.activity = activity
        self.deadline = MonotonicClock.nanoseconds &+ deadline.wholeNanoseconds
    }

    /// Looks on until ``end()`` or the deadline; both functions are called on its thread, `late` at most once.
    func start(silence: @escaping @Sendable (Int) -> Void, late: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while self.isOver.wait(timeout: .now() + Self.interval) == .timedOut {
                for milliseconds in self.activity.look() { silence(milliseconds) }
                guard MonotonicClock.nanoseconds < self.deadline else { return late() }
            }
        }
    }

    /// From any thread, any number of times.
    func end() { isOver.signal() }
}
