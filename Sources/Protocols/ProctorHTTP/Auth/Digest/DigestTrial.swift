import ProctorBase

/// Compares the response of one credential with the correct one.
///
/// The correct response is computed from the credential's own parameters, so that a wrong parameter is not reported
/// again as a wrong response.
struct DigestTrial {
    let judge: DigestJudge
    let credential: DigestCredential
    let request: DigestRequest
    let space: DigestJudge.ProtectionSpace
    /// nil if no name was sent.
    let user: DigestUser?
    /// nil for the nonce of the credential.
    let sessionNonce: [UInt8]?
    /// nil for the client nonce of the credential.
    let sessionClientNonce: [UInt8]?

    var algorithm: DigestAlgorithm {
        if credential.algorithmText == nil { return judge.offered ?? .md5 }
        return credential.algorithm ?? judge.offered ?? .md5
    }

    var clientNonce: [UInt8] { credential.clientNonceText?.bytes ?? [] }

    /// The meaning of `qop`; an unknown value counts as auth.
    var protection: DigestInput.Protection? {
        credential.qop.map {
            DigestInput.Protection(
                quality: $0.bytes, nonceCount: credential.nonceCountText?.bytes ?? [], clientNonce: clientNonce)
        }
    }

    /// Whether every input of the response is present and well-formed; RFC 2069 needs no `qop`.
    private var isComplete: Bool {
        if algorithm.isSession, credential.clientNonceText == nil { return false }
        guard credential.qop != nil else {
            return judge.qualities.isEmpty
                || credential.nonceCountText == nil && (algorithm.isSession || credential.clientNonceText == nil)
        }
        return credential.quality != nil && credential.nonceCount != nil && credential.clientNonceText != nil
    }

    func checkResponse(_ judgement: inout DigestJudgement, by hasher: some DigestHasher) {
        guard let response = credential.response else {
            return judgement.refuse(
                .missingParameter, "the parameter response is missing; it is what proves the password")
        }
        judge.requireQuotes(response, &judgement)
        let wanted = algorithm.hash.byteCount * 2
        guard let nonce = credential.nonce, let index = user?.accountIndex, judge.accounts.indices.contains(index)
        else {
            if let sentence = Self.sentence(ofMalformed: response.bytes, digitCount: wanted, algorithm) {
                judgement.refuse(.malformedResponse, sentence)
            }
            return
        }
        let isIntegrity = credential.quality == .integrity
        var contentHash: [UInt8]?
        if isIntegrity {
            // If auth-int was not offered, the credential has already been refused.
            guard let content = request.content else {
                return judge.qualities.contains(.integrity) ? refuseUnkept(&judgement) : ()
            }
            contentHash = DigestText.hash(algorithm.hash, of: content, by: hasher)
        }
        let input = DigestInput(
            secret: secret(ofAccount: index, nonce: nonce, by: hasher), method: request.method,
            uri: credential.uri?.bytes ?? request.target, nonce: nonce, protection: protection, contentHash: contentHash
        )
        let expected = input.response(by: hasher)
        guard expected.count == wanted else {
            return judgement.refuse(
                .hashRefused,
                "the server's OpenSSL does not compute \(algorithm.hash.title), so the response can't be judged; offer "
                    + "another algorithm")
        }
        if expected == response.bytes {
            judgement.proof = DigestProof(input: input, quality: credential.quality)
            return
        }
        // The missing parameter has been reported, and its correct value is unknown.
        guard isComplete else { return }
        if expected == response.bytes.map(\.asciiLowercased) {
            judgement.proof = DigestProof(input: input, quality: credential.quality)
            return judgement.judge(
                .digestCapitals, .malformedResponse,
                "the response is right but for its capitals; write it in lower case: "
                    + ByteQuote.quoteLong(expected))
        }
        let diagnosis = DigestDiagnosis(trial: self, account: index, right: input)
        let malformed = Self.sentence(ofMalformed: response.bytes, digitCount: wanted, algorithm)
        if let fault = diagnosis.explained(response: response.bytes, expected: expected, by: hasher) {
            // A wrong number of digits may come from another hash function.
            judgement.faults.append(fault)
        } else if let malformed {
            judgement.refuse(.malformedResponse, malformed)
        } else {
            judgement.faults.append(diagnosis.unexplained(response: response.bytes, expected: expected))
        }
    }

    private func refuseUnkept(_ judgement: inout DigestJudgement) {
        let limit = request.contentLimit.map { "at most \($0) bytes of a content" } ?? "no content of this length"
        judgement.refuse(
            .contentNotKept,
            "auth-int hashes the content, and the server keeps \(limit), so it could not judge the response; send a "
                + "shorter one", section: "RFC 7616 §3.4.3")
    }

    /// The secret that was computed at load, if it applies; else computes it.
    private func secret(ofAccount index: Int, nonce: [UInt8], by hasher: some DigestHasher) -> DigestSecret {
        let account = judge.accounts[index]
        let realm = credential.realm?.bytes ?? space.realm
        var secret: DigestSecret
        if realm == space.realm, space.secrets.indices.contains(index), space.secrets[index].function == algorithm.hash,
            let name = user?.name, name.elementsEqual(account.user.utf8)
        {
            secret = space.secrets[index]
        } else {
            secret = DigestSecret(
                user: user?.name ?? Array(account.user.utf8), realm: realm, password: account.password.utf8,
                function: algorithm.hash, by: hasher)
        }
        if algorithm.isSession {
            secret = secret.session(
                nonce: sessionNonce ?? nonce, clientNonce: sessionClientNonce ?? clientNonce, by: hasher)
        }
        return secret
    }

    private static func sentence(
        ofMalformed response: [UInt8], digitCount: Int, _ algorithm: DigestAlgorithm
    ) -> String? {
        let wanted = "expected \(digitCount) hexadecimal digits in lower case for \(algorithm.rawValue)"
        let quoted = ByteQuote.quoteLong(response)
        if response.contains(where: { $0.hexadecimalValue == nil }) {
            return "the response \(quoted) is no hexadecimal number; \(wanted)"
        }
        if response.count != digitCount { return "the response \(quoted) has \(response.count) digits; \(wanted)" }
        if response.contains(where: { !$0.isLowerHexadecimal }) {
            return "the response \(quoted) has capitals; \(wanted)"
        }
        return nil
    }
}
