internal import ProctorBase
internal import Synchronization

/// Finds loops whose thread spends long on one turn, from a thread of its own.
///
/// It checks four times within its bound while loops work, and sleeps while they do not; the first turn after that
/// wakes it. So nothing wakes an idle server, and a turn costs a few instructions.
package final class LoopWatch: Sendable {
    /// A loop that is within a turn.
    package struct BusyLoop: Sendable {
        /// The loop's position.
        package let loop: Int
        /// The time since the watch first saw the turn.
        package let nanoseconds: UInt64
        /// nil if the turn belongs to no request.
        package let request: LoopRequest?
    }

    /// Nanoseconds of one turn after which the function of ``start(watching:onHeld:)`` is called.
    private let bound: UInt64
    private let isDozing = Atomic(false)
    private let state = Monitor(State())

    private struct State {
        var loops: [EventLoop] = []
        var seen: [Seen] = []
        var onHeld: (@Sendable (BusyLoop) -> Void)?
        /// The next check, in nanoseconds of ``MonotonicClock``; nil while the watch sleeps.
        var nextLook: UInt64?
        /// Whether the next check is the last one before the watch sleeps.
        var isLastLook = false
        var thread: WorkerThread?
        var hasEnded = false
    }

    /// What the last check saw of a loop.
    private struct Seen {
        var turn: UInt64 = 0
        /// When this turn was first seen.
        var moment: UInt64 = 0
        /// How many checks saw this turn; a machine that stands still as a whole makes none.
        var count = 0
        var isReported = false
    }

    private static let looksInBound = 4

    package init(bound: Duration) { self.bound = bound.wholeNanoseconds }

    /// `onHeld` is called once for each turn that takes longer than the bound, on the watch's thread.
    package func start(watching loops: [EventLoop], onHeld: @escaping @Sendable (BusyLoop) -> Void) {
        state.withLock { state in
            state.loops = loops
            state.seen = Array(repeating: Seen(), count: loops.count)
            state.onHeld = onHeld
        }
        isDozing.store(true, ordering: .relaxed)
    }

    /// Releases the loops, and waits until the watch's thread has ended.
    package func stop() {
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

    /// The loops that are within a turn now.
    package var present: [BusyLoop] {
        let now = MonotonicClock.nanoseconds
        return state.withLock { state in
            state.loops.indices.compactMap { index in
                let turn = state.loops[index].work.presentTurn
                guard turn & 1 == 1 else { return nil }
                let since = state.seen[index].turn == turn ? state.seen[index].moment : now
                return BusyLoop(
                    loop: index, nanoseconds: now &- since, request: state.loops[index].work.request(inTurn: turn))
            }
        }
    }

    /// Whether the watch will check again without being woken.
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
        // If the system gives no thread, the next turn after a sleep tries again.
        let thread = WorkerThread { [self] in run() }
        let isOver = state.withLock { state in
            if !state.hasEnded { state.thread = thread }
            return state.hasEnded
        }
        // The watch was stopped meanwhile; the thread ends by itself.
        if isOver { thread?.detach() }
    }

    // MARK: The thread

    private func run() {
        while let check = state.wait({ checkLoops(&$0) }) {
            for held in check.held { check.onHeld(held) }
        }
    }

    /// Checks all loops; `done(nil)` means that the watch has stopped.
    private func checkLoops(_ state: inout State)
        -> Monitor<State>.Look<(held: [BusyLoop], onHeld: @Sendable (BusyLoop) -> Void)?>
    {
        guard !state.hasEnded, let onHeld = state.onHeld else { return .done(nil) }
        guard let moment = state.nextLook else { return .wait() }
        let now = MonotonicClock.nanoseconds
        guard now >= moment else { return .wait(until: moment) }
        var held: [BusyLoop] = []
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
                BusyLoop(loop: index, nanoseconds: spent, request: state.loops[index].work.request(inTurn: turn)))
        }
        // A turn that begins at this moment may not see that it must wake the watch, so one more check follows.
        state.nextLook = isActive || !state.isLastLook ? now &+ bound / UInt64(Self.looksInBound) : nil
        if state.nextLook == nil { for loop in state.loops { loop.work.forget() } }
        state.isLastLook = !isActive
        isDozing.store(!isActive, ordering: .relaxed)
        return held.isEmpty ? .wait(until: state.nextLook) : .done((held, onHeld))
    }
}
