public import ProctorHTTP

/// What the server bounds; each bound that is hit is named in the refusal or the journal.
public struct ServerLimits: Sendable {
    /// Parts of one request, in bytes.
    public var request: RequestLimits
    /// Connections of one listening address on one loop; a further one is answered with 503.
    public var connectionCount: Int
    /// Time for a handshake of TLS, but for the making of a certificate.
    public var handshakeDuration: Duration
    /// Time from the first byte of a head to its end.
    public var headDuration: Duration
    /// Time a kept-alive connection may be silent between requests.
    public var idleDuration: Duration
    /// Time without any progress while a body is read or a reply is written.
    public var progressDuration: Duration
    /// The longest a `stall` lasts.
    public var stallDuration: Duration
    /// How long a reply waits for an event that the client is to report, where its fixture says nothing.
    public var awaitDuration: Duration
    /// The same for a client of which nothing was heard yet and nothing promised.
    public var unreportedAwaitDuration: Duration
    /// How long `close` and `reset` wait until the peer has received what was sent.
    public var settleDuration: Duration
    /// How long a closing connection waits for what the peer still sends, so that it gets our last bytes.
    public var lingerDuration: Duration
    /// How long that may go on with a peer that sends all the time.
    public var wholeLingerDuration: Duration
    /// Bytes read and dropped while a connection closes.
    public var lingerByteCount: Int
    /// The first bytes of a request's content that are kept for matching and the journal.
    public var keptBodyByteCount: Int
    /// Bytes of a reply's content when it is coded; beyond memory they stand in a temporary file.
    public var codedByteCount: Int
    /// For each run.
    public var journal: Journal.Limits
    /// For each scenario of the shared port, which is kept for looking, not for judging.
    public var standingJournal: Journal.Limits
    /// Runs at a time.
    public var runCount: Int

    /// Bounds that no honest client of a test meets.
    public init() {
        request = RequestLimits()
        connectionCount = 20_000
        handshakeDuration = .seconds(10)
        headDuration = .seconds(20)
        idleDuration = .seconds(75)
        progressDuration = .seconds(60)
        stallDuration = .seconds(60)
        awaitDuration = .seconds(10)
        unreportedAwaitDuration = .milliseconds(100)
        settleDuration = .seconds(2)
        lingerDuration = .seconds(2)
        wholeLingerDuration = .seconds(30)
        lingerByteCount = 64 << 20
        keptBodyByteCount = 1 << 20
        codedByteCount = 4 << 30
        journal = Journal.Limits()
        standingJournal = Journal.Limits(entryCount: 1_000, byteCount: 4 << 20)
        runCount = 4_096
    }
}
