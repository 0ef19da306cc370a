internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// One guard of one stage: what it has given out, what has come, and what follows for a request.
///
/// Safe from any thread. Nothing is hashed under its lock, so a request is judged by a copy of what is known of its
/// nonce, and only then takes its nonce count: of two that come with the same count one is too late.
final class GuardDesk: Sendable {
    let compiled: CompiledGuard
    let plans = RefusalPlans()
    /// A standing mount's negotiation begins anew when one has ended, so that the second curl meets what the first met.
    private let startsOver: Bool
    private let progress: Locked<GuardProgress>

    init(_ compiled: CompiledGuard, startsOver: Bool) {
        self.compiled = compiled
        self.startsOver = startsOver
        progress = Locked(GuardProgress(compiled))
    }

    /// Back to the start; what was given out before was never given out.
    func reset() {
        progress.withLock { $0 = GuardProgress(compiled) }
    }

    /// What the guard says to a request.
    struct Answer {
        let verdict: GuardVerdict
        /// nil: it is admitted.
        let refusal: Refusal?
        /// What an admitted reply is to say of itself.
        var info: ReplyInfo?
    }

    func ask(_ request: RequestView, _ messages: ConnectionMessages?) -> Answer {
        let values = request.head.fields.values(named: compiled.credentialsField)
        if values.count == 1, let user = compiled.userOfBasic(values[0]) {
            return admit(scheme: "Basic", user: user)
        }
        guard let finding = examine(values, request, messages) else {
            let isBound = messages?[guard: compiled.rules.index]?.isAdmitted == true
            return isBound ? admitByConnection() : challenge()
        }
        if let message = finding.message { return go(on: finding, message) }
        guard finding.faults.isEmpty else { return refuse(finding) }
        return admit(finding)
    }

    /// What is known of a nonce; nil where it was never given out.
    func look(at nonce: [UInt8]) -> NonceBook.Record? {
        progress.withLock { $0.nonces[nonce] }
    }

    /// Credentials that were refused since one was admitted.
    var refusalsInRow: Int { progress.withLock { $0.refusalsInRow } }

    // MARK: Outcomes

    /// A right credential without a nonce: nothing but the counting is left.
    private func admit(scheme: String?, user: String) -> Answer {
        let attempt = progress.withLock { progress in
            progress.attemptCount += 1
            progress.refusalsInRow = 0
            if startsOver { progress.startOver() }
            return progress.attemptCount
        }
        return Answer(verdict: verdict(Finding(scheme: scheme, user: user), attempt, .admitted), refusal: nil)
    }

    private func admit(_ finding: Finding) -> Answer {
        let now = MonotonicClock.nanoseconds
        var finding = finding
        let (attempt, fault, nextNonce) = progress.withLock { progress in
            let fault = finding.use.flatMap { progress.use($0, count: finding.nonceCount, in: compiled) }
            guard fault == nil else { return (0, fault, nil as [UInt8]?) }
            progress.attemptCount += 1
            progress.refusalsInRow = 0
            if startsOver { progress.startOver() }
            return (
                progress.attemptCount, nil, finding.use.flatMap { progress.nextNonce(after: $0, at: now, in: compiled) }
            )
        }
        if let fault {
            finding.faults = [fault]
            finding.isStale = fault.kind == .staleNonce
            return refuse(finding)
        }
        return Answer(
            verdict: verdict(finding, attempt, .admitted), refusal: nil,
            info: ReplyInfo(finding, nextNonce: nextNonce, field: compiled.infoField))
    }

    private func admitByConnection() -> Answer {
        let attempt = progress.withLock { $0.attemptCount }
        return Answer(verdict: verdict(Finding(), attempt, .admitted), refusal: nil)
    }

    /// Nothing came that could be judged.
    private func challenge() -> Answer {
        let now = MonotonicClock.nanoseconds
        let (attempt, asking) = progress.withLock { ($0.attemptCount, $0.ask(compiled, at: now)) }
        return Answer(
            verdict: verdict(Finding(), attempt, .challenged), refusal: refusal(asking, isStale: false, Finding()))
    }

    private func go(on finding: Finding, _ message: [UInt8]) -> Answer {
        let (attempt, turn) = progress.withLock { progress in
            progress.attemptCount += 1
            return (progress.attemptCount, progress.challengeCount)
        }
        // The message belongs to the challenge before it, so it takes no turn of its own.
        let reply = compiled.replies.refusal(turn: max(0, turn - 1), error: nil, fault: nil)
        return Answer(
            verdict: verdict(finding, attempt, .continued),
            refusal: Refusal(desk: self, reply: reply, asking: .message(message)))
    }

    private func refuse(_ finding: Finding) -> Answer {
        let now = MonotonicClock.nanoseconds
        let isStale = finding.isStale
        let isFailure = !isStale && !finding.isUndecided
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
                verdict: verdict(finding, attempt, .gaveUp),
                refusal: Refusal(desk: self, reply: compiled.replies.gaveUp, asking: .nothing))
        }
        return Answer(
            verdict: verdict(finding, attempt, isStale ? .stale : .refused),
            refusal: refusal(asking, isStale: isStale, finding))
    }

    private func refusal(_ asking: GuardProgress.Asking, isStale: Bool, _ finding: Finding) -> Refusal {
        Refusal(
            desk: self,
            reply: compiled.replies.refusal(
                turn: asking.turn, error: finding.error?.code, fault: finding.faults.first?.kind),
            asking: .challenges(
                realm: asking.realm,
                Refusal.Challenges(nonces: asking.nonces, isStale: isStale, error: finding.error)))
    }

    private func verdict(_ finding: Finding, _ attempt: Int, _ outcome: GuardVerdict.Outcome) -> GuardVerdict {
        GuardVerdict(
            guardName: compiled.rules.name, field: compiled.rules.isProxy ? "Proxy-Authorization" : "Authorization",
            attempt: attempt, scheme: finding.scheme, user: finding.user, nonceCount: finding.nonceCount,
            outcome: outcome, faults: finding.faults, remarks: finding.remarks)
    }
}
