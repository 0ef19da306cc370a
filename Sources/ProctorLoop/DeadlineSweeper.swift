internal import CUV
internal import ProctorBase

/// Ends waits that took too long, for all sockets of a loop by one coarse timer.
///
/// A timer for each wait would cost more than the wait. A deadline is noticed at most ``interval`` milliseconds late.
/// Loop thread only.
@safe final class DeadlineSweeper {
    private var sockets: [Socket] = []
    private var timer: UnsafeMutablePointer<uv_timer_t>?

    /// Milliseconds between two looks.
    static let interval: UInt64 = 50

    func add(_ socket: Socket) {
        socket.sweeperIndex = sockets.count
        sockets.append(socket)
        if sockets.count == 1 { start(on: socket.loop) }
    }

    func remove(_ socket: Socket) {
        let index = socket.sweeperIndex
        guard index >= 0, index < sockets.count, sockets[index] === socket else { return }
        socket.sweeperIndex = -1
        let last = sockets.removeLast()
        if last !== socket {
            sockets[index] = last
            last.sweeperIndex = index
        }
        if sockets.isEmpty, let timer = unsafe timer { unsafe uv_timer_stop(timer) }
    }

    /// 1 once a timer was needed: it is the loop's own handle.
    var handleCount: Int { unsafe timer == nil ? 0 : 1 }

    func close() {
        guard let timer = unsafe timer else { return }
        unsafe self.timer = nil
        unsafe uv_close(UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self), releaseClosedHandle)
    }

    fileprivate func sweep() {
        let now = MonotonicClock.nanoseconds
        // Backwards, because a woken socket may remove itself and put the last one in its place.
        for index in sockets.indices.reversed() where sockets[index].nextDeadline <= now {
            sockets[index].wakeOverdue(now)
        }
    }

    private func start(on loop: EventLoop) {
        if unsafe timer == nil {
            let new = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
            unsafe uv_timer_init(loop.uv, new)
            unsafe new.pointee.data = Unmanaged.passRetained(self).toOpaque()
            // The timer alone must not keep a stopping loop alive.
            unsafe uv_unref(UnsafeMutableRawPointer(new).assumingMemoryBound(to: uv_handle_t.self))
            unsafe timer = new
        }
        if let timer = unsafe timer { unsafe uv_timer_start(timer, sweepIsDue, Self.interval, Self.interval) }
    }
}

private func sweepIsDue(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
    guard let data = unsafe timer?.pointee.data else { return }
    unsafe Unmanaged<DeadlineSweeper>.fromOpaque(data).takeUnretainedValue().sweep()
}
