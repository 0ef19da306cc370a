public import ProctorBase
internal import ProctorLoop

/// Calls delegates one at a time and in order, on a thread of its own (R46).
public final class CallbackQueue: Sendable {
    /// The name of the queue in traces; queues with equal labels can't be distinguished there.
    package let label: String
    private let thread: EventLoop
    private let state = Locked(State())

    private struct State {
        var hasEnded = false
        /// Calls that wait for ``CallbackQueue/release(_:)``; nil while calls are made.
        var held: [@Sendable () -> Void]?
    }

    /// Starts the thread, which runs until ``stop()`` or until the queue is released.
    public init(label: String = "delegate") throws(CallFailure) {
        self.label = label
        thread = try EventLoop(name: label)
    }

    deinit { thread.stop() }

    /// Whether the caller runs on this queue.
    package var isCurrent: Bool { thread.isCurrent }

    /// Appends a call; any thread may call this, also a call that runs on this queue.
    ///
    /// Returns false when the queue has ended and the call was dropped.
    @discardableResult
    package func submit(_ call: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return false }
            if state.held == nil { thread.submit(call) } else { state.held?.append(call) }
            return true
        }
    }

    /// Returns when all calls that were added before have been made, or dropped.
    func waitForEarlierCalls() async {
        await withCheckedContinuation { waiter in
            let turn = QueueTurn(waiter)
            submit { withExtendedLifetime(turn) {} }
        }
    }

    /// Keeps later calls until ``release(_:)``, like a run loop that runs in another mode or not at all.
    package func suspend() { state.withLock { $0.held = $0.held ?? [] } }

    /// Makes the call `first`, then the calls that were kept.
    package func release(_ first: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard !state.hasEnded, let held = state.held else { return }
            state.held = nil
            for call in [first] + held { thread.submit(call) }
        }
    }

    /// Drops all later calls and the kept ones, makes the earlier ones, and then ends the thread; returns at once.
    ///
    /// Later calls reach no delegate: a session's questions get their default answers, and a load of NSURLConnection or
    /// NSURLDownload is cancelled. The queue keeps neither of them alive.
    public func stop() {
        let dropped = state.withLock { state in
            state.hasEnded = true
            thread.stop()
            defer { state.held = nil }
            return state.held
        }
        // Released outside of the lock: a call may hold the last reference to a user of the queue.
        _ = consume dropped
    }
}

/// Resumes a waiting task when the queue reaches its call, whether the call is made or dropped.
private final class QueueTurn: Sendable {
    private let waiter: CheckedContinuation<Void, Never>

    init(_ waiter: CheckedContinuation<Void, Never>) { self.waiter = waiter }

    deinit { waiter.resume() }
}

/// An event that happens once; any number of tasks can wait for it.
package final class OneShotEvent: Sendable {
    private let state = Locked(State())

    private struct State {
        var hasCome = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterCount = 0
    }

    package init() {}

    /// Makes the event happen; only the first call has an effect.
    package func come() {
        let waiters = state.withLock { state in
            state.hasCome = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the event has happened or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    guard !state.hasCome, !Task.isCancelled else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}

/// Passes on only the first answer of a delegate (R53).
final class FirstAnswer<Answer: Sendable>: Sendable {
    private let give: Locked<(@Sendable (Answer) -> Void)?>

    init(_ give: @escaping @Sendable (Answer) -> Void) { self.give = Locked(give) }

    func callAsFunction(_ answer: Answer) {
        let give = give.withLock { give in
            defer { give = nil }
            return give
        }
        give?(answer)
    }
}
