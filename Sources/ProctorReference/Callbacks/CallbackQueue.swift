public import ProctorBase
internal import ProctorLoop

/// Calls delegates one at a time and in order, on a thread of its own (R46).
public final class CallbackQueue: Sendable {
    /// Equal for equal queues; traces name it.
    public let label: String
    private let thread: EventLoop
    private let hasEnded = Locked(false)

    /// Starts the thread, which runs until ``end()`` or until the queue is released.
    public init(label: String = "delegate") throws(CallFailure) {
        self.label = label
        thread = try EventLoop(name: label)
    }

    deinit { thread.stop() }

    /// Whether the caller was called by this queue.
    public var isCurrent: Bool { thread.isCurrent }

    /// From any thread; also from within a call of this queue, and then it comes after that.
    ///
    /// Returns false once the queue has been ended: the call is dropped.
    @discardableResult
    public func submit(_ call: @escaping @Sendable () -> Void) -> Bool {
        hasEnded.withLock { hasEnded in
            if !hasEnded { thread.submit(call) }
            return !hasEnded
        }
    }

    /// Makes the calls that were submitted before, drops all later ones, and ends the thread; returns at once.
    ///
    /// Calls that are made here later reach no delegate. A session's questions get the answers that they have
    /// without a delegate; a load of the old kind is cancelled. Neither is kept any longer for it.
    public func end() {
        hasEnded.withLock { hasEnded in
            hasEnded = true
            thread.stop()
        }
    }
}
