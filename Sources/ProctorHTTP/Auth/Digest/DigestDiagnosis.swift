import ProctorBase

/// Finds what a wrong response was computed of in the place of the right thing.
///
/// Usual mistakes are tried one by one, then a mistake of the secret together with one of the rest, as far as its
/// effort goes.
struct DigestDiagnosis {
    let trial: DigestTrial
    /// Index of the account that is meant.
    let account: Int
    /// What the response should have been computed of.
    let right: DigestInput

    /// A mistake that would explain a response.
    struct Guess {
        let kind: CredentialFault.Kind
        /// Completes "it comes out …".
        let phrase: String
        let section: String
        var input: DigestInput
    }

    /// A fault with what came, what was expected, and the likely reason; nil where no usual mistake explains it.
    func explained(
        response: [UInt8], expected: [UInt8], by hasher: some DigestHasher
    ) -> CredentialFault? {
        guard let (guess, other) = search(response.map(\.asciiLowercased), by: hasher) else { return nil }
        let reason = other.map { "\(guess.phrase), and \($0.phrase)" } ?? guess.phrase
        return CredentialFault(
            guess.kind, "\(figures(response, expected)); the one that came is computed \(reason)",
            section: guess.section)
    }

    /// A fault with what came and what was expected.
    func unexplained(response: [UInt8], expected: [UInt8]) -> CredentialFault {
        CredentialFault(
            .wrongResponse,
            "\(figures(response, expected)) for method \(ByteQuote.quoteLong(right.method)) and uri "
                + "\(ByteQuote.quoteLong(right.uri)); no usual mistake explains it, so most likely the password for "
                + "\(accountName) is another one",
            section: "RFC 7616 §3.4.1")
    }

    private func figures(_ response: [UInt8], _ expected: [UInt8]) -> String {
        "the response is \(ByteQuote.quoteLong(response)); expected \(ByteQuote.quoteLong(expected))"
    }

    private var accountName: String { ByteQuote.quoteLong(Array(trial.judge.accounts[account].user.utf8)) }

    private func search(_ came: [UInt8], by hasher: some DigestHasher) -> (Guess, Guess?)? {
        var effort = Effort()
        // What the request is does not hang on the secret, so a long one is hashed once for all of them.
        let mine = right.requestHash(by: hasher)
        let secrets = secretGuesses(&effort, by: hasher)
        for guess in secrets where effort.take(guess.input.shortByteCount) {
            let hash = isOfMine(guess.input) ? mine : guess.input.requestHash(by: hasher)
            if isResponse(came, of: guess.input, hash, by: hasher) { return (guess, nil) }
        }
        var others: [(guess: Guess, hash: [UInt8])] = []
        for guess in formGuesses(by: hasher) {
            let isSame = isOfMine(guess.input)
            guard effort.take(guess.input.shortByteCount + (isSame ? 0 : guess.input.requestByteCount)) else {
                continue
            }
            let hash = isSame ? mine : guess.input.requestHash(by: hasher)
            if isResponse(came, of: guess.input, hash, by: hasher) { return (guess, nil) }
            others.append((guess, hash))
        }
        let function = right.secret.function
        for secret in secrets.filter({ $0.input.secret.function == function }).prefix(Self.pairedSecretLimit) {
            for (other, hash) in others {
                guard effort.take(other.input.shortByteCount) else { return nil }
                var input = other.input
                input.secret = secret.input.secret
                if isResponse(came, of: input, hash, by: hasher) { return (other, secret) }
            }
        }
        return nil
    }

    private func isOfMine(_ input: DigestInput) -> Bool {
        input.secret.function == right.secret.function && input.method == right.method && input.uri == right.uri
            && input.contentHash == right.contentHash
    }

    /// A hash that can't be computed explains nothing, not even an empty response.
    private func isResponse(
        _ came: [UInt8], of input: DigestInput, _ requestHash: [UInt8], by hasher: some DigestHasher
    ) -> Bool {
        let response = input.response(requestHash: requestHash, by: hasher)
        return !response.isEmpty && response == came
    }

    private static let pairedSecretLimit = 24

    /// Longer contents are hashed for no guess, only where the credential itself says auth-int.
    static let contentLimit = 1 << 18

    /// How much may still be hashed, so that no credential keeps the server busy: some thousand short texts.
    struct Effort {
        private var rest = 1 << 20

        /// Counts a trial, which costs something even where it is short.
        mutating func take(_ byteCount: Int) -> Bool {
            let cost = byteCount + 256
            guard cost <= rest else { return false }
            rest -= cost
            return true
        }
    }
}

extension DigestInput {
    /// Of what is hashed beside the secret and the request.
    fileprivate var shortByteCount: Int {
        nonce.count + (protection.map { $0.nonceCount.count + $0.clientNonce.count + $0.quality.count } ?? 0)
    }

    var requestByteCount: Int { method.count + uri.count }
}
