internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

// Callbacks that name no task.
extension SessionRecorder {
    /// `sessionInvalid`, the last of a session (R43).
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        let failure = ErrorFacts(error)
        let call = desk.enter(
            .sessionInvalid, failure.name, in: session, method: "urlSession(_:didBecomeInvalidWithError:)",
            facts: failure.facts)
        defer { call.returns() }
        user?.becameInvalid(session, error)
    }

    /// `challenge` in lane `session`, answered by the step that runs; kinds that belong to a connection come here (R18).
    ///
    /// Where the program has no say it is not recorded.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if user == nil, let role = roles.current, role.step?.onChallenge.isEmpty == true {
            let standard = roles.certificates.standardAnswer(to: challenge)
            return completionHandler(standard.disposition, standard.credential)
        }
        let facts = ChallengeFacts(challenge, scope: "session")
        let call = desk.enter(
            .challenge, facts.kind, in: session, method: "urlSession(_:didReceive:completionHandler:)",
            facts: facts.facts)
        defer { call.returns() }
        let role = roles.current ?? TaskRole(number: 0, family: .US)
        let answering = Answering(recorder: recorder, role: role)
        let noting = answering.notingChallenge(completionHandler)
        if user?.challenged(session, challenge, noting) == true { return }
        guard let script = role.nextChallengeAnswer() else { return noting(.performDefaultHandling, nil) }
        answering.answerChallenge(challenge, of: nil, script, as: roles.certificates, completionHandler)
    }

    #if canImport(Darwin)
        /// `backgroundEventsDone`.
        public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            let call = desk.enter(
                .backgroundEventsDone, in: session, method: "urlSessionDidFinishEvents(forBackgroundURLSession:)")
            defer { call.returns() }
            user?.finishedBackgroundEvents(session)
        }
    #endif
}
