/// The tasks that wait for a socket: at most one of each kind, each with its own deadline.
@safe struct SocketWaits {
    enum Kind {
        /// Bytes or the peer's end.
        case reading
        /// Room in the send queue.
        case writing
        /// The peer's end only.
        case leaving
    }

    enum Outcome {
        case ready, timedOut, cancelled
    }

    @unsafe private struct Waiter {
        let continuation: UnsafeContinuation<Outcome, Never>
        /// MonotonicClock nanoseconds; `.max` is never.
        let deadline: UInt64
    }

    private var reader: Waiter?
    private var writer: Waiter?
    private var leaver: Waiter?
    /// When the first of the waits is overdue, in MonotonicClock nanoseconds; `.max` is never.
    private(set) var nextDeadline: UInt64 = .max

    mutating func begin(_ kind: Kind, until deadline: UInt64, _ continuation: UnsafeContinuation<Outcome, Never>) {
        let waiter = unsafe Waiter(continuation: continuation, deadline: deadline)
        switch kind {
        case .reading: unsafe Self.occupy(&reader, waiter)
        case .writing: unsafe Self.occupy(&writer, waiter)
        case .leaving: unsafe Self.occupy(&leaver, waiter)
        }
        nextDeadline = min(nextDeadline, deadline)
    }

    /// Returns whether a task was waiting.
    @discardableResult
    mutating func wake(_ kind: Kind, _ outcome: Outcome = .ready) -> Bool {
        let didWake =
            switch kind {
            case .reading: unsafe Self.end(&reader, outcome)
            case .writing: unsafe Self.end(&writer, outcome)
            case .leaving: unsafe Self.end(&leaver, outcome)
            }
        if didWake { findNextDeadline() }
        return didWake
    }

    mutating func wakeAll(_ outcome: Outcome) {
        wake(.reading, outcome)
        wake(.writing, outcome)
        wake(.leaving, outcome)
    }

    /// Ends as timed out whatever should have ended by `now`.
    mutating func wakeOverdue(_ now: UInt64) {
        if let reader = unsafe reader, unsafe reader.deadline <= now { wake(.reading, .timedOut) }
        if let writer = unsafe writer, unsafe writer.deadline <= now { wake(.writing, .timedOut) }
        if let leaver = unsafe leaver, unsafe leaver.deadline <= now { wake(.leaving, .timedOut) }
    }

    private mutating func findNextDeadline() {
        nextDeadline = unsafe min(reader?.deadline ?? .max, writer?.deadline ?? .max, leaver?.deadline ?? .max)
    }

    private static func occupy(_ place: inout Waiter?, _ waiter: Waiter) {
        precondition(unsafe place == nil, "two tasks wait for the same thing of one socket")
        unsafe place = waiter
    }

    private static func end(_ place: inout Waiter?, _ outcome: Outcome) -> Bool {
        guard let waiter = unsafe place else { return false }
        unsafe place = nil
        unsafe waiter.continuation.resume(returning: outcome)
        return true
    }
}
