internal import ProctorHTTP
internal import ProctorRecorder
package import ProctorReference
internal import ProctorTrace

/// A delegate of an old shape that writes every callback down and answers as its step says.
package protocol LegacyRecording: LegacyDelegate {
    /// Where it writes.
    var record: LegacyRecord { get }
}

extension LegacyRecording {
    /// As the record has them.
    package var challengeMethods: LegacyChallengeMethods { record.challengeMethods }

    /// `askCredStore`; answered with yes, as by a delegate that does not have the method.
    package func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool {
        record.enter(.askCredStore, method: "ShouldUseCredentialStorage:", facts: [EventFact(.accepts, .flag(true))])
            .returns()
        return true
    }

    /// `canonicalize`, which is always accepted, or `redirect`.
    package func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse response: LoadResponse?
    ) -> ClientRequest? {
        let method = ":willSendRequest:redirectResponse:"
        guard let response else {
            record.enter(.canonicalize, method: method, facts: .proposed(request)).returns()
            return request
        }
        let facts = ReplyFacts(response)
        let call = record.enter(
            .redirect, facts.status, method: method, facts: facts.facts.appending(.proposed(request)))
        defer { call.returns() }
        guard !call.isCancelled else { return nil }
        return record.answer(orElse: nil) { record.step.answerRedirect(proposed: request, $0) }
    }

    /// `askCanAuth`; yes, as the program has a say in challenges.
    package func load(_ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace) -> Bool {
        record.enter(
            .askCanAuth, space.kind, method: ":canAuthenticateAgainstProtectionSpace:",
            facts: [
                EventFact(.realm, .text(space.realm)), EventFact(.host, .text(space.origin.host)),
                EventFact(.port, .integer(space.origin.port)), EventFact(.accepts, .flag(true)),
            ]
        ).returns()
        return true
    }

    /// `challenge`, under the name of the method that the delegate has (R19).
    package func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        let facts = ChallengeFacts(challenge.challenge, scope: nil)
        let call = record.enter(
            .challenge, facts.kind,
            method: record.challengeMethods == .newMethod
                ? ":willSendRequestForAuthenticationChallenge:" : ":didReceiveAuthenticationChallenge:",
            facts: facts.facts)
        defer { call.returns() }
        guard !call.isCancelled else { return }
        if !record.step.answerChallenge({ challenge.answer($0) }) { challenge.performDefaultHandling() }
    }

    /// `challengeCancelled`.
    package func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge) {
        let facts = ChallengeFacts(challenge, scope: nil)
        record.enter(
            .challengeCancelled, facts.kind, method: ":didCancelAuthenticationChallenge:", facts: facts.facts
        ).returns()
    }

    /// `complete` with the name of an error.
    func recordFailure(_ error: LoadError) {
        let facts = FailureFacts(error)
        record.step.ended(with: error)
        record.enter(.complete, facts.name, method: ":didFailWithError:", facts: facts.facts).returns()
    }
}
