internal import CUV
public import ProctorBase

/// Unix signals as events on a loop, in place of their default action.
@safe public final class SignalSource: Sendable {
    private let events: EventSource<Int32>
    private let handles: LoopBound<[UnsafeMutablePointer<uv_signal_t>]>

    /// Begins to catch the signals; loop thread only.
    public init(_ signals: [Int32], on loop: EventLoop) throws(CallFailure) {
        loop.preconditionOnLoop()
        events = EventSource(loop: loop)
        unsafe handles = unsafe LoopBound([], on: loop)
        do throws(CallFailure) {
            for signal in signals { try begin(signal) }
        } catch {
            close()
            throw error
        }
    }

    private func begin(_ signal: Int32) throws(CallFailure) {
        let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
        let code = unsafe uv_signal_init(events.loop.uv, handle)
        guard code == 0 else {
            unsafe handle.deallocate()
            return try check(code, "uv_signal_init")
        }
        unsafe handle.pointee.data = Unmanaged.passRetained(events).toOpaque()
        unsafe handles.value.append(handle)
        try check(unsafe uv_signal_start(handle, signalArrived, signal), "catch signal \(signal)")
    }

    /// The number of the next signal; nil after ``close()`` or when the task is cancelled.
    public func next() async -> Int32? {
        await events.next()
    }

    /// Gives the signals their default action back; loop thread only.
    public func close() {
        events.loop.preconditionOnLoop()
        while let handle = unsafe handles.value.popLast() {
            unsafe uv_close(
                UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self), releaseClosedHandle)
        }
        events.finish()
    }
}

private func signalArrived(_ handle: UnsafeMutablePointer<uv_signal_t>?, signal: Int32) {
    guard let data = unsafe handle?.pointee.data else { return }
    unsafe Unmanaged<EventSource<Int32>>.fromOpaque(data).takeUnretainedValue().deliver(signal)
}
