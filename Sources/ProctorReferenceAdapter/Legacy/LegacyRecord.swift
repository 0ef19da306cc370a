internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// What the recording delegates of the old shapes write down of one step, and the answers they give by return value.
final class LegacyRecord: Sendable {
    let step: StepRecord
    /// Which methods for challenges the delegate has, where the program has a say in them.
    let challengeMethods: LegacyChallengeMethods
    /// What the selectors of its methods begin with.
    let prefix: String
    private let queue: CallbackQueue
    private let isUnimplemented = Locked(false)

    /// `methods` are those that the family's delegate has here.
    init(_ step: StepRecord, challengeMethods methods: LegacyChallengeMethods, queue: CallbackQueue) {
        self.step = step
        challengeMethods = step.answersChallenges ? methods : .none
        prefix = step.family == .download ? "download" : "connection"
        self.queue = queue
    }

    /// Whether it met something that this shape can't do, which the trace says.
    var isGivenUp: Bool { isUnimplemented.withLock { $0 } }

    /// Writes the beginning of a callback.
    ///
    /// NSURLDownload has no queue but the thread it was started on, so its events name none (R47).
    func enter(
        _ name: EventName, _ argument: String? = nil, method: String, facts: EventFacts = []
    ) -> StepRecord.Callback {
        step.enter(
            name, argument, queue: step.family != .download && queue.isCurrent ? queue.label : nil,
            method: prefix + method, facts: facts)
    }

    /// The answer that `ask` gives while it runs; `other` where it gives none, as after a cancel.
    ///
    /// A program that wants to answer later gives the step up: a return value can't wait.
    func answer<Answer: Sendable>(
        orElse other: Answer, _ ask: (_ give: @escaping @Sendable (Answer) -> Void) -> Void
    ) -> Answer {
        guard step.step?.answerAfter == nil else {
            let isFirst = isUnimplemented.withLock { isUnimplemented in
                defer { isUnimplemented = true }
                return !isUnimplemented
            }
            if isFirst {
                step.notes.unimplemented(
                    "steps[\(step.number)].answerAfter: only challenges are answered by a call here, the rest by return value"
                )
                step.cancel()
            }
            return other
        }
        let given = Locked<Answer?>(nil)
        ask { answer in given.withLock { $0 = $0 ?? answer } }
        return given.withLock { $0 } ?? other
    }
}

/// A delegate of an old shape that writes every callback down and answers as its step says.
protocol LegacyRecording: LegacyDelegate {
    /// Where it writes.
    var record: LegacyRecord { get }
}

extension LegacyRecording {
    /// As the record has them.
    var challengeMethods: LegacyChallengeMethods { record.challengeMethods }

    /// `askCredStore`; answered with yes, as by a delegate that does not have the method.
    func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool {
        record.enter(.askCredStore, method: "ShouldUseCredentialStorage:", facts: [EventFact(.accepts, .flag(true))])
            .returns()
        return true
    }

    /// `canonicalize`, which is always accepted, or `redirect`.
    func load(
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
    func load(_ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace) -> Bool {
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
    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
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
    func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge) {
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
