internal import CUV
internal import ProctorBase

/// Turns libuv's negative result into a failure that names the call.
func check(_ result: Int32, _ call: @autoclosure () -> String) throws(CallFailure) {
    guard result < 0 else { return }
    throw CallFailure(
        call: call(), code: result, text: unsafe uv_strerror(result).map { unsafe String(cString: $0) } ?? "")
}

/// libuv frees nothing by itself: the memory of a handle must outlive `uv_close`, which ends in this callback.
func releaseClosedHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle = unsafe handle else { return }
    if let data = unsafe handle.pointee.data {
        unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
    }
    unsafe UnsafeMutableRawPointer(handle).deallocate()
}
