/// Whoever has an exchange made: a load; loop thread only.
///
/// An exchange tells it `bodySent`, `head`, `content` and then exactly one of `replyEnded`, `drained` and `failed`;
/// after an abort it tells nothing more. After the final head and after each piece of content it asks what is wanted.
protocol ExchangeHost: AnyObject {
    /// Takes the event at once; what it leads to has happened when this returns.
    func take(_ event: LoadEvent)

    /// Waits until it is known what to do with what comes next of the reply.
    func nextStep() async -> ExchangeStep

    /// Waits for the answer to a handshake's question; nil when the exchange is not wanted any more.
    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer?

    /// Nanoseconds without activity after which the exchange is to fail as timed out; `.max`: never.
    ///
    /// To be asked again when a wait was too long: a suspended load lets no time run out.
    var idleLimit: UInt64 { get }
}

/// What to do with the rest of a reply.
enum ExchangeStep: Sendable, Equatable {
    case readOn, drain, abort
}
