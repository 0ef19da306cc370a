internal import Dispatch
internal import Foundation
internal import ProctorBase

/// A thread that runs its run loop all the time, as the client thread of a loading system does (R48), and owns a value.
///
/// Other threads reach the value by jobs, which run on the thread, in order, each in a later turn of the
/// run loop than the one in which it was posted. Nothing here waits for the thread: a URLProtocol may block it for ever.
final class ClientThread<Owned>: Sendable {
    private let activity: RunLoopActivity
    /// Called on the thread whenever its run loop comes round.
    private let everyTurn: @Sendable (Owned) -> Void
    private let state = Locked(State())

    private struct State {
        var jobs: [@Sendable (Owned) -> Void] = []
        var owned: Handover<Owned>?
        var thread: UInt?
        var isEnded = false
    }

    /// How often the run loop comes round when nothing else happens.
    private static var interval: Duration { .milliseconds(5) }

    init(_ activity: RunLoopActivity, everyTurn: @escaping @Sendable (Owned) -> Void) {
        self.activity = activity
        self.everyTurn = everyTurn
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

    /// From any thread; jobs to a thread that has ended are dropped.
    func post(_ job: @escaping @Sendable (Owned) -> Void) {
        let isOwn = state.withLock { state in
            if !state.isEnded { state.jobs.append(job) }
            return state.thread == ThreadIdentity.current
        }
        // A job of another thread waits for the next beat instead: a run loop may only be touched from its own thread.
        if isOwn { RunLoop.current.perform { self.turn() } }
    }

    /// Posts later; only from the thread itself.
    func post(after delay: Duration, _ job: @escaping @Sendable (Owned) -> Void) {
        let moment = Date(timeIntervalSinceNow: Double(delay.wholeNanoseconds) / 1e9)
        // Foundation on Linux fires a timer that is made with an interval only at once.
        let timer = Timer(fire: moment, interval: 0, repeats: false) { _ in self.post(job) }
        RunLoop.current.add(timer, forMode: .default)
    }

    /// The thread goes away when its run loop comes round next.
    func end() { state.withLock { $0.isEnded = true } }

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

    /// What a job posts is for the next turn.
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
