import ProctorBase

extension DigestJudge {
    func checkRealm(_ credential: DigestCredential, _ space: ProtectionSpace, into judgement: inout DigestJudgement) {
        guard let realm = credential.realm else {
            return judgement.refuse(
                .missingParameter, "the parameter realm is missing; send back \(ByteQuote.quoteLong(space.realm))")
        }
        requireQuotes(realm, &judgement)
        guard realm.bytes != space.realm else { return }
        judgement.refuse(
            .wrongRealm,
            "the realm is \(ByteQuote.quoteLong(realm.bytes)); expected \(ByteQuote.quoteLong(space.realm)) as in "
                + "the challenge of this nonce")
    }

    func checkNonceParameter(_ credential: DigestCredential, _ judgement: inout DigestJudgement) {
        guard let nonce = credential.nonceText else {
            return judgement.refuse(
                .missingParameter, "the parameter nonce is missing; send back that of the challenge")
        }
        requireQuotes(nonce, &judgement)
    }

    func checkURI(_ credential: DigestCredential, _ request: DigestRequest, into judgement: inout DigestJudgement) {
        guard let uri = credential.uri else {
            return judgement.refuse(
                .missingParameter, "the parameter uri is missing; expected \(ByteQuote.quoteLong(request.target))")
        }
        requireQuotes(uri, &judgement)
        guard uri.bytes != request.target else { return }
        let hint = URIDifference.sentence(came: uri.bytes, expected: request.target)
        let sentence =
            "uri is \(ByteQuote.quoteLong(uri.bytes)); expected \(ByteQuote.quoteLong(request.target)), the request-target byte "
            + "for byte\(hint.map { ": \($0)" } ?? "")"
        if URIDifference.isOfForm(came: uri.bytes, expected: request.target) {
            judgement.judge(.digestURIForm, .wrongURI, sentence)
        } else {
            judgement.refuse(.wrongURI, sentence)
        }
    }

    func checkAlgorithm(_ credential: DigestCredential, _ judgement: inout DigestJudgement) {
        guard let text = credential.algorithmText else {
            guard let offered else { return }
            return judgement.refuse(
                .missingParameter,
                "the parameter algorithm is missing; send back \(offered.rawValue) as the challenge "
                    + "names it")
        }
        forbidQuotes(text, &judgement)
        let wanted = offered ?? .md5
        guard credential.algorithm == wanted else {
            return judgement.refuse(
                .wrongAlgorithm,
                "algorithm is \(ByteQuote.quoteLong(text.bytes)); expected \(wanted.rawValue)"
                    + (offered == nil ? ", since the challenge names none" : " as the challenge names it"))
        }
        if offered == nil {
            judgement.remark(
                .unwantedParameter, "algorithm=MD5 came, which the challenge does not name; it means the same",
                section: "RFC 7616 §3.3")
        }
    }

    func checkOpaque(_ credential: DigestCredential, _ judgement: inout DigestJudgement) {
        switch (credential.opaque, opaque) {
        case (nil, nil): break
        case (nil, let wanted?):
            judgement.refuse(
                .missingParameter,
                "the parameter opaque is missing; send back \(ByteQuote.quoteLong(wanted)) as it came")
        case (let came?, nil):
            requireQuotes(came, &judgement)
            judgement.judge(
                .digestUnusedParameter, .unwantedParameter,
                "opaque is \(ByteQuote.quoteLong(came.bytes)), but the challenge has none; leave it out")
        case (let came?, let wanted?):
            requireQuotes(came, &judgement)
            guard came.bytes != wanted else { return }
            judgement.refuse(
                .wrongOpaque,
                "opaque is \(ByteQuote.quoteLong(came.bytes)); expected \(ByteQuote.quoteLong(wanted)), unchanged")
        }
    }

    /// Checks `qop`, `nc` and `cnonce`, which must be sent together.
    func checkProtection(_ credential: DigestCredential, _ judgement: inout DigestJudgement) {
        if let qop = credential.qop { forbidQuotes(qop, &judgement) }
        if let count = credential.nonceCountText { forbidQuotes(count, &judgement) }
        if let nonce = credential.clientNonceText { requireQuotes(nonce, &judgement) }
        guard !qualities.isEmpty else { return checkUnprotected(credential, &judgement) }
        // A sentence is made only when something is wrong.
        var offer: String { qualities.map(\.rawValue).joined(separator: " or ") }
        guard let qop = credential.qop else {
            let sentence = "the parameter qop is missing; expected \(offer) as the challenge offers it"
            let isOfRFC2069 =
                credential.nonceCountText == nil
                && (credential.clientNonceText == nil || offered?.isSession == true)
            guard isOfRFC2069, qualities.contains(.authentication) else {
                return judgement.refuse(.missingQop, sentence)
            }
            return judgement.judge(.digestWithoutQop, .missingQop, sentence)
        }
        if credential.quality.map({ !qualities.contains($0) }) ?? true {
            judgement.refuse(.wrongQop, "qop is \(ByteQuote.quoteLong(qop.bytes)); expected \(offer)")
        }
        if let text = credential.nonceCountText {
            if credential.nonceCount == nil { judgement.refuse(.malformedNonceCount, sentence(ofBadCount: text.bytes)) }
        } else {
            judgement.refuse(
                .missingParameter,
                "the parameter nc is missing; with qop it counts the requests with this nonce, from "
                    + "00000001")
        }
        checkClientNonce(credential, &judgement)
    }

    /// Checks the credential for a challenge that offered no `qop` (RFC 2069).
    private func checkUnprotected(_ credential: DigestCredential, _ judgement: inout DigestJudgement) {
        let section = "RFC 2617 §3.2.2"
        if let qop = credential.qop {
            judgement.refuse(
                .unwantedParameter,
                "qop is \(ByteQuote.quoteLong(qop.bytes)), but the challenge offers none; leave it out",
                section: section)
        }
        if credential.nonceCountText != nil {
            judgement.judge(
                .digestUnusedParameter, .unwantedParameter,
                "nc came, but the challenge has no qop; leave it out, the response has no count", section: section)
        }
        if offered?.isSession == true {
            checkClientNonce(credential, &judgement)
        } else if credential.clientNonceText != nil {
            judgement.judge(
                .digestUnusedParameter, .unwantedParameter,
                "cnonce came, but the challenge has no qop; leave it out", section: section)
        }
    }

    private func checkClientNonce(_ credential: DigestCredential, _ judgement: inout DigestJudgement) {
        guard let nonce = credential.clientNonceText else {
            return judgement.refuse(
                .missingParameter, "the parameter cnonce is missing; choose a text that cannot be predicted")
        }
        if nonce.bytes.isEmpty {
            judgement.refuse(.emptyClientNonce, "cnonce is empty; choose a text that cannot be predicted")
        }
    }

    private func sentence(ofBadCount text: [UInt8]) -> String {
        let quoted = ByteQuote.quoteLong(text)
        let wanted = "expected eight hexadecimal digits in lower case, from 00000001"
        if text.contains(where: { $0.hexadecimalValue == nil }) { return "nc is \(quoted), no number; \(wanted)" }
        if text.count != 8 { return "nc is \(quoted), which has \(text.count) digits; \(wanted)" }
        if text.contains(where: { !$0.isLowerHexadecimal }) { return "nc is \(quoted), which has capitals; \(wanted)" }
        return "nc is \(quoted); the count includes this request; \(wanted)"
    }

    /// Checks the age and the count of the nonce; the last check.
    func checkStanding(of credential: DigestCredential, _ finding: NonceFinding, _ judgement: inout DigestJudgement) {
        guard let nonce = credential.nonce else { return }
        var quoted: String { ByteQuote.quoteLong(nonce) }
        switch finding {
        case .unknown:
            judgement.refuse(
                .unknownNonce,
                "the nonce \(quoted) was never given, or is long forgotten; use that of the last challenge")
        case .ofAnotherRealm(let realm):
            judgement.refuse(
                .nonceOfAnotherRealm,
                "the nonce \(quoted) was given for the realm \(ByteQuote.quoteLong(Array(realm.utf8))); use the one that came "
                    + "with this challenge")
        case .ofAnotherAlgorithm(let algorithm):
            judgement.refuse(
                .nonceOfAnotherAlgorithm,
                "the nonce \(quoted) was given with the challenge of \(algorithm.rawValue); take nonce and algorithm from "
                    + "the same challenge")
        case .known(let known): checkKnown(known, credential, into: &judgement)
        }
    }

    private func checkKnown(
        _ known: KnownNonce, _ credential: DigestCredential, into judgement: inout DigestJudgement
    ) {
        var count: String { credential.nonceCountText.map { ByteQuote.quoteLong($0.bytes) } ?? "none" }
        switch known.count {
        case .fresh: break
        case .seen:
            judgement.refuse(
                .replayedNonceCount, "nc \(count) came before with this nonce; raise it by one for each request")
        case .tooLow(let highest):
            judgement.refuse(
                .replayedNonceCount,
                "nc \(count) lies far below \(Self.digits(highest)), which came before; raise it by one for each request"
            )
        case .skipped(let expected, let isRefused):
            let sentence = "nc is \(count); the next one is \(Self.digits(expected)), it counts each request once"
            if isRefused {
                judgement.refuse(.skippedNonceCount, sentence)
            } else {
                judgement.remark(.skippedNonceCount, sentence)
            }
        }
        switch known.age {
        case .fresh: break
        case .usedUp(let uses):
            judgement.refuse(
                .staleNonce,
                "the nonce has served \(Plural.count(uses, "request")), which is all it may; use the fresh one, "
                    + "without asking for the password again", section: "RFC 7616 §3.3")
        case .tooOld(let lifetime):
            judgement.refuse(
                .staleNonce,
                "the nonce is older than \(lifetime); use the fresh one, without asking for the password again",
                section: "RFC 7616 §3.3")
        }
    }

    private static func digits(_ count: UInt32) -> String {
        String(decoding: DigestText.nonceCount(count), as: UTF8.self)
    }
}

/// Quotes: RFC 7616 §3.4 says for each parameter whether the sender MUST or MUST NOT write them.
extension DigestJudge {
    func requireQuotes(_ parameter: AuthenticationParameter, _ judgement: inout DigestJudgement) {
        guard !parameter.isQuoted else { return }
        let name = parameter.name
        judgement.judge(
            .digestQuoting, .wrongQuoting,
            "\(name)=\(EscapedText.escape(parameter.bytes, limit: 48)) lacks its quotes; write \(name)=\"…\"")
    }

    func forbidQuotes(_ parameter: AuthenticationParameter, _ judgement: inout DigestJudgement) {
        guard parameter.isQuoted else { return }
        let text = EscapedText.escape(parameter.bytes, limit: 48)
        judgement.judge(
            .digestQuoting, .wrongQuoting,
            "\(parameter.name)=\"\(text)\" stands in quotes; a sender must not write them here: "
                + "\(parameter.name)=\(text)")
    }
}

/// Why the `uri` of a credential differs from the request-target.
enum URIDifference {
    /// A sentence about a known mistake; nil if none explains the difference.
    static func sentence(came: [UInt8], expected: [UInt8]) -> String? {
        if originForm(of: came) == expected { return "the absolute form came, the request-target is in origin-form" }
        if originForm(of: expected) == came {
            return "the origin-form came, the request-target is in absolute form, as a proxy gets it"
        }
        if came == withoutQuery(expected) { return "the query is missing" }
        if withoutFragment(came) == expected { return "the fragment belongs to no request-target" }
        if PercentText.decode(expected) == came { return "the percent-escapes were undone" }
        if PercentText.decode(came) == expected { return "what the request-target has plain is percent-escaped" }
        if lowered(came) == lowered(expected) { return "only letter case differs" }
        if came.isEmpty { return "it is empty" }
        return nil
    }

    /// Whether the received value is the path of an absolute request-target, or empty for `/` (RFC 9110 §4.2.3).
    static func isOfForm(came: [UInt8], expected: [UInt8]) -> Bool {
        originForm(of: expected) == came || came.isEmpty && expected == [UInt8(ascii: "/")]
    }

    /// Path and query of an absolute URI; nil for any other text.
    static func originForm(of uri: [UInt8]) -> [UInt8]? {
        AbsoluteTarget(uri.span, in: uri.indices)?.originForm(uri, isOptions: false)
    }

    static func withoutQuery(_ uri: [UInt8]) -> [UInt8]? {
        uri.firstIndex(of: UInt8(ascii: "?")).map { Array(uri[..<$0]) }
    }

    private static func withoutFragment(_ uri: [UInt8]) -> [UInt8]? {
        uri.firstIndex(of: UInt8(ascii: "#")).map { Array(uri[..<$0]) }
    }

    private static func lowered(_ bytes: [UInt8]) -> [UInt8] { bytes.map(\.asciiLowercased) }
}
