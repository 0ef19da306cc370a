/// The owner of a transfer, a load; loop thread only.
///
/// For a tunnel the transfer asks for the CONNECT request, then sends the event `tunnelOpened`, or `tunnelRefused` and
/// asks for the next step. The events `bodySent`, `head` and `content` follow, and finally exactly one of `replyEnded`,
/// `drained` and `failed`; after an abort no event follows. After the final head and after each piece of content the
/// transfer asks for the next step.
protocol TransferHost: AnyObject, Sendable {
    /// Handles the event completely before it returns.
    func handle(_ event: LoadEvent)

    /// Waits for the decision about the rest of the reply.
    func nextStep() async -> TransferStep

    /// Waits for the answer to a handshake's question; nil when the transfer is no longer needed.
    func handshakeAnswer(to challenge: LoadChallenge) async -> HandshakeAnswer?

    /// Waits for the CONNECT request; nil when the transfer is no longer needed.
    func tunnelRequest() async -> ClientRequest?

    /// Keeps the connection of a drained reply for the host's next transfer, if it belongs to that; nil: it is lost.
    func holdConnection(_ connection: PooledConnection?) -> HeldConnection

    /// The connection that the host keeps; the caller then owns it.
    func takeHeldConnection() -> PooledConnection?

    /// Nanoseconds without activity after which the transfer fails; `.max`: no limit.
    ///
    /// Read again during a wait, since a load may be suspended.
    var idleLimit: UInt64 { get }
}

enum TransferStep: Sendable, Equatable {
    case readOn, drain, abort
}
