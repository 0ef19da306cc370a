internal import CUV
internal import ProctorBase

/// What waits for a socket: at most one task or ``InputReader`` of each kind, each with its own deadline.
@safe struct SocketWaits {
    enum Kind {
        case reading
        /// Waits for room in the send queue.
        case writing
    }

    enum Outcome {
        case ready, timedOut, cancelled

        /// nil: it is ready.
        var error: SocketError? {
            switch self {
            case .ready: nil
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            }
        }
    }

    @unsafe enum Sleeper {
        case task(UnsafeContinuation<Outcome, Never>)
        case reader(any InputReader)
    }

    @unsafe private struct Waiter {
        let sleeper: Sleeper
        /// In MonotonicClock nanoseconds; `.max` means none.
        var deadline: UInt64
    }

    private var reader: Waiter?
    private var writer: Waiter?
    /// The earliest deadline in MonotonicClock nanoseconds; `.max` means none.
    private(set) var nextDeadline: UInt64 = .max

    mutating func startWaiting(_ kind: Kind, until deadline: UInt64, _ sleeper: Sleeper) {
        let waiter = unsafe Waiter(sleeper: sleeper, deadline: deadline)
        switch kind {
        case .reading: unsafe Self.occupy(&reader, waiter)
        case .writing: unsafe Self.occupy(&writer, waiter)
        }
        nextDeadline = min(nextDeadline, deadline)
    }

    var isReading: Bool { unsafe reader != nil }

    /// What waits for input without a task.
    var inputReader: (any InputReader)? {
        guard let sleeper = unsafe reader?.sleeper, case .reader(let reader) = unsafe sleeper else { return nil }
        return reader
    }

    /// No effect if no task waits to read.
    mutating func extendReading(until deadline: UInt64) {
        unsafe reader?.deadline = deadline
        findNextDeadline()
    }

    @discardableResult
    mutating func wake(_ kind: Kind, _ outcome: Outcome = .ready) -> Bool {
        let didWake =
            switch kind {
            case .reading: unsafe Self.resumeWaiter(&reader, outcome)
            case .writing: unsafe Self.resumeWaiter(&writer, outcome)
            }
        if didWake { findNextDeadline() }
        return didWake
    }

    mutating func wakeAll(_ outcome: Outcome) {
        wake(.reading, outcome)
        wake(.writing, outcome)
    }

    /// Ends every wait whose deadline is before `now`, as timed out.
    mutating func wakeOverdue(_ now: UInt64) {
        if let reader = unsafe reader, unsafe reader.deadline <= now { wake(.reading, .timedOut) }
        if let writer = unsafe writer, unsafe writer.deadline <= now { wake(.writing, .timedOut) }
    }

    private mutating func findNextDeadline() {
        nextDeadline = unsafe min(reader?.deadline ?? .max, writer?.deadline ?? .max)
    }

    private static func occupy(_ place: inout Waiter?, _ waiter: Waiter) {
        precondition(unsafe place == nil, "two tasks wait for the same thing of one socket")
        unsafe place = waiter
    }

    private static func resumeWaiter(_ place: inout Waiter?, _ outcome: Outcome) -> Bool {
        guard let waiter = unsafe place else { return false }
        unsafe place = nil
        switch unsafe waiter.sleeper {
        case .task(let continuation): unsafe continuation.resume(returning: outcome)
        case .reader(let reader): reader.inputWaitEnded(outcome.error)
        }
        return true
    }
}

/// Ends overdue waits of all sockets of a loop with one coarse timer.
///
/// A timer for each wait would cost more than the wait. The sweeper notices a deadline at most ``interval``
/// milliseconds late, and sets no timer while no deadline is near. Loop thread only.
@safe final class DeadlineSweeper {
    private var sockets: [Socket] = []
    private var timer: UnsafeMutablePointer<uv_timer_t>?
    /// The next check in MonotonicClock nanoseconds, before which no wait ends; `.max` means none.
    private var nextCheck: UInt64 = .max

    /// The fewest milliseconds between two checks.
    static let interval: UInt64 = 50

    func add(_ socket: Socket) {
        socket.sweeperIndex = sockets.count
        sockets.append(socket)
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
        guard sockets.isEmpty, let timer = unsafe timer else { return }
        unsafe uv_timer_stop(timer)
        nextCheck = .max
    }

    /// Called when a wait of one of the loop's sockets begins; most waits end after the next check.
    func expect(_ deadline: UInt64, on loop: EventLoop) {
        if deadline < nextCheck { arm(deadline, on: loop) }
    }

    /// 1 after the first use of the timer, which is one of the loop's own handles.
    var handleCount: Int { unsafe timer == nil ? 0 : 1 }

    func close() {
        guard let timer = unsafe timer else { return }
        unsafe self.timer = nil
        unsafe closeHandle(timer)
    }

    fileprivate func sweep() {
        let now = MonotonicClock.nanoseconds
        var next = UInt64.max
        var loop: EventLoop?
        // Backwards, because a woken socket may remove itself, and the last socket takes its place.
        for index in sockets.indices.reversed() {
            let socket = sockets[index]
            if socket.nextDeadline <= now { socket.wakeOverdue(now) }
            next = min(next, socket.nextDeadline)
            loop = socket.loop
        }
        nextCheck = .max
        if let loop, next != .max { arm(next, on: loop) }
    }

    @inline(never)
    private func arm(_ deadline: UInt64, on loop: EventLoop) {
        nextCheck = deadline
        let now = MonotonicClock.nanoseconds
        // The timer counts from the loop's last poll, so it may fire early; then nothing is overdue and it is set
        // again.
        let milliseconds = deadline > now ? (deadline - now) / 1_000_000 + 1 : 0
        let timer = unsafe timer ?? makeTimer(on: loop)
        unsafe uv_timer_start(timer, sweepIsDue, max(milliseconds, Self.interval), 0)
    }

    private func makeTimer(on loop: EventLoop) -> UnsafeMutablePointer<uv_timer_t> {
        let new = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        unsafe uv_timer_init(loop.uv, new)
        unsafe new.pointee.data = Unmanaged.passRetained(self).toOpaque()
        // The timer alone must not keep a stopping loop alive.
        unsafe uv_unref(UnsafeMutableRawPointer(new).assumingMemoryBound(to: uv_handle_t.self))
        unsafe timer = new
        return unsafe new
    }
}

private func sweepIsDue(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
    guard let timer = unsafe timer, let data = unsafe timer.pointee.data else { return }
    unsafe Unmanaged<DeadlineSweeper>.fromOpaque(data).takeUnretainedValue().sweep()
    unsafe runWokenTasks(after: timer)
}
