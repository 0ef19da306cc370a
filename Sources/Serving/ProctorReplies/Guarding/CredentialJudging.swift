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
    var error: ChallengeText.TokenError?
    /// The guard's answer to a message that is not the last one of its scheme.
    package var message: [UInt8]?
    /// The fields of the client's message of NTLM or Negotiate, for the journal.
    var messageText: String?
    /// The guard's last token, in a challenge of the reply that admits the client (RFC 4559 §5).
    var closing: [UInt8]?
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

    /// Whether the guard could not judge the credential, which then counts as no attempt and no failure.
    var isUndecided: Bool {
        !faults.isEmpty && faults.allSatisfy { $0.kind == .contentNotKept || $0.kind == .hashRefused }
    }
}

extension StageGuard {
    /// The result for the request's credential; nil where there is none.
    func examine(
        _ values: [ArraySlice<UInt8>], of request: RequestView, _ memory: ConnectionMemory?
    ) -> CredentialFinding? {
        guard let value = values.first else { return examineElsewhere(request) }
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
            case .bearer(let judge) where credentials.isScheme("Bearer"):
                return finding(judge.judge(bearerRequest(credentials, request), age: age), judge)
            case .messages(let offer) where credentials.isScheme(offer.scheme):
                return examine(credentials, offer, scheme: index, on: memory)
            case .token(let judge) where credentials.isScheme(judge.scheme):
                return examineToken(credentials, judge, scheme: index, on: memory)
            case .basic, .bearer, .messages, .token, .digest, .none: continue
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

    // MARK: Bearer

    /// Finds a token in the query or in a form, where the field is absent.
    private func examineElsewhere(_ request: RequestView) -> CredentialFinding? {
        for case .bearer(let judge) in compiled.judges {
            let judgement = judge.judge(bearerRequest(nil, request), age: age)
            if judgement.hasToken { return finding(judgement, judge) }
        }
        return nil
    }

    private func finding(_ judgement: BearerJudgement, _ judge: BearerJudge) -> CredentialFinding {
        var finding = CredentialFinding(scheme: "Bearer", faults: judgement.faults, remarks: judgement.remarks)
        finding.error = judgement.error.map { error in
            let parameters = judge.parameters(for: judgement)
            return ChallengeText.TokenError(
                code: error, description: parameters.first { $0.isNamed("error_description") }?.bytes ?? [])
        }
        return finding
    }

    private func bearerRequest(_ credentials: Credentials?, _ request: RequestView) -> BearerRequest {
        BearerRequest(
            method: Array(request.head.methodBytes), credentials: credentials, query: request.query.map { Array($0) },
            contentType: request.head.fields.first(named: "Content-Type").map { Array($0) }, content: request.body)
    }
}

extension CompiledGuard.SchemeJudge {
    fileprivate var name: String? {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        case .messages(let offer): offer.scheme
        case .token(let judge): judge.scheme
        case .none: nil
        }
    }
}

extension StageGuard {
    /// Judges a Digest credential by the offer that it answers; nil where the guard offers no Digest.
    func examineDigest(_ credentials: Credentials, _ request: RequestView) -> CredentialFinding? {
        let credential = DigestCredential(credentials)
        let known = record(of: credential.nonce ?? [])
        guard let (scheme, judge, offer) = offer(for: credential, known) else { return nil }
        let grant = known?.grants.first { $0.scheme == scheme }
        let judgement = judge.judge(
            credential,
            of: DigestRequest(
                method: Array(request.head.methodBytes), target: request.head.target, content: request.body),
            nonce: nonceFinding(of: credential, known, grant: grant, offer: offer), by: OpenSSLHasher())
        var finding = CredentialFinding(
            scheme: credentials.scheme, user: judgement.user, nonceCount: judgement.nonceCount,
            faults: judgement.faults, remarks: judgement.remarks, isStale: judgement.isStale)
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

    private func nonceFinding(
        of credential: DigestCredential, _ record: IssuedNonces.Record?, grant: IssuedNonces.Grant?,
        offer: Guard.DigestOffer
    ) -> NonceFinding {
        guard let record else { return .unknown }
        guard let grant else {
            guard let other = record.grants.first.flatMap({ compiled.rules.schemes[$0.scheme].digest }) else {
                return .unknown
            }
            return .ofAnotherAlgorithm(other.algorithm ?? .md5)
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

extension StageGuard {
    /// Takes a message of a scheme that authenticates the connection; its number decides which message it must be.
    ///
    /// Only the token68 syntax is checked, and that NTLM's last message is not the first of a connection.
    func examine(
        _ credentials: Credentials, _ offer: Guard.MessageOffer, scheme: Int, on memory: ConnectionMemory?
    ) -> CredentialFinding {
        let index = compiled.rules.index
        guard let token = credentials.token68, credentials.violations.isEmpty else {
            memory?[guard: index] = nil
            return finding(
                credentials,
                CredentialFault(
                    .malformedField, "no message follows \(offer.scheme); expected one in base64",
                    section: "RFC 9110 §11.2"))
        }
        var count = 0
        if let state = memory?[guard: index], state.scheme == scheme, !state.isAdmitted { count = state.count }
        switch MessageOfNTLM(token) {
        case .negotiate?: count = 0
        case .authenticate? where count == 0 && !offer.tokens.isEmpty:
            return finding(
                credentials,
                CredentialFault(
                    .wrongConnection,
                    "the last message of a negotiation that did not begin on this connection; begin anew here",
                    section: "MS-NTHT §1.3"))
        case .authenticate?, nil: break
        }
        var finding = CredentialFinding(scheme: credentials.scheme)
        let isLast = count >= offer.tokens.count
        if !isLast { finding.message = Array("\(offer.scheme) \(offer.tokens[count])".utf8) }
        memory?[guard: index] = ConnectionMemory.Negotiation(scheme: scheme, count: count + 1, isAdmitted: isLast)
        return finding
    }
}

/// The type of an NTLM message that is not verified (MS-NLMP §2.2.1).
private enum MessageOfNTLM {
    case negotiate
    /// The last message, which answers the server's challenge.
    case authenticate

    /// nil for another message type or scheme.
    init?(_ token: String) {
        guard let bytes = try? Base64Text.decode(Array(token.utf8)), bytes.count >= 12,
            bytes.starts(with: Array("NTLMSSP".utf8) + [0])
        else { return nil }
        switch Array(bytes[8..<12]) {
        case [1, 0, 0, 0]: self = .negotiate
        case [3, 0, 0, 0]: self = .authenticate
        default: return nil
        }
    }
}
