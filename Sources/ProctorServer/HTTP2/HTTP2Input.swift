internal import ProctorHTTP2

/// Where the reading of one connection stands; times are in MonotonicClock nanoseconds.
struct HTTP2Input {
    var reader = FrameReader(expectsPreface: true)
    /// When the first byte of the present frame was read.
    var frameMoment: UInt64 = 0
    /// When the request of the present field block began; nil where none does.
    var blockArrival: RequestArrival?
    /// When the client must have acknowledged our SETTINGS.
    var settingsDeadline: UInt64 = .max
    /// When the bounds against floods began to count.
    var floodsBegan: UInt64 = 0
    /// What the last frame meant; empty between two frames.
    var events: [ConnectionEvent] = []
    /// Whether the client has sent FIN; what it asked before is answered.
    var hasEnded = false

    /// Nanoseconds after which the bounds against floods count anew.
    static let floodInterval: UInt64 = 60_000_000_000

    /// Gives back what is not needed while the connection waits.
    mutating func trim() { events = [] }
}
