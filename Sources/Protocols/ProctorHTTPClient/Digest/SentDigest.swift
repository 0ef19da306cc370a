internal import ProctorBase
package import ProctorHTTP

/// The values with which one request was sent, for checking the proof in its reply (RFC 7616 §3.5).
package struct SentDigest: Sendable, Equatable {
    package let answer: DigestAnswer
    /// nil is the form of RFC 2069, which has no proof.
    package let quality: QualityOfProtection?
    package let clientNonce: String

    package init(answer: DigestAnswer, quality: QualityOfProtection?, clientNonce: String) {
        (self.answer, self.quality, self.clientNonce) = (answer, quality, clientNonce)
    }

    /// Why an Authentication-Info contradicts this answer, or nil; a proof that covers content is not checked.
    package func contradiction(in info: AuthenticationInfo, by hasher: some DigestHasher) -> String? {
        if let other = info.clientNonce, other != Array(clientNonce.utf8) {
            return "its cnonce is \"\(EscapedText.escape(other, limit: 100))\", expected \"\(clientNonce)\""
        }
        if let other = info.nonceCount, other.map(\.asciiLowercased) != answer.nonceCount {
            let count = String(decoding: answer.nonceCount, as: UTF8.self)
            return "its nc is \"\(EscapedText.escape(other, limit: 100))\", expected \(count)"
        }
        guard let proof = info.rspauth, quality != nil, (info.quality ?? quality) == .authentication else { return nil }
        let expected = answer.responseAuthentication(content: [], by: hasher)
        // A hash that this client can't compute, such as MD5 under FIPS, is not compared.
        guard !expected.isEmpty, proof != expected else { return nil }
        return "its rspauth does not prove that the server knows the password"
    }
}
