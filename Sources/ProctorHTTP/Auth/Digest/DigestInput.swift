/// All that a response is computed of (RFC 7616 §3.4.1); both sides compute it here.
struct DigestInput: Equatable {
    /// With the nonces of the session in it, where the algorithm is one of a session.
    var secret: DigestSecret
    /// Empty for what a server proves (§3.5).
    var method: [UInt8]
    var uri: [UInt8]
    var nonce: [UInt8]
    /// nil: the form of RFC 2069.
    var protection: Protection?
    /// Of auth-int: the hash of the content in hexadecimal digits (§3.4.3), so that a long one is hashed once.
    var contentHash: [UInt8]?

    /// What `qop` brings with it.
    struct Protection: Equatable {
        /// The value of `qop`.
        var quality: [UInt8]
        var nonceCount: [UInt8]
        var clientNonce: [UInt8]
    }

    /// In hexadecimal digits; empty where the hash can't be computed.
    func response(by hasher: some DigestHasher) -> [UInt8] {
        response(requestHash: requestHash(by: hasher), by: hasher)
    }

    /// The hash of A2, in hexadecimal digits: all of the request, nothing of the secret.
    func requestHash(by hasher: some DigestHasher) -> [UInt8] {
        let colon = UInt8(ascii: ":")
        var text: [UInt8] = []
        text.reserveCapacity(256)
        text += method
        text.append(colon)
        text += uri
        if let contentHash {
            guard contentHash.count == digitCount else { return [] }
            text.append(colon)
            text += contentHash
        }
        return DigestText.hash(secret.function, of: text, by: hasher)
    }

    /// The same with a hash of A2 that is known.
    func response(requestHash: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        // A hash of nothing would look like one.
        guard requestHash.count == digitCount, secret.digits.count == digitCount else { return [] }
        let colon = UInt8(ascii: ":")
        var text: [UInt8] = []
        text.reserveCapacity(256)
        text += secret.digits
        text.append(colon)
        text += nonce
        text.append(colon)
        if let protection {
            text += protection.nonceCount
            text.append(colon)
            text += protection.clientNonce
            text.append(colon)
            text += protection.quality
            text.append(colon)
        }
        text += requestHash
        return DigestText.hash(secret.function, of: text, by: hasher)
    }

    /// What a server proves with a reply of this content (§3.5), which counts for auth-int only.
    func proof(ofContent content: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        var input = self
        input.method = []
        if contentHash != nil { input.contentHash = DigestText.hash(secret.function, of: content, by: hasher) }
        return input.response(by: hasher)
    }

    private var digitCount: Int { secret.function.byteCount * 2 }
}
