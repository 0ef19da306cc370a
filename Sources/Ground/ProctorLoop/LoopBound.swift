/// State that only the thread of one event loop reads and writes; the only such type in this package.
///
/// Any thread may create and pass the holder; the thread that releases the holder also releases the state. Debug builds
/// check every access, release builds check none. A value from the state that is not `Sendable` must also stay on the
/// loop's thread.
///
/// For Swift's exclusivity rule a ``value`` of a struct type is one variable: a mutating call on it must not lead to a
/// second access. State that calls other code while it changes must be a class without `Sendable`, held here.
@safe package final class LoopBound<State>: @unchecked Sendable {
    // Unchecked: the compiler can't see that only the loop's thread uses `state`; `value` checks it.
    @usableFromInline let boundLoop: EventLoop
    @usableFromInline var state: State

    package var loop: EventLoop { boundLoop }

    /// Any thread may call it.
    @inlinable package init(_ state: sending State, on loop: EventLoop) {
        boundLoop = loop
        self.state = state
    }

    /// On the loop's thread only.
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
    /// Traps in debug builds off the loop's thread while the loop runs.
    ///
    /// After the loop's end the last steps of its tasks run on other threads, one after the other.
    @inlinable package func assertOnLoop(_ access: StaticString = #function) {
        assert(isCurrent || !isRunning, "\(access) was used off its loop's thread")
    }
}
