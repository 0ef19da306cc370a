public import ProctorBase
internal import ProctorLoop

/// Calls delegates one at a time and in order, on a thread of its own (R46).
public final class CallbackQueue: Sendable {
    /// Equal for equal queues; traces name it.
    public let label: String
    private let thread: EventLoop

    /// Starts the thread, which runs until ``end()``, or until nobody holds the queue.
    public init(label: String = "delegate") throws(CallFailure) {
        self.label = label
        thread = try EventLoop(name: label)
    }

    deinit { thread.stop() }

    /// Whether the caller was called by this queue.
    public var isCurrent: Bool { thread.isCurrent }

    /// From any thread; also from within a call of this queue, and then it comes after that.
    public func submit(_ call: @escaping @Sendable () -> Void) { thread.submit(call) }

    /// Ends the thread when the calls so far are made; later ones are dropped.
    public func end() { thread.stop() }
}
