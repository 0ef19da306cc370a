internal import ProctorBase
internal import ProctorCrypto
package import ProctorHTTP
internal import ProctorScenario

/// A scheme's result for one credential, before the guard counts it.
package struct CredentialFinding {
    package var scheme: String?
    package var user: String?
    var nonceCount: UInt32?
    package var faults: [CredentialFault] = []
    package var remarks: [CredentialFault] = []
    /// The only fault is a nonce that is too old.
    var isStale = false
    /// Parameters of the challenge that belong to this refusal alone.
    package var parameters: [AuthenticationParameter] = []
    /// The server's own reply to it; nil: the one to its first fault.
    package var reply: OwnReply?
    /// The guard's answer to a message that is not the last one of its scheme.
    package var message: [UInt8]?
    /// The fields of the client's message of NTLM or Negotiate, for the journal.
    package var messageText: String?
    /// The guard's last token, in a challenge of the reply that admits the client (RFC 4559 §5).
    package var closing: [UInt8]?
    /// What the next message of the connection is judged by, where the scheme authenticates the connection.
    package var exchange: (any Sendable)?
    /// Whether the connection is admitted by this message.
    package var isAdmitted = false
    var use: NonceUse?

    /// What an admitted request changes on its nonce, and the data for the reply.
    struct NonceUse {
        let nonce: [UInt8]
        let grant: IssuedNonces.Grant
        /// The client nonce of its session; nil for an algorithm without sessions.
        let clientNonce: [UInt8]?
        /// nil where the guard sends no proof.
        let proof: DigestProof?
        let isProvedWrong: Bool
        let provesContent: Bool
    }

    package init(
        scheme: String? = nil, user: String? = nil, faults: [CredentialFault] = [], remarks: [CredentialFault] = []
    ) {
        (self.scheme, self.user, self.faults, self.remarks) = (scheme, user, faults, remarks)
    }

    /// Whether the guard could not judge the credential, which then counts as no attempt and no failure.
    package var isUndecided: Bool {
        !faults.isEmpty && faults.allSatisfy { $0.kind == .contentNotKept || $0.kind == .hashRefused }
    }
}

extension StageGuard {
    /// The result for the request's credential; nil where there is none.
    func examine(
        _ values: [ArraySlice<UInt8>], of request: RequestView, _ memory: ConnectionMemory?
    ) -> CredentialFinding? {
        guard let value = values.first else {
            for judge in compiled.others {
                if let finding = judge.finding(nil, of: request, at: moment, after: nil) { return finding }
            }
            return nil
        }
        let credentials = Credentials(Array(value))
        guard values.count == 1 else {
            return finding(
                credentials,
                CredentialFault(
                    .severalFields, "\(values.count) fields of credentials came; expected one", section: "RFC 9110 §5.3"
                ))
        }
        if credentials.isScheme("Digest"), let finding = examineDigest(credentials, request) { return finding }
        for (index, judge) in compiled.judges.enumerated() {
            switch judge {
            case .basic(let judge) where credentials.isScheme("Basic"):
                let judgement = judge.judge(credentials)
                return CredentialFinding(
                    scheme: credentials.scheme, user: judgement.user, faults: judgement.faults,
                    remarks: judgement.remarks)
            case .other(let judge, let offer) where credentials.isScheme(offer.scheme):
                let earlier = offer.isOfConnection ? takeExchange(of: index, from: memory) : nil
                guard let finding = judge.finding(credentials, of: request, at: moment, after: earlier) else {
                    continue
                }
                if finding.exchange != nil || finding.isAdmitted {
                    memory?[guard: compiled.rules.index] = ConnectionMemory.Negotiation(
                        scheme: index, isAdmitted: finding.isAdmitted, exchange: finding.exchange)
                }
                return finding
            case .basic, .other, .digest, .none: continue
            }
        }
        return finding(credentials, notOffered(credentials))
    }

    func finding(_ credentials: Credentials, _ fault: CredentialFault) -> CredentialFinding {
        CredentialFinding(scheme: credentials.scheme.isEmpty ? nil : credentials.scheme, faults: [fault])
    }

    private func notOffered(_ credentials: Credentials) -> CredentialFault {
        guard !credentials.scheme.isEmpty else {
            let violation = credentials.violations.first
            return CredentialFault(
                .malformedField, violation?.sentence ?? "the field is empty; expected a scheme and what it wants",
                section: violation?.section ?? "RFC 9110 §11.4")
        }
        let names = compiled.judges.compactMap(\.name).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        return CredentialFault(
            .wrongScheme,
            "the scheme \"\(PrintableText.sanitize(credentials.scheme, limit: 40))\" is not accepted; expected "
                + (names.isEmpty ? "none at all" : names.joined(separator: " or ")),
            section: compiled.rules.isProxy ? "RFC 9110 §11.7.2" : "RFC 9110 §11.6.2")
    }

    /// What the last message of the scheme left on the connection, which is taken: whatever comes, a challenge is answered once.
    private func takeExchange(of scheme: Int, from memory: ConnectionMemory?) -> (any Sendable)? {
        let index = compiled.rules.index
        defer { memory?[guard: index] = nil }
        return memory?[guard: index].flatMap { $0.scheme == scheme ? $0.exchange : nil }
    }
}

extension CompiledGuard.SchemeJudge {
    fileprivate var name: String? {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .other(_, let offer): offer.scheme
        case .none: nil
        }
    }
}

extension StageGuard {
    /// Judges a Digest credential by the offer that it answers; nil where the guard offers no Digest.
    func examineDigest(_ credentials: Credentials, _ request: RequestView) -> CredentialFinding? {
        let credential = DigestCredential(credentials)
        let known = record(of: credential.nonce ?? [])
        guard let (scheme, digest) = offer(for: credential, known) else { return nil }
        let offer = digest.offer
        let grant = known?.grants.first { $0.scheme == scheme }
        let judgement = digest.judge.judge(
            credential,
            of: DigestRequest(
                method: Array(request.head.methodBytes), target: request.head.target, content: request.body),
            nonce: nonceFinding(of: credential, known, grant: grant, offer: offer), by: OpenSSLHasher())
        var finding = CredentialFinding(
            scheme: credentials.scheme, user: judgement.user, faults: judgement.faults, remarks: judgement.remarks)
        (finding.nonceCount, finding.isStale) = (judgement.nonceCount, judgement.isStale)
        if judgement.isAdmitted, let grant, let nonce = credential.nonce {
            finding.use = CredentialFinding.NonceUse(
                nonce: nonce, grant: grant,
                clientNonce: offer.isOfSession ? known?.clientNonce ?? credential.clientNonce : nil,
                proof: offer.info.proof == nil ? nil : judgement.proof, isProvedWrong: offer.info.proof == .wrong,
                provesContent: credential.quality == .integrity)
        }
        return finding
    }

    /// The offer with the credential's algorithm; of several, the one that issued its nonce.
    private func offer(
        for credential: DigestCredential, _ record: IssuedNonces.Record?
    ) -> (scheme: Int, CompiledGuard.JudgedDigest)? {
        var (first, ofNonce, ofAlgorithm) = (nil as Int?, nil as Int?, nil as Int?)
        for (index, digest) in compiled.digests.enumerated() {
            guard let digest else { continue }
            let isOfNonce = record?.grants.contains { $0.scheme == index } ?? false
            let isOfAlgorithm = credential.algorithm == digest.offer.algorithm ?? .md5
            if isOfNonce, isOfAlgorithm { return (index, digest) }
            if first == nil { first = index }
            if isOfNonce, ofNonce == nil { ofNonce = index }
            if isOfAlgorithm, ofAlgorithm == nil { ofAlgorithm = index }
        }
        guard let index = ofAlgorithm ?? ofNonce ?? first, let digest = compiled.digests[index] else { return nil }
        return (index, digest)
    }

    private func nonceFinding(
        of credential: DigestCredential, _ record: IssuedNonces.Record?, grant: IssuedNonces.Grant?,
        offer: Guard.DigestOffer
    ) -> NonceFinding {
        guard let record else { return .unknown }
        guard let grant else {
            guard let other = record.grants.first.flatMap({ compiled.digests[$0.scheme] }) else {
                return .unknown
            }
            return .ofAnotherAlgorithm(other.offer.algorithm ?? .md5)
        }
        let realms = compiled.rules.realms
        // With one realm the comparison is not needed.
        if realms.count > 1, let realm = credential.credentials["realm"], realm != realms[grant.realm],
            realms.contains(realm)
        {
            return .ofAnotherRealm(realms[grant.realm])
        }
        return .known(
            KnownNonce(
                realm: grant.realm, age: record.age(offer.nonces, clock), count: record.count(credential, offer.nonces),
                sessionNonce: record.sessionNonce, sessionClientNonce: record.clientNonce))
    }
}

extension IssuedNonces.Record {
    fileprivate func age(_ policy: Guard.DigestOffer.NoncePolicy, _ clock: RunClock) -> KnownNonce.Age {
        if let useLimit, useCount >= useLimit { return .usedUp(uses: useLimit) }
        guard let lifetime = policy.lifetime else { return .fresh }
        return clock.passed(since: issued) > lifetime.wholeNanoseconds ? .tooOld(lifetime: lifetime) : .fresh
    }

    /// Without an order of counts, since parallel requests arrive in any order.
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
