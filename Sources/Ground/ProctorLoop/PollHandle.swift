internal import CUV
internal import ProctorBase

/// A `uv_poll_t` over a descriptor.
///
/// The handle's memory and one reference to its owner live until libuv has closed the handle. Loop thread only.
@safe struct PollHandle: ~Copyable {
    private let handle: UnsafeMutablePointer<uv_poll_t>
    private var interest: Int32 = 0

    static let readable = Int32(UV_READABLE.rawValue)
    static let writable = Int32(UV_WRITABLE.rawValue)
    static let disconnect = Int32(UV_DISCONNECT.rawValue)

    init(descriptor: Int32, on loop: EventLoop, owner: PollOwner) throws(CallFailure) {
        unsafe handle = .allocate(capacity: 1)
        let code = unsafe uv_poll_init(loop.uv, handle, descriptor)
        if code < 0 {
            unsafe handle.deallocate()
            try check(code, "uv_poll_init")
        }
        unsafe handle.pointee.data = unsafe Unmanaged.passRetained(owner).toOpaque()
    }

    /// Closes the descriptor after a failure.
    init(owning descriptor: Int32, on loop: EventLoop, owner: PollOwner) throws(CallFailure) {
        do throws(CallFailure) {
            try self.init(descriptor: descriptor, on: loop, owner: owner)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    /// Adds events to wait for; epoll or kqueue is called only after a change.
    mutating func want(_ events: Int32) {
        guard interest & events != events else { return }
        set(interest | events)
    }

    mutating func dropInterest(in events: Int32) {
        guard interest & events != 0 else { return }
        set(interest & ~events)
    }

    /// Called after libuv has stopped the handle itself, as it does after an error on the descriptor.
    mutating func wasStopped() {
        interest = 0
    }

    private mutating func set(_ events: Int32) {
        interest = events
        if events == 0 {
            unsafe uv_poll_stop(handle)
        } else {
            unsafe uv_poll_start(handle, events, descriptorIsReady)
        }
    }

    /// Ends polling; the descriptor may be closed directly afterwards.
    consuming func close() {
        unsafe closeHandle(handle)
    }
}

/// Called when a descriptor is ready; libuv keeps a reference until the handle is closed.
///
/// A class and no protocol, so that the C handle points to the object itself.
package class PollOwner {
    init() {}

    /// `events` are the ready ones; after an error they are all events, and libuv has stopped polling.
    func becameReady(_ events: Int32, afterError: Bool) { preconditionFailure("a subclass is told") }
}

private func descriptorIsReady(_ handle: UnsafeMutablePointer<uv_poll_t>?, status: Int32, events: Int32) {
    guard let handle = unsafe handle, let data = unsafe handle.pointee.data else { return }
    if let loop = unsafe handle.pointee.loop.pointee.data {
        unsafe Unmanaged<EventLoop>.fromOpaque(loop)._withUnsafeGuaranteedRef { $0.beginTurn() }
    }
    let owner = unsafe Unmanaged<PollOwner>.fromOpaque(data).takeUnretainedValue()
    if status < 0 {
        owner.becameReady(PollHandle.readable | PollHandle.writable | PollHandle.disconnect, afterError: true)
    } else {
        owner.becameReady(events, afterError: false)
    }
}

/// Turns libuv's negative result into a failure that names the call.
func check(_ result: Int32, _ call: @autoclosure () -> String) throws(CallFailure) {
    guard result < 0 else { return }
    throw CallFailure(
        call: call(), code: result, text: unsafe uv_strerror(result).map { unsafe String(cString: $0) } ?? "")
}

/// Closes a handle of any kind; its memory and the object in its `data` are released after the close.
func closeHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
    unsafe uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self), releaseClosedHandle)
}

/// libuv frees no memory itself: that of a handle must live until `uv_close` calls this function.
private func releaseClosedHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle = unsafe handle else { return }
    if let data = unsafe handle.pointee.data {
        unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
    }
    unsafe UnsafeMutableRawPointer(handle).deallocate()
}
