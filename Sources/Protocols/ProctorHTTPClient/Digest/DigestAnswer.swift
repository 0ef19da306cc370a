package import ProctorHTTP

/// The parameters that a client sends to answer a challenge of Digest (RFC 7616 §3.4).
package struct DigestAnswer: Sendable, Equatable {
    private let challenge: DigestChallenge
    private let user: String
    private let password: String
    private let method: [UInt8]
    private let target: [UInt8]
    private let quality: QualityOfProtection?
    /// Eight hexadecimal digits in lower case, as they are sent.
    package let nonceCount: [UInt8]
    private let clientNonce: [UInt8]
    private let content: [UInt8]
    private let sessionNonce: [UInt8]
    private let sessionClientNonce: [UInt8]

    /// Collects the input of an answer; nil `quality` means RFC 2069, without a nonce count.
    ///
    /// For a session algorithm, `sessionNonces` are those of the first request that answered the challenge, nil if this
    /// is the first request. A later `nextnonce` does not change them.
    package init(
        to challenge: DigestChallenge, user: String, password: String, method: String, target: [UInt8],
        quality: QualityOfProtection?, nonceCount: UInt32, clientNonce: String, content: [UInt8] = [],
        sessionNonces: (nonce: [UInt8], clientNonce: String)? = nil
    ) {
        (self.challenge, self.user, self.password) = (challenge, user, password)
        self.method = Array(method.utf8)
        (self.target, self.quality) = (target, quality)
        self.nonceCount = DigestText.nonceCount(nonceCount)
        self.clientNonce = Array(clientNonce.utf8)
        self.content = content
        sessionNonce = sessionNonces?.nonce ?? challenge.nonce
        sessionClientNonce = sessionNonces.map { Array($0.clientNonce.utf8) } ?? self.clientNonce
    }

    /// The value of (Proxy-)Authorization, quoted as RFC 7616 §3.4 requires.
    ///
    /// A name that is not printable ASCII is sent in `username*`, or hashed.
    package func fieldValue(by hasher: some DigestHasher) -> [UInt8] { credentials(by: hasher).bytes }

    package func credentials(by hasher: some DigestHasher) -> Credentials {
        var parameters: [AuthenticationParameter] = []
        func add(_ name: String, _ bytes: [UInt8]?, isQuoted: Bool) {
            guard let bytes else { return }
            parameters.append(AuthenticationParameter(name: name, bytes: bytes, isQuoted: isQuoted))
        }
        let function = challenge.algorithm.hash
        if challenge.wantsUserhash {
            add(
                "username", DigestText.hash(function, ofParts: [Array(user.utf8), challenge.realm], by: hasher),
                isQuoted: true)
        } else if user.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
            add("username", Array(user.utf8), isQuoted: true)
        } else {
            add("username*", ExtendedValue.encode(user), isQuoted: false)
        }
        add("realm", challenge.realm, isQuoted: true)
        add("uri", target, isQuoted: true)
        add("algorithm", challenge.algorithmName, isQuoted: false)
        add("nonce", challenge.nonce, isQuoted: true)
        if let quality {
            add("nc", nonceCount, isQuoted: false)
            add("cnonce", clientNonce, isQuoted: true)
            add("qop", Array(quality.rawValue.utf8), isQuoted: false)
        } else if challenge.algorithm.isSession {
            add("cnonce", clientNonce, isQuoted: true)
        }
        add("response", input(by: hasher).response(by: hasher), isQuoted: true)
        add("opaque", challenge.opaque, isQuoted: true)
        if challenge.wantsUserhash { add("userhash", Array("true".utf8), isQuoted: false) }
        return Credentials(scheme: "Digest", parameters: parameters)
    }

    /// The `rspauth` to expect with a reply of this content, in hexadecimal digits (RFC 7616 §3.5).
    package func responseAuthentication(content: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        input(by: hasher).proof(ofContent: content, by: hasher)
    }

    private func input(by hasher: some DigestHasher) -> DigestInput {
        var secret = DigestSecret(
            user: user.utf8, realm: challenge.realm, password: password.utf8, function: challenge.algorithm.hash,
            by: hasher)
        if challenge.algorithm.isSession {
            secret = secret.session(nonce: sessionNonce, clientNonce: sessionClientNonce, by: hasher)
        }
        return DigestInput(
            secret: secret, method: method, uri: target, nonce: challenge.nonce,
            protection: quality.map {
                DigestInput.Protection(
                    quality: Array($0.rawValue.utf8), nonceCount: nonceCount, clientNonce: clientNonce)
            },
            contentHash: quality == .integrity
                ? DigestText.hash(challenge.algorithm.hash, of: content, by: hasher) : nil)
    }
}
