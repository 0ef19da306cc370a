internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A nonce and how often it was used (RFC 7616 §3.4): from a challenge to the next, or to another nonce.
struct DigestSession: Sendable, Equatable {
    private(set) var challenge: DigestChallenge
    /// Of the last request with this nonce; the next one counts one more.
    private(set) var nonceCount: UInt32 = 0
    /// Of a session algorithm: what its secret holds from the first answer to the next challenge (§3.4.2).
    private var kept: SessionNonces?

    private struct SessionNonces: Sendable, Equatable {
        let nonce: [UInt8]
        let clientNonce: String
    }

    init(_ challenge: DigestChallenge) { self.challenge = challenge }

    /// Whether a request with that content can be protected as the challenge wants it.
    static func canAnswer(
        _ challenge: DigestChallenge, for body: RequestBody, readFile: (_ path: String) -> [UInt8]?,
        by hasher: some DigestHasher
    ) -> Bool {
        // A system in FIPS mode has no MD5.
        guard hasher.computes(challenge.algorithm.hash) else { return false }
        return quality(of: challenge) != .integrity || body.hashedContent(readFile) != nil
    }

    /// The weaker one where there is a choice, for it holds for every content; nil is the form of RFC 2069.
    private static func quality(of challenge: DigestChallenge) -> QualityOfProtection? {
        challenge.qualities.contains(.authentication) ? .authentication : challenge.qualities.first
    }

    /// For one request, which counts from now on; nil where its content can't be hashed as it must be.
    mutating func answer(
        _ credential: LoadCredential, method: String, target: [UInt8], body: RequestBody,
        by memory: AuthenticationMemory
    ) -> SentDigest? {
        let quality = Self.quality(of: challenge)
        var content: [UInt8] = []
        if quality == .integrity {
            guard let hashed = body.hashedContent(memory.readFile) else { return nil }
            content = hashed
        }
        // A count of eight hexadecimal digits that is used up; the server will say what is to follow.
        guard nonceCount < .max else { return nil }
        nonceCount += 1
        let clientNonce = kept?.clientNonce ?? memory.makeClientNonce()
        if challenge.algorithm.isSession, kept == nil {
            kept = SessionNonces(nonce: challenge.nonce, clientNonce: clientNonce)
        }
        let answer = DigestAnswer(
            to: challenge, user: credential.user, password: credential.password, method: method, target: target,
            quality: quality, nonceCount: nonceCount, clientNonce: clientNonce, content: content,
            sessionNonces: kept.map { ($0.nonce, $0.clientNonce) })
        return SentDigest(answer: answer, quality: quality, clientNonce: clientNonce)
    }

    /// The server wants another nonce from now on (§3.5); its count begins anew.
    ///
    /// This is no challenge, so a session goes on with the secret it has (§3.6).
    mutating func goOn(with nonce: [UInt8]) {
        guard nonce != challenge.nonce else { return }
        challenge.nonce = nonce
        nonceCount = 0
    }
}

/// What one request was sent with, for the proof in its reply (RFC 7616 §3.5).
struct SentDigest: Sendable, Equatable {
    let answer: DigestAnswer
    /// nil is the form of RFC 2069, to which there is no proof.
    let quality: QualityOfProtection?
    let clientNonce: String

    /// Why an Authentication-Info does not belong to it; nil: it does, as far as it says anything.
    ///
    /// A proof that covers the content of the reply would have to wait for its end, and is not looked at.
    func contradiction(in info: AuthenticationInfo, by hasher: some DigestHasher) -> String? {
        if let other = info.clientNonce, other != Array(clientNonce.utf8) {
            return "its cnonce is \"\(EscapedText.of(other, limit: 100))\", expected \"\(clientNonce)\""
        }
        if let other = info.nonceCount, other.map(\.asciiLowercased) != answer.nonceCount {
            let count = String(decoding: answer.nonceCount, as: UTF8.self)
            return "its nc is \"\(EscapedText.of(other, limit: 100))\", expected \(count)"
        }
        guard let proof = info.rspauth, quality != nil, (info.quality ?? quality) == .authentication else { return nil }
        let expected = answer.responseAuthentication(content: [], by: hasher)
        // A hash that this side can't make, as MD5 under FIPS, proves and refutes nothing.
        guard !expected.isEmpty, proof != expected else { return nil }
        return "its rspauth does not prove that the server knows the password"
    }
}

extension RequestBody {
    /// What is hashed for the integrity of content; nil where it can be read only once, or not at all.
    fileprivate func hashedContent(_ readFile: (_ path: String) -> [UInt8]?) -> [UInt8]? {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        case .file(let path): readFile(path)
        case .stream, .streamOnDemand: nil
        }
    }
}

/// Files whose content a Digest answer protects (RFC 7616 §3.4.3).
enum HashedFile {
    /// A longer file is not hashed, because all of it would be in memory.
    static let byteLimit = 1 << 26

    /// All of it; nil where it is too long, or can't be read, which its sending will tell.
    @Sendable static func read(_ path: String) -> [UInt8]? {
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            guard file.byteCount <= byteLimit else { return nil }
            var content: [UInt8] = []
            while content.count < file.byteCount {
                let piece = try file.bytes(from: content.count, byteCount: file.byteCount - content.count)
                guard !piece.isEmpty else { return nil }
                content += piece
            }
            return content
        } catch {
            return nil
        }
    }
}
