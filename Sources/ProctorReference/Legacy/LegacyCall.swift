/// A call that delegates of all loads of the old kind know.
package enum LegacyCall: Sendable, Equatable {
    case shouldUseCredentialStorage
    /// Canonical form without a response, else a redirect.
    case willSend(ClientRequest, redirectResponse: LoadResponse?)
    case canAuthenticate(LoadChallenge)
    /// By the old method or the new one, as the delegate has it.
    case challenge(LoadChallenge)
    case challengeCancelled(LoadChallenge)
}
