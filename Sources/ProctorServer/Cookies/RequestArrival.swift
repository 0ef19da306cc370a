internal import ProctorBase

/// When the requests of a connection began, in MonotonicClock nanoseconds.
///
/// A request begins at the latest time at which its client may have made it: when its first byte is read or found
/// waiting in the system. The first request begins when the connection is opened. On the loop's thread only.
struct RequestArrival {
    /// For the current request; nil: no byte was read.
    private var first: UInt64?
    /// When the connection was opened; nil after its first request.
    private var opening: UInt64?
    /// When bytes of the current request were found waiting in the system.
    private var waiting: UInt64?
    /// When bytes after the current request were found waiting.
    private var waitingNext: UInt64?
    /// Whether bytes were read since some were found waiting.
    private var hasRead = false
    /// When the kept bytes were read.
    private var pending: UInt64 = 0

    init(opening: UInt64) {
        self.opening = opening
    }

    mutating func didKeep(at moment: UInt64) { pending = min(moment, waitingNext ?? waiting ?? moment) }

    mutating func begin(at moment: UInt64) { first = first ?? moment }

    mutating func beginWithKept() { begin(at: pending) }

    /// Notes unread bytes in the system, of the current request or, with `isNext`, of the next one.
    mutating func didFindWaiting(isNext: Bool, at moment: UInt64) {
        hasRead = false
        if isNext { waitingNext = waitingNext ?? moment } else { waiting = waiting ?? moment }
    }

    var isFirst: Bool { opening != nil }

    /// When the current request began, as known at `moment`.
    func began(at moment: UInt64) -> UInt64 { min(first ?? moment, opening ?? .max, waiting ?? .max) }

    // MARK: HTTP/2

    /// When the request began whose field block began at `moment`, of several that may have been found waiting.
    mutating func takeStream(at moment: UInt64) -> RequestArrival {
        var arrival = self
        arrival.first = moment
        opening = nil
        return arrival
    }

    mutating func didRead() { hasRead = true }

    /// All that had come was read, up to the end of a frame: the next request was not among what was found waiting.
    mutating func didReadAll() {
        guard hasRead else { return }
        waiting = nil
        waitingNext = nil
    }

    /// Whether ``didReadAll()`` would change something.
    var hasWaiting: Bool { waiting != nil || waitingNext != nil }

    // MARK: HTTP/1.1

    mutating func end() {
        first = nil
        opening = nil
        waiting = waitingNext
        waitingNext = nil
    }
}
