/// How much the transport holds and how long it waits.
struct TransportLimits: Sendable, Equatable {
    /// Connections to one origin at a time, those being opened included; who needs one more waits in line.
    var connectionsPerOrigin = 6
    /// Exchanges in line for one origin; one more is refused.
    var lineLength = 10_000
    /// Idle connections to all origins together; beyond it the one that idled longest is closed.
    var idleConnections = 16
    /// What a connection may idle; servers often close after a minute or less.
    var idleTime = Duration.seconds(30)
    /// What is read of the rest of a reply that nobody wants, in bytes, before the connection is closed instead.
    var drainByteCount = 65_536
    /// What that may take; not much more than a new connection would.
    var drainTime = Duration.milliseconds(300)
    /// How long a request with `Expect: 100-continue` waits before its content is sent all the same (RFC 9110 §10.1.1).
    var continueTime = Duration.seconds(1)
    /// How often a waiting exchange asks its host anew how long it may wait, since a load may be suspended meanwhile.
    var glanceTime = Duration.seconds(1)
}
