internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// One guard of one stage, with its issued nonces and counts.
///
/// Safe from any thread. Hashing happens outside the lock: a request is judged with a copy of its nonce's record and
/// then takes its nonce count, so of two requests with the same count one is refused.
package final class StageGuard: Sendable {
    let compiled: CompiledGuard
    /// On the shared port a negotiation starts again when one has ended.
    private let startsOver: Bool
    let clock: RunClock
    private let progress: Locked<GuardProgress>

    init(_ compiled: CompiledGuard, _ clock: RunClock, startsOver: Bool) {
        (self.compiled, self.clock, self.startsOver) = (compiled, clock, startsOver)
        progress = Locked(GuardProgress(compiled, at: clock.instant))
    }

    /// Restores the start; earlier nonces become unknown.
    func reset() {
        progress.withLock { $0 = GuardProgress(compiled, at: clock.instant) }
    }

    struct Answer {
        let verdict: GuardVerdict
        /// nil: the request is admitted.
        var refusal: Refusal?
        var info: ReplyInfo?
    }

    func ask(_ request: RequestView, _ memory: ConnectionMemory?) -> Answer {
        let values = request.head.fields.values(named: compiled.credentialsField)
        if values.count == 1, let user = compiled.userOfBasic(values[0]) {
            // A valid credential without a nonce is only counted.
            let attempt = progress.withLock { $0.admit(startsOver: startsOver) }
            return Answer(
                verdict: verdict(.admitted, attempt: attempt, of: CredentialFinding(scheme: "Basic", user: user)))
        }
        guard var finding = examine(values, of: request, memory) else {
            guard memory?[guard: compiled.rules.index]?.isAdmitted == true else { return challenge() }
            return Answer(verdict: verdict(.admitted, attempt: progress.withLock { $0.attemptCount }))
        }
        if let message = finding.message { return continueExchange(on: finding, message) }
        return finding.faults.isEmpty ? admit(&finding) : refuse(finding)
    }

    /// The record of a nonce; nil where it was never issued.
    func record(of nonce: [UInt8]) -> IssuedNonces.Record? {
        progress.withLock { $0.nonces[nonce] }
    }

    var moment: GuardMoment { GuardMoment(age: clock.passed(since: progress.withLock { $0.begun }), clock) }

    var refusalsInRow: Int { progress.withLock { $0.refusalsInRow } }

    // MARK: Outcomes

    private func admit(_ finding: inout CredentialFinding) -> Answer {
        let now = clock.instant
        let (use, count) = (finding.use, finding.nonceCount)
        let (attempt, nextNonce, fault) = progress.withLock { progress -> (Int, [UInt8]?, CredentialFault?) in
            guard let use else { return (progress.admit(startsOver: startsOver), nil, nil) }
            if let fault = progress.use(use, count: count, in: compiled) { return (0, nil, fault) }
            let attempt = progress.admit(startsOver: startsOver)
            return (attempt, progress.nextNonce(after: use, at: now, in: compiled), nil)
        }
        if let fault {
            finding.faults = [fault]
            finding.isStale = fault.kind == .staleNonce
            return refuse(finding)
        }
        return Answer(
            verdict: verdict(.admitted, attempt: attempt, of: finding),
            info: finding.closing.map { ReplyInfo(closing: $0, field: compiled.challengeField) }
                ?? ReplyInfo(finding, nextNonce: nextNonce, field: compiled.infoField))
    }

    private func challenge() -> Answer {
        let now = clock.instant
        let (attempt, asking) = progress.withLock { ($0.attemptCount, $0.ask(compiled, at: now)) }
        return Answer(
            verdict: verdict(.challenged, attempt: attempt), refusal: refusal(asking, of: CredentialFinding()))
    }

    private func continueExchange(on finding: CredentialFinding, _ message: [UInt8]) -> Answer {
        let (attempt, turn) = progress.withLock { progress in
            progress.attemptCount += 1
            return (progress.attemptCount, progress.challengeCount)
        }
        // The message belongs to the challenge before it, so it takes no turn.
        let reply = compiled.replies.refusal(turn: max(0, turn - 1))
        return Answer(
            verdict: verdict(.continued, attempt: attempt, of: finding),
            refusal: Refusal(issuer: self, reply: reply, asking: .message(message)))
    }

    private func refuse(_ finding: CredentialFinding) -> Answer {
        let now = clock.instant
        let isFailure = !finding.isStale && !finding.isUndecided
        let (attempt, asking) = progress.withLock { progress in
            if !finding.isUndecided { progress.attemptCount += 1 }
            if isFailure { progress.failureCount += 1 }
            progress.refusalsInRow += 1
            let attempt = progress.attemptCount
            if let end = compiled.rules.end, isFailure, progress.failureCount > end.failureCount {
                if startsOver { progress.startOver() }
                return (attempt, nil as GuardProgress.Asking?)
            }
            return (attempt, progress.ask(compiled, at: now))
        }
        guard let asking else {
            return Answer(
                verdict: verdict(.gaveUp, attempt: attempt, of: finding),
                refusal: Refusal(issuer: self, reply: compiled.replies.gaveUp, asking: .nothing))
        }
        return Answer(
            verdict: verdict(finding.isStale ? .stale : .refused, attempt: attempt, of: finding),
            refusal: refusal(asking, of: finding))
    }

    private func refusal(_ asking: GuardProgress.Asking, of finding: CredentialFinding) -> Refusal {
        Refusal(
            issuer: self,
            reply: compiled.replies.refusal(
                turn: asking.turn, reply: finding.reply, fault: finding.faults.first?.kind),
            asking: .challenges(
                realm: asking.realm, nonces: asking.nonces, isStale: finding.isStale, late: finding.parameters))
    }

    private func verdict(
        _ outcome: GuardVerdict.Outcome, attempt: Int, of finding: CredentialFinding = CredentialFinding()
    ) -> GuardVerdict {
        GuardVerdict(
            guardName: compiled.rules.name, field: compiled.rules.isProxy ? "Proxy-Authorization" : "Authorization",
            attempt: attempt,
            scheme: finding.scheme, user: finding.user, nonceCount: finding.nonceCount,
            message: finding.messageText, outcome: outcome, faults: finding.faults, remarks: finding.remarks)
    }
}
