/// State that only the thread of one event loop reads and writes: the one way to say so in this package.
///
/// The holder can be made and passed on any thread, and the state is released on the thread that releases the holder.
/// Every access is checked in debug builds and free of checks in release builds. What is taken out of the state and is
/// not `Sendable` stays on the loop's thread too.
///
/// A ``value`` of a struct type is one unit for Swift's exclusivity rule: a mutating call on it must not lead to a
/// second access. State that calls out while it changes is a class without `Sendable` that is held here.
@safe package final class LoopBound<State>: @unchecked Sendable {
    // Unchecked: the compiler can't see that `state` is only touched on the loop's thread; `value` checks it.
    @usableFromInline let boundLoop: EventLoop
    @usableFromInline var state: State

    /// The loop whose thread owns the state.
    package var loop: EventLoop { boundLoop }

    /// Takes the state over; callable on any thread.
    @inlinable package init(_ state: sending State, on loop: EventLoop) {
        boundLoop = loop
        self.state = state
    }

    /// The state; on the loop's thread only.
    @inlinable package var value: State {
        get {
            boundLoop.assertOnLoop()
            return state
        }
        _modify {
            boundLoop.assertOnLoop()
            yield &state
        }
    }
}

extension EventLoop {
    /// Traps in debug builds unless called on the loop's thread, or after the loop's end, when the last steps of its
    /// tasks run elsewhere, one after the other.
    @inlinable package func assertOnLoop(_ access: StaticString = #function) {
        assert(isCurrent || !isRunning, "\(access) was used off its loop's thread")
    }
}
