import ProctorBase

/// Mistakes in A1.
extension DigestDiagnosis {
    func secretGuesses(_ effort: inout Effort, by hasher: some DigestHasher) -> [Guess] {
        var guesses: [Guess] = []
        let judge = trial.judge
        let algorithm = trial.algorithm
        let mine = judge.accounts[account]
        let name = trial.user?.name ?? Array(mine.user.utf8)
        let realm = trial.credential.realm?.bytes ?? trial.room.realm
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
                guard effort.take(right.requestByteCount) else { return }
            }
            guard effort.take(user.count + realm.count + (used.isSession ? nonce.count + clientNonce.count : 0)) else {
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
        for other in [trial.room.realm] + judge.realms.prefix(DigestJudge.accountLimit) where other != realm {
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

    /// What a session keeps, and a client takes from this request instead.
    private func addNonces(
        _ add: (CredentialFault.Kind, String, (nonce: [UInt8], clientNonce: [UInt8])) -> Void
    ) {
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

    /// By the functions that a guess needs beside the one that was asked for.
    private func contentHashes(by hasher: some DigestHasher) -> [HashFunction: [UInt8]] {
        guard right.contentHash != nil, let content = trial.request.content, content.count <= Self.contentLimit else {
            return [:]
        }
        return HashFunction.allCases.filter { $0 != right.secret.function }.reduce(into: [:]) {
            $0[$1] = DigestText.hash($1, of: content, by: hasher)
        }
    }

    private func userGuesses(_ name: [UInt8], _ realm: [UInt8], by hasher: some DigestHasher) -> [([UInt8], String)] {
        var found: [([UInt8], String)] = []
        let mine = Array(trial.judge.accounts[account].user.utf8)
        if mine != name { found.append((mine, "with the user \(ByteQuote.quoteLong(mine))")) }
        if let extended = trial.credential.extendedUser {
            found.append((extended.bytes, "with the text of username* before it is decoded"))
        }
        if let plain = trial.credential.username, plain.bytes != name {
            found.append((plain.bytes, "with the hash of username in A1; the name itself belongs there"))
        }
        found.append((escaped(name), "with the escapes of username in A1; they are undone first"))
        found.append((quoted(name), "with the quotes of username in A1"))
        found.append((name.map(\.asciiLowercased), "with the user in lower case"))
        found.append((name.map { $0.isASCIILetter ? $0 & 0xDF : $0 }, "with the user in capitals"))
        found.append(([], "with an empty user"))
        return found.filter { $0.0 != name }
    }

    func quoted(_ bytes: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")] }

    private func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}
