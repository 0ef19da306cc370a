/// Whoever has an exchange made: a load; loop thread only.
///
/// Where a tunnel has to be made an exchange asks for its request, and tells `tunnelOpened`; or `tunnelRefused`, after
/// which it asks what is wanted. Then it tells `bodySent`, `head`, `content` and at last exactly one of `replyEnded`, `drained` and `failed`;
/// after an abort it tells nothing more. After the final head and after each piece of content it asks what is wanted.
protocol ExchangeHost: AnyObject {
    /// Takes the event at once; what it leads to has happened when this returns.
    func take(_ event: LoadEvent)

    /// Waits until it is known what to do with what comes next of the reply.
    func nextStep() async -> ExchangeStep

    /// Waits for the answer to a handshake's question; nil when the exchange is not wanted any more.
    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer?

    /// Waits for the request that asks the proxy for a tunnel; nil when the exchange is not wanted any more.
    func tunnelRequest() async -> ClientRequest?

    /// Nanoseconds without activity after which the exchange is to fail as timed out; `.max`: never.
    ///
    /// To be asked again when a wait was too long: a suspended load lets no time run out.
    var idleLimit: UInt64 { get }
}

/// What to do with the rest of a reply.
enum ExchangeStep: Sendable, Equatable {
    case readOn, drain, abort
}
