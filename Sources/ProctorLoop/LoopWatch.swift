internal import ProctorBase
internal import Synchronization

/// Finds loops whose thread works at one thing for long, from a thread of its own.
///
/// It looks four times within its bound while loops do something, and sleeps while they do nothing: the first turn after that
/// wakes it. So an idle server is woken by nothing, and a turn costs a few instructions.
package final class LoopWatch: Sendable {
    /// A loop that works at one thing.
    package struct Held: Sendable {
        /// The loop's position.
        package let loop: Int
        /// As far as it was seen.
        package let nanoseconds: UInt64
        /// Nil where it is no request.
        package let request: LoopRequest?
    }

    /// Nanoseconds after which ``begin(watching:onHeld:)``'s function is called.
    private let bound: UInt64
    private let isDozing = Atomic(false)
    private let state = Monitor(State())

    private struct State {
        var loops: [EventLoop] = []
        var seen: [Seen] = []
        var onHeld: (@Sendable (Held) -> Void)?
        /// Nanoseconds of ``MonotonicClock``; nil while it sleeps.
        var nextLook: UInt64?
        /// Whether only the last look before the sleep is left.
        var isLastLook = false
        var thread: WorkerThread?
        var hasEnded = false
    }

    /// What the last look has seen of a loop.
    private struct Seen {
        var turn: UInt64 = 0
        /// When this turn was first seen.
        var moment: UInt64 = 0
        /// Looks at this turn; where the whole machine stands still, there are none.
        var count = 0
        var isReported = false
    }

    private static let looksInBound = 4

    package init(bound: Duration) { self.bound = bound.wholeNanoseconds }

    /// `onHeld` is called once for each turn that takes longer than the bound, on the watch's thread.
    package func begin(watching loops: [EventLoop], onHeld: @escaping @Sendable (Held) -> Void) {
        state.withLock { state in
            state.loops = loops
            state.seen = Array(repeating: Seen(), count: loops.count)
            state.onHeld = onHeld
        }
        isDozing.store(true, ordering: .relaxed)
    }

    /// Forgets the loops, and waits until its thread has ended.
    package func end() {
        isDozing.store(false, ordering: .relaxed)
        let thread = state.withLock { state in
            state.hasEnded = true
            state.loops = []
            state.onHeld = nil
            defer { state.thread = nil }
            return state.thread
        }
        state.wakeAll()
        thread?.join()
    }

    /// What loops work at now, with what is known about it.
    package var present: [Held] {
        let now = MonotonicClock.nanoseconds
        return state.withLock { state in
            state.loops.indices.compactMap { index in
                let turn = state.loops[index].work.presentTurn
                guard turn & 1 == 1 else { return nil }
                let since = state.seen[index].turn == turn ? state.seen[index].moment : now
                return Held(
                    loop: index, nanoseconds: now &- since, request: state.loops[index].work.request(inTurn: turn))
            }
        }
    }

    /// Whether it will look again without being woken.
    var isAwake: Bool { state.withLock { $0.nextLook != nil } }

    /// A loop has begun a turn.
    @inline(__always)
    func noteTurn() { if isDozing.load(ordering: .relaxed) { wake() } }

    @inline(never)
    private func wake() {
        guard isDozing.exchange(false, ordering: .relaxed) else { return }
        let needsThread = state.withLock { state in
            state.nextLook = MonotonicClock.nanoseconds &+ bound / UInt64(Self.looksInBound)
            state.isLastLook = false
            return state.thread == nil && !state.hasEnded
        }
        guard needsThread else { return state.wakeAll() }
        // Where the system gives no thread, nothing is watched until the next turn after a sleep.
        let thread = WorkerThread { [self] in run() }
        let isOver = state.withLock { state in
            if !state.hasEnded { state.thread = thread }
            return state.hasEnded
        }
        // Ended meanwhile: the thread finds that out itself.
        if isOver { thread?.detach() }
    }

    // MARK: The thread

    private func run() {
        while let found = state.wait({ look(&$0) }) {
            for held in found.held { found.onHeld(held) }
        }
    }

    /// What a look has found; nil at the end.
    private func look(_ state: inout State) -> Monitor<State>.Look<(held: [Held], onHeld: @Sendable (Held) -> Void)?> {
        guard !state.hasEnded, let onHeld = state.onHeld else { return .done(nil) }
        guard let moment = state.nextLook else { return .wait() }
        let now = MonotonicClock.nanoseconds
        guard now >= moment else { return .wait(until: moment) }
        var held: [Held] = []
        var isActive = false
        for index in state.loops.indices {
            let turn = state.loops[index].work.presentTurn
            if turn != state.seen[index].turn {
                state.seen[index] = Seen(turn: turn, moment: now)
                isActive = true
            }
            guard turn & 1 == 1 else { continue }
            isActive = true
            state.seen[index].count += 1
            let spent = now &- state.seen[index].moment
            guard !state.seen[index].isReported, state.seen[index].count > Self.looksInBound, spent >= bound else {
                continue
            }
            state.seen[index].isReported = true
            held.append(
                Held(loop: index, nanoseconds: spent, request: state.loops[index].work.request(inTurn: turn)))
        }
        // A turn that begins while this is decided may not see that it is to wake the watch, so there is a last look.
        state.nextLook = isActive || !state.isLastLook ? now &+ bound / UInt64(Self.looksInBound) : nil
        state.isLastLook = !isActive
        isDozing.store(!isActive, ordering: .relaxed)
        return held.isEmpty ? .wait(until: state.nextLook) : .done((held, onHeld))
    }
}
