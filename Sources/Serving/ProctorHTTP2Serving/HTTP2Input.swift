internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorServing

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
    /// Bytes that were read, and whose turn comes behind other connections.
    private(set) var held: [UInt8] = []
    /// When they were read.
    private var heldMoment: UInt64 = 0
    /// Frames that are taken before others get the loop.
    private(set) var turnRest = HTTP2Input.framesOfFirstTurn
    /// Whether the next turn goes on with what the last one has left.
    private var goesOn = false
    /// Whether what came before the connection spoke HTTP/2 is held, and nothing was taken yet.
    var isNew = false
    /// Whether the client has sent FIN; what it asked before is answered.
    var hasEnded = false

    /// Nanoseconds after which the bounds against floods count anew.
    static let floodInterval: UInt64 = 60_000_000_000

    /// Frames that are taken as soon as they come: more than most clients send at once.
    private static let framesOfFirstTurn = 16
    /// Frames of each turn behind others.
    private static let framesOfLaterTurn = 64

    /// Gives back what is not needed while the connection waits.
    mutating func trim() { events = [] }

    /// Bytes were read just now, with which a frame may begin.
    mutating func beginReading(at moment: UInt64) { if reader.isBetweenFrames { frameMoment = moment } }

    // MARK: Turns

    mutating func beginTurn() { turnRest = goesOn ? Self.framesOfLaterTurn : Self.framesOfFirstTurn }

    /// A frame counts once, and one with a long field block as often as it costs about as much.
    mutating func didTakeFrame(_ read: ReadFrame) {
        turnRest -= 1
        if read.frame.hasFieldBlock { turnRest -= read.payloadByteCount >> 5 }
    }

    var isTurnOver: Bool { turnRest <= 0 }

    /// Bytes that are read at once: less where more comes than a turn takes, so that little is held.
    var readLimit: Int { goesOn ? 16 << 10 : .max }

    /// The next turn comes behind other connections.
    mutating func endTurn() { goesOn = true }

    /// All that has come was taken.
    mutating func didTakeAll() { goesOn = false }

    /// Keeps what a turn has left.
    mutating func store(_ bytes: [UInt8], readAt moment: UInt64) { (held, heldMoment) = (bytes, moment) }

    /// The bytes that are held, and when they were read.
    mutating func takeHeld() -> (bytes: [UInt8], moment: UInt64) {
        defer { held = [] }
        return (held, heldMoment)
    }
}
