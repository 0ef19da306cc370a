internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Where the answers to a script's challenges arrive; whatever they are, the script goes on as it is written.
final class ScriptedSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    private let player: ScriptPlayer

    init(_ player: ScriptPlayer) { self.player = player }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) { player.answered() }
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { player.answered() }
    func cancel(_ challenge: URLAuthenticationChallenge) { player.answered() }
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { player.answered() }
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { player.answered() }
}
