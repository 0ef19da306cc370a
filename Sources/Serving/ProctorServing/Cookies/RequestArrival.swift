internal import ProctorBase

/// When the requests of a connection began, in MonotonicClock nanoseconds.
///
/// A request begins at the latest time at which its client may have made it: when its first byte is read or found
/// waiting in the system. The first request begins when the connection is opened. On the loop's thread only.
package struct RequestArrival {
    /// For the current request; nil: no byte was read.
    @Moment private var first: UInt64?
    /// When the connection was opened; nil after its first request.
    @Moment private var opening: UInt64?
    /// When bytes of the current request were found waiting in the system.
    @Moment private var waiting: UInt64?
    /// When bytes after the current request were found waiting.
    @Moment private var waitingNext: UInt64?
    /// Whether bytes were read since some were found waiting.
    private var hasRead = false
    /// Bytes from the first byte of the connection to the last that was read; counted for HTTP/2 only.
    private var readByteCount = 0
    /// Where the bytes that were found waiting end at the latest, counted as `readByteCount`.
    private var waitingEnd = 0
    /// How many requests before the current one on its connection of HTTP/1.1 had no whole reply when its first byte is
    /// known to have been there (RFC 9112 §9.3.2).
    private(set) var behind = 0
    /// How many requests are over since the kept bytes were read; nil: none were kept.
    private var overSinceKept: Int?
    /// When the kept bytes were read.
    private var pending: UInt64 = 0

    package init(opening: UInt64) {
        self.opening = opening
    }

    mutating func didKeep(at moment: UInt64) {
        pending = min(moment, waitingNext ?? waiting ?? moment)
        overSinceKept = 0
    }

    mutating func start(at moment: UInt64) { first = first ?? moment }

    mutating func beginWithKept() {
        start(at: pending)
        // What was read before the first request waits for none.
        if !isFirst { behind = max(behind, overSinceKept ?? 0) }
    }

    /// Notes unread bytes in the system, of the current request or, with `isNext`, of the next one.
    ///
    /// They are at most `byteCount`, which tells in HTTP/2 what was not among them.
    mutating func didFindWaiting(isNext: Bool, byteCount: Int = .max, at moment: UInt64) {
        hasRead = false
        let end = readByteCount.addingReportingOverflow(byteCount)
        waitingEnd = max(waitingEnd, end.overflow ? .max : end.partialValue)
        if isNext { waitingNext = waitingNext ?? moment } else { waiting = waiting ?? moment }
    }

    var isFirst: Bool { opening != nil }

    /// When the current request began, as known at `moment`.
    func began(at moment: UInt64) -> UInt64 { min(first ?? moment, opening ?? .max, waiting ?? .max) }

    // MARK: HTTP/2

    /// When the request began whose field block began at `moment`, `offset` bytes behind the first byte of the
    /// connection, of several that may have been found waiting.
    package mutating func takeStream(at moment: UInt64, offset: Int) -> RequestArrival {
        if offset >= waitingEnd { forgetWaiting() }
        var arrival = self
        arrival.first = moment
        opening = nil
        return arrival
    }

    package mutating func didRead(_ byteCount: Int) {
        hasRead = true
        readByteCount &+= byteCount
    }

    /// All that had come was read, up to the end of a frame: the next request was not among what was found waiting.
    package mutating func didReadAll() {
        guard hasRead else { return }
        forgetWaiting()
    }

    private mutating func forgetWaiting() {
        waiting = nil
        waitingNext = nil
        waitingEnd = 0
    }

    /// Whether ``didReadAll()`` would change something.
    package var hasWaiting: Bool { waiting != nil || waitingNext != nil }

    // MARK: HTTP/1.1

    mutating func reset() {
        first = nil
        opening = nil
        behind = waitingNext == nil ? 0 : 1
        if let count = overSinceKept { overSinceKept = count + 1 }
        waiting = waitingNext
        waitingNext = nil
    }
}

/// A moment of MonotonicClock in nanoseconds, or nil, in one word: each connection that waits holds several.
@propertyWrapper private struct Moment {
    private var word = UInt64.max

    var wrappedValue: UInt64? {
        get { word == .max ? nil : word }
        set { word = newValue ?? .max }
    }
}
