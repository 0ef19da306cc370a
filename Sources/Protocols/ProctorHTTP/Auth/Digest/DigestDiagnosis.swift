import ProctorBase

/// Finds out which wrong input explains a wrong response.
///
/// Tries single mistakes, then a mistake of the secret together with one of another input, until `effort` is used up.
struct DigestDiagnosis {
    let trial: DigestTrial
    let account: Int
    let right: DigestInput

    /// A mistake that could explain a response.
    struct Guess {
        let kind: CredentialFault.Kind
        /// Completes the sentence "it comes out …".
        let phrase: String
        let section: String
        var input: DigestInput
    }

    /// A fault with both responses and the likely reason; nil if no known mistake explains the response.
    func explained(response: [UInt8], expected: [UInt8], by hasher: some DigestHasher) -> CredentialFault? {
        guard let (guess, other) = search(response.map(\.asciiLowercased), by: hasher) else { return nil }
        let reason = other.map { "\(guess.phrase), and \($0.phrase)" } ?? guess.phrase
        return CredentialFault(
            guess.kind, "\(figures(response, expected)); the one that came is computed \(reason)",
            section: guess.section)
    }

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
        // A2 does not depend on the secret, so a long request is hashed once for all guesses.
        let mine = right.requestHash(by: hasher)
        let secrets = secretGuesses(&effort, by: hasher)
        for guess in secrets where effort.spend(guess.input.shortByteCount) {
            let hash = isOfMine(guess.input) ? mine : guess.input.requestHash(by: hasher)
            if isResponse(came, of: guess.input, hash, by: hasher) { return (guess, nil) }
        }
        var others: [(guess: Guess, hash: [UInt8])] = []
        for guess in formGuesses(by: hasher) {
            let isSame = isOfMine(guess.input)
            guard effort.spend(guess.input.shortByteCount + (isSame ? 0 : guess.input.requestByteCount)) else {
                continue
            }
            let hash = isSame ? mine : guess.input.requestHash(by: hasher)
            if isResponse(came, of: guess.input, hash, by: hasher) { return (guess, nil) }
            others.append((guess, hash))
        }
        let function = right.secret.function
        for secret in secrets.filter({ $0.input.secret.function == function }).prefix(Self.pairedSecretLimit) {
            for (other, hash) in others {
                guard effort.spend(other.input.shortByteCount) else { return nil }
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

    /// Whether the response is that of a guess; false if the hash is unavailable, even for an empty response.
    private func isResponse(
        _ came: [UInt8], of input: DigestInput, _ requestHash: [UInt8], by hasher: some DigestHasher
    ) -> Bool {
        let response = input.response(requestHash: requestHash, by: hasher)
        return !response.isEmpty && response == came
    }

    private static let pairedSecretLimit = 24

    /// Longer content is hashed only when the credential says auth-int.
    static let contentLimit = 1 << 18

    /// Bounds the hashing for one credential to some thousand short texts.
    struct Effort {
        private var rest = 1 << 20

        mutating func spend(_ byteCount: Int) -> Bool {
            let cost = byteCount + 256
            guard cost <= rest else { return false }
            rest -= cost
            return true
        }
    }
}

extension DigestInput {
    /// The bytes that a guess hashes besides the secret and the request.
    fileprivate var shortByteCount: Int {
        nonce.count + (protection.map { $0.nonceCount.count + $0.clientNonce.count + $0.quality.count } ?? 0)
    }

    var requestByteCount: Int { method.count + uri.count }
}

extension DigestDiagnosis {
    func formGuesses(by hasher: some DigestHasher) -> [Guess] {
        var guesses: [Guess] = []
        func add(
            _ kind: CredentialFault.Kind, _ phrase: String, section: String = "RFC 7616 §3.4.1",
            change: (inout DigestInput) -> Void
        ) {
            var input = right
            change(&input)
            guard input != right else { return }
            guesses.append(Guess(kind: kind, phrase: phrase, section: section, input: input))
        }

        for method in Self.methods + [right.method.map(\.asciiLowercased)] {
            add(.wrongMethod, "with the method \(ByteQuote.quote(method))", section: "RFC 7616 §3.4.3") {
                $0.method = method
            }
        }
        for uri in uris {
            add(.wrongURI, "with the uri \(ByteQuote.quoteLong(uri))", section: "RFC 7616 §3.4.3") { $0.uri = uri }
        }
        let content = right.contentHash ?? hashOfContent(by: hasher)
        addContent(content, empty: DigestText.hash(right.secret.function, of: [], by: hasher), add)
        addProtection(content, add)
        add(.wrongResponse, "with the quotes of the nonce") { $0.nonce = quoted($0.nonce) }
        add(.wrongResponse, "without the nonce") { $0.nonce = [] }
        return guesses
    }

    /// nil if the content is too long to be hashed for a guess.
    private func hashOfContent(by hasher: some DigestHasher) -> [UInt8]? {
        let content = trial.request.content ?? []
        guard content.count <= Self.contentLimit else { return nil }
        return DigestText.hash(right.secret.function, of: content, by: hasher)
    }

    private typealias Adding = (CredentialFault.Kind, String, String, (inout DigestInput) -> Void) -> Void

    private func addContent(_ content: [UInt8]?, empty: [UInt8], _ add: Adding) {
        let section = "RFC 7616 §3.4.3"
        if right.contentHash != nil {
            add(.wrongContentHash, "with the hash of an empty content", section) { $0.contentHash = empty }
            add(.wrongContentHash, "without the content, as for auth", section) { $0.contentHash = nil }
        } else {
            if let content {
                add(.wrongContentHash, "with the hash of the content, as for auth-int", section) {
                    $0.contentHash = content
                }
            }
            add(.wrongContentHash, "with the hash of an empty content, as for auth-int", section) {
                $0.contentHash = empty
            }
        }
    }

    private func addProtection(_ content: [UInt8]?, _ add: Adding) {
        let section = "RFC 7616 §3.4.1"
        guard let protection = right.protection else {
            let count = trial.credential.nonceCountText?.bytes ?? DigestText.nonceCount(1)
            add(.wrongQop, "as for qop=auth, which the credential does not have", section) {
                $0.protection = .init(quality: Array("auth".utf8), nonceCount: count, clientNonce: trial.clientNonce)
            }
            return
        }
        add(.wrongQop, "in the form of RFC 2069, without nc, cnonce and qop", section) { $0.protection = nil }
        for quality in QualityOfProtection.allCases {
            add(.wrongQop, "with \(quality.rawValue) as the text of qop", section) {
                $0.protection?.quality = Array(quality.rawValue.utf8)
            }
            guard quality == .authentication || content != nil else { continue }
            add(.wrongQop, "as for qop=\(quality.rawValue)", section) {
                $0.protection?.quality = Array(quality.rawValue.utf8)
                $0.contentHash = quality == .integrity ? content : nil
            }
        }
        let offer = trial.judge.qualities.map(\.rawValue)
        for text in [offer.joined(separator: ","), offer.joined(separator: ", ")] {
            add(.wrongQop, "with the whole offer \"\(text)\" as qop", section) {
                $0.protection?.quality = Array(text.utf8)
            }
        }
        let digits = protection.nonceCount.drop { $0 == UInt8(ascii: "0") }
        add(.malformedNonceCount, "with nc as \(ByteQuote.quote(Array(digits))), without its zeros", section) {
            $0.protection?.nonceCount = Array(digits)
        }
        add(.malformedNonceCount, "without nc", section) { $0.protection?.nonceCount = [] }
        add(.malformedNonceCount, "with the capitals of nc made small", section) {
            $0.protection?.nonceCount = protection.nonceCount.map(\.asciiLowercased)
        }
        let count = trial.credential.nonceCount ?? 1
        for other in [1, count &- 1, count &+ 1, 0] {
            let text = DigestText.nonceCount(other)
            add(.wrongResponse, "with nc \(ByteQuote.quote(text)), which is not the one that came", section) {
                $0.protection?.nonceCount = text
            }
        }
        add(.wrongResponse, "without the cnonce", section) { $0.protection?.clientNonce = [] }
        add(.wrongResponse, "with the quotes of the cnonce", section) {
            $0.protection?.clientNonce = quoted(protection.clientNonce)
        }
        add(.wrongResponse, "with the nonce in the place of the cnonce", section) {
            $0.protection?.clientNonce = right.nonce
        }
        if let first = trial.sessionClientNonce {
            add(.wrongResponse, "with the cnonce of the session's first request", section) {
                $0.protection?.clientNonce = first
            }
        }
    }

    private var uris: [[UInt8]] {
        var uris = [trial.request.target, []]
        for uri in [trial.credential.uri?.bytes ?? [], trial.request.target] {
            if let path = URIDifference.withoutQuery(uri) { uris.append(path) }
            if let origin = URIDifference.originForm(of: uri) {
                uris.append(origin)
                if let path = URIDifference.withoutQuery(origin) { uris.append(path) }
            }
            if let decoded = PercentText.decode(uri) { uris.append(decoded) }
            uris.append(quoted(uri))
            uris.append(uri.map(\.asciiLowercased))
        }
        uris.append([UInt8(ascii: "/")])
        return uris
    }

    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "",
    ].map { Array($0.utf8) }
}

extension DigestDiagnosis {
    func secretGuesses(_ effort: inout Effort, by hasher: some DigestHasher) -> [Guess] {
        var guesses: [Guess] = []
        let judge = trial.judge
        let algorithm = trial.algorithm
        let mine = judge.accounts[account]
        let name = trial.user?.name ?? Array(mine.user.utf8)
        let realm = trial.credential.realm?.bytes ?? trial.space.realm
        let contentHashes = contentHashes(by: hasher)

        func add(
            _ kind: CredentialFault.Kind, _ phrase: String, user: [UInt8]? = nil, realm other: [UInt8]? = nil,
            password: [UInt8]? = nil, as otherAlgorithm: DigestAlgorithm? = nil,
            nonces: (nonce: [UInt8], clientNonce: [UInt8])? = nil, section: String = "RFC 7616 §3.4.2"
        ) {
            let used = otherAlgorithm ?? algorithm
            let (user, realm) = (user ?? name, other ?? realm)
            let nonce = nonces?.nonce ?? trial.sessionNonce ?? right.nonce
            let clientNonce = nonces?.clientNonce ?? trial.sessionClientNonce ?? trial.clientNonce
            var input = right
            if used.hash != right.secret.function {
                if right.contentHash != nil {
                    guard let hash = contentHashes[used.hash] else { return }
                    input.contentHash = hash
                }
                guard effort.spend(right.requestByteCount) else { return }
            }
            guard effort.spend(user.count + realm.count + (used.isSession ? nonce.count + clientNonce.count : 0)) else {
                return
            }
            var secret = DigestSecret(
                user: user, realm: realm, password: password ?? Array(mine.password.utf8), function: used.hash,
                by: hasher)
            if used.isSession { secret = secret.session(nonce: nonce, clientNonce: clientNonce, by: hasher) }
            input.secret = secret
            guesses.append(Guess(kind: kind, phrase: phrase, section: section, input: input))
        }

        if algorithm.isSession {
            addNonces { add($0, $1, nonces: $2) }
        }
        for other in DigestAlgorithm.allCases where other != algorithm {
            add(.wrongAlgorithm, "by \(other.rawValue), while \(algorithm.rawValue) is asked for", as: other)
        }
        add(.wrongPassword, "with an empty password", password: [])
        for (index, other) in judge.accounts.prefix(DigestJudge.accountLimit).enumerated() where index != account {
            let quoted = ByteQuote.quoteLong(Array(other.user.utf8))
            add(.wrongPassword, "with the password of the user \(quoted)", password: Array(other.password.utf8))
            add(
                .wrongPassword, "with name and password of the user \(quoted)", user: Array(other.user.utf8),
                password: Array(other.password.utf8))
        }
        for (user, phrase) in userGuesses(name, realm, by: hasher) {
            add(.wrongResponse, phrase, user: user)
        }
        add(.wrongRealm, "without a realm", realm: [])
        add(.wrongRealm, "with the quotes of the realm in A1", realm: quoted(realm))
        for other in [trial.space.realm] + judge.realms.prefix(DigestJudge.accountLimit) where other != realm {
            add(.wrongRealm, "with the realm \(ByteQuote.quoteLong(other))", realm: other)
        }
        if let user = FieldText.latin1Bytes(of: mine.user), let password = FieldText.latin1Bytes(of: mine.password) {
            let phrase = "from ISO-8859-1; user and password are hashed as UTF-8"
            add(.wrongCharset, phrase, user: user, password: password, section: "RFC 7616 §4")
            add(.wrongCharset, phrase, password: password, section: "RFC 7616 §4")
            add(.wrongCharset, phrase, user: user, section: "RFC 7616 §4")
        }
        return guesses
    }

    /// Adds guesses with the nonces of this request, which a client may use by mistake instead of those of the session.
    private func addNonces(_ add: (CredentialFault.Kind, String, (nonce: [UInt8], clientNonce: [UInt8])) -> Void) {
        let nonce = trial.sessionNonce ?? right.nonce
        if let first = trial.sessionClientNonce, first != trial.clientNonce {
            add(
                .changedClientNonce,
                "with the cnonce of this request in A1; a session keeps the one of its first request",
                (nonce, trial.clientNonce))
        }
        guard nonce != right.nonce else { return }
        let rule = "nextnonce begins no session, A1 keeps the nonce of the challenge"
        if let first = trial.sessionClientNonce, first != trial.clientNonce {
            add(
                .wrongResponse,
                "with nonce and cnonce of this request in A1; \(rule), and the cnonce of its first answer",
                (right.nonce, trial.clientNonce))
        }
        add(
            .wrongResponse, "with the nonce of this request in A1; \(rule)",
            (right.nonce, trial.sessionClientNonce ?? trial.clientNonce))
    }

    /// Hashes the content by the functions that a guess needs besides the requested one.
    private func contentHashes(by hasher: some DigestHasher) -> [HashFunction: [UInt8]] {
        guard right.contentHash != nil, let content = trial.request.content, content.count <= Self.contentLimit else {
            return [:]
        }
        return HashFunction.allCases.filter { $0 != right.secret.function }.reduce(into: [:]) {
            $0[$1] = DigestText.hash($1, of: content, by: hasher)
        }
    }

    private func userGuesses(_ name: [UInt8], _ realm: [UInt8], by hasher: some DigestHasher) -> [([UInt8], String)] {
        var guesses: [([UInt8], String)] = []
        let mine = Array(trial.judge.accounts[account].user.utf8)
        if mine != name { guesses.append((mine, "with the user \(ByteQuote.quoteLong(mine))")) }
        if let extended = trial.credential.extendedUser {
            guesses.append((extended.bytes, "with the text of username* before it is decoded"))
        }
        if let plain = trial.credential.username, plain.bytes != name {
            guesses.append((plain.bytes, "with the hash of username in A1; the name itself belongs there"))
        }
        guesses.append((escaped(name), "with the escapes of username in A1; they are undone first"))
        guesses.append((quoted(name), "with the quotes of username in A1"))
        guesses.append((name.map(\.asciiLowercased), "with the user in lower case"))
        guesses.append((name.map { $0.isASCIILetter ? $0 & 0xDF : $0 }, "with the user in capitals"))
        guesses.append(([], "with an empty user"))
        return guesses.filter { $0.0 != name }
    }

    func quoted(_ bytes: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")] }

    private func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}
