internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorScenario

extension GuardDesk {
    /// Judges a Digest credential by the offer that it answers; nil where the guard offers no Digest.
    func examineDigest(_ credentials: Credentials, _ request: RequestView) -> Finding? {
        let credential = DigestCredential(credentials)
        let known = look(at: credential.nonce ?? [])
        guard let (scheme, judge, offer) = offer(for: credential, known) else { return nil }
        let grant = known?.grants.first { $0.scheme == scheme }
        let judgement = judge.judge(
            credential,
            of: DigestRequest(
                method: Array(request.head.methodBytes), target: request.head.target, content: request.body),
            nonce: finding(credential, known, grant, offer), by: OpenSSLHasher())
        var finding = Finding(
            scheme: credentials.scheme, user: judgement.user, nonceCount: judgement.nonceCount,
            faults: judgement.faults, remarks: judgement.remarks, isStale: judgement.isStale)
        if judgement.isAdmitted, let grant, let nonce = credential.nonce {
            finding.use = Finding.NonceUse(
                nonce: nonce, grant: grant,
                clientNonce: offer.isOfSession ? known?.clientNonce ?? credential.clientNonce : nil,
                proof: offer.info.proof == nil ? nil : judgement.proof, isProvedWrong: offer.info.proof == .wrong,
                provesContent: credential.quality == .integrity)
        }
        return finding
    }

    /// That of the credential's algorithm, and of several such that of its nonce.
    private func offer(
        for credential: DigestCredential, _ record: NonceBook.Record?
    ) -> (scheme: Int, DigestJudge, Guard.DigestOffer)? {
        var first: (Int, DigestJudge, Guard.DigestOffer)?
        var ofNonce = first
        var ofAlgorithm = first
        for (index, judge) in compiled.judges.enumerated() {
            guard case .digest(let judge, let offer) = judge else { continue }
            let isOfNonce = record?.grants.contains { $0.scheme == index } ?? false
            let isOfAlgorithm = credential.algorithm == offer.algorithm ?? .md5
            if isOfNonce, isOfAlgorithm { return (index, judge, offer) }
            if first == nil { first = (index, judge, offer) }
            if isOfNonce, ofNonce == nil { ofNonce = (index, judge, offer) }
            if isOfAlgorithm, ofAlgorithm == nil { ofAlgorithm = (index, judge, offer) }
        }
        return ofAlgorithm ?? ofNonce ?? first
    }

    private func finding(
        _ credential: DigestCredential, _ record: NonceBook.Record?, _ grant: NonceBook.Grant?,
        _ offer: Guard.DigestOffer
    ) -> NonceFinding {
        guard let record else { return .unknown }
        guard let grant else {
            let other = record.grants.first.flatMap { grant in
                if case .digest(_, let offer) = compiled.judges[grant.scheme] { offer.algorithm ?? .md5 } else { nil }
            }
            return other.map { .ofAnotherAlgorithm($0) } ?? .unknown
        }
        let realms = compiled.rules.realms
        // With one realm there is no other, and its text needs not be made for every request.
        if realms.count > 1, let realm = credential.credentials["realm"], realm != realms[grant.realm],
            realms.contains(realm)
        {
            return .ofAnotherRealm(realms[grant.realm])
        }
        return .known(
            KnownNonce(
                realm: grant.realm, age: record.age(offer.nonces), count: record.count(credential, offer.nonces),
                sessionNonce: record.sessionNonce, sessionClientNonce: record.clientNonce))
    }
}

extension NonceBook.Record {
    fileprivate func age(_ policy: Guard.DigestOffer.NoncePolicy) -> KnownNonce.Age {
        if let useLimit, useCount >= useLimit { return .usedUp(uses: useLimit) }
        guard let lifetime = policy.lifetime else { return .fresh }
        let passed = MonotonicClock.nanoseconds &- issued
        return passed > lifetime.wholeNanoseconds ? .tooOld(lifetime: lifetime) : .fresh
    }

    /// Counts that were never seen are right in any order, as requests in parallel have it.
    fileprivate func count(
        _ credential: DigestCredential, _ policy: Guard.DigestOffer.NoncePolicy
    ) -> KnownNonce.Count {
        guard let count = credential.nonceCount else { return .fresh }
        if counts.hasSeen(count) {
            let isTooLow =
                counts.highest >= NonceCounts.windowCount && count <= counts.highest - NonceCounts.windowCount
            return isTooLow ? .tooLow(highest: counts.highest) : .seen
        }
        let (expected, isOver) = counts.highest.addingReportingOverflow(1)
        guard !isOver, count > expected else { return .fresh }
        return .skipped(expected: expected, isRefused: policy.isGapless)
    }
}

extension Guard.DigestOffer {
    fileprivate var isOfSession: Bool { (algorithm ?? .md5).isSession }
}
