internal import ProctorBase

/// When the requests of a connection began, in MonotonicClock nanoseconds.
///
/// A request begins at the latest moment at which its client may have made it up: when its first byte is seen, be it read
/// or only found waiting with the system. The first request of a connection begins when that is opened, since it is opened
/// for it. What was replied later the client need not have known. On the loop's thread only.
struct RequestArrival {
    /// Of the current request; nil: not seen yet, or just now.
    private var first: UInt64?
    /// When the connection was opened; nil behind its first request.
    private var opening: UInt64?
    /// When bytes of the current request were found waiting with the system.
    private var waiting: UInt64?
    /// When bytes behind the current request were.
    private var waitingNext: UInt64?
    /// When the bytes were read that the connection keeps.
    private var pending: UInt64 = 0

    init(opening: UInt64) {
        self.opening = opening
    }

    /// Bytes behind the current request were read.
    mutating func didKeep(at moment: UInt64) { pending = min(moment, waitingNext ?? waiting ?? moment) }

    /// The first byte of the request was read.
    mutating func begin(at moment: UInt64) { first = first ?? moment }

    /// The first byte of the request is one of those that were kept.
    mutating func beginWithKept() { begin(at: pending) }

    /// The system holds unread bytes of the current request or, with `isNext`, of the one behind it.
    mutating func didFindWaiting(isNext: Bool, at moment: UInt64) {
        if isNext { waitingNext = waitingNext ?? moment } else { waiting = waiting ?? moment }
    }

    /// Whether the connection has had none before.
    var isFirst: Bool { opening != nil }

    /// When the current request began, as seen at `moment`.
    func began(at moment: UInt64) -> UInt64 { min(first ?? moment, opening ?? .max, waiting ?? .max) }

    /// The request is over.
    mutating func end() {
        first = nil
        opening = nil
        waiting = waitingNext
        waitingNext = nil
    }
}
