internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorRecorder

/// A thread that always runs its run loop, like the client thread of a loading system (R48), and owns a value.
///
/// Other threads use the value in jobs, which run in order, each in a later turn of the run loop. No method waits for
/// the thread, since a URLProtocol may block it for ever.
final class ClientThread<Owned>: Sendable {
    private let activity: RunLoopActivity
    /// Called on the thread at each turn of the run loop.
    private let everyTurn: @Sendable (Owned) -> Void
    private let state = Locked(State())

    private struct State {
        var jobs: [@Sendable (Owned) -> Void] = []
        var owned: Handover<Owned>?
        var thread: UInt?
        var isEnded = false
    }

    /// The time between turns when the run loop has no other work.
    private static var interval: Duration { .milliseconds(5) }

    init(_ activity: RunLoopActivity, everyTurn: @escaping @Sendable (Owned) -> Void) {
        (self.activity, self.everyTurn) = (activity, everyTurn)
    }

    /// `make` runs on the new thread.
    func start(_ make: @escaping @Sendable () -> Owned) {
        Thread.detachNewThread {
            let owned = Handover(value: make())
            self.state.withLock { state in
                state.owned = owned
                state.thread = ThreadIdentity.current
            }
            self.activity.turn()
            self.run()
            self.state.withLock { state in
                state.owned = nil
                state.thread = nil
                state.jobs = []
            }
        }
    }

    /// Any thread may call it; jobs for an ended thread are dropped.
    func post(_ job: @escaping @Sendable (Owned) -> Void) {
        let isOwn = state.withLock { state in
            if !state.isEnded { state.jobs.append(job) }
            return state.thread == ThreadIdentity.current
        }
        // A job from another thread waits for the next timer, since a run loop may only be used on its own thread.
        if isOwn { RunLoop.current.perform { self.turn() } }
    }

    /// Only on the thread itself.
    func post(after delay: Duration, _ job: @escaping @Sendable (Owned) -> Void) {
        let moment = Date(timeIntervalSinceNow: Double(delay.wholeNanoseconds) / 1e9)
        // On Linux, a timer that is made with a time interval fires at once.
        let timer = Timer(fire: moment, interval: 0, repeats: false) { _ in self.post(job) }
        RunLoop.current.add(timer, forMode: .default)
    }

    /// Ends the thread at its next turn.
    func stop() { state.withLock { $0.isEnded = true } }

    private func run() {
        let seconds = Double(Self.interval.wholeNanoseconds) / 1e9
        let beat = Timer(timeInterval: seconds, repeats: true) { _ in self.turn() }
        RunLoop.current.add(beat, forMode: .default)
        while !state.withLock({ $0.isEnded }) {
            #if canImport(Darwin)
                autoreleasepool { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: seconds)) }
            #else
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: seconds))
            #endif
        }
        beat.invalidate()
    }

    /// Jobs that a job posts run in the next turn.
    private func turn() {
        activity.turn()
        let (owned, count) = state.withLock { ($0.owned, $0.jobs.count) }
        guard let owned else { return }
        for _ in 0..<count {
            guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { break }
            job(owned.value)
        }
        everyTurn(owned.value)
    }
}

/// A thread that finds when another thread's run loop is blocked, and when the deadline is over.
final class RunLoopWatch: Sendable {
    private let activity: RunLoopActivity
    private let deadline: UInt64
    private let isOver = DispatchSemaphore(value: 0)

    private static var interval: DispatchTimeInterval {
        .nanoseconds(Int(clamping: RunLoopActivity.lookInterval.wholeNanoseconds))
    }

    init(of activity: RunLoopActivity, deadline: Duration) {
        self.activity = activity
        self.deadline = MonotonicClock.nanoseconds &+ deadline.wholeNanoseconds
    }

    /// Watches until ``stop()`` or the deadline; both functions are called on its thread, `late` at most once.
    func start(silence: @escaping @Sendable (Int) -> Void, late: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while self.isOver.wait(timeout: .now() + Self.interval) == .timedOut {
                for milliseconds in self.activity.checkSilences() { silence(milliseconds) }
                guard MonotonicClock.nanoseconds < self.deadline else { return late() }
            }
        }
    }

    /// Any thread may call it, any number of times.
    func stop() { isOver.signal() }
}

/// Refers to an object without keeping it alive.
struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object?) { self.object = object }
}
