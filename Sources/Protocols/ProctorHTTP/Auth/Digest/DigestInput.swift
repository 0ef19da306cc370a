import ProctorBase

/// The input of a response (RFC 7616 §3.4.1), for both client and server.
package struct DigestInput: Equatable {
    /// For a session algorithm the secret includes the session's nonces.
    var secret: DigestSecret
    /// Empty for the server's proof (§3.5).
    var method: [UInt8]
    var uri: [UInt8]
    var nonce: [UInt8]
    /// nil means the form of RFC 2069.
    var protection: Protection?
    /// For auth-int: the hash of the content in hexadecimal digits (§3.4.3), stored so that long content is hashed
    /// once.
    var contentHash: [UInt8]?

    package init(
        secret: DigestSecret, method: [UInt8], uri: [UInt8], nonce: [UInt8], protection: Protection?,
        contentHash: [UInt8]?
    ) {
        (self.secret, self.method, self.uri, self.nonce) = (secret, method, uri, nonce)
        (self.protection, self.contentHash) = (protection, contentHash)
    }

    package struct Protection: Equatable {
        var quality: [UInt8]
        var nonceCount: [UInt8]
        var clientNonce: [UInt8]

        package init(quality: [UInt8], nonceCount: [UInt8], clientNonce: [UInt8]) {
            (self.quality, self.nonceCount, self.clientNonce) = (quality, nonceCount, clientNonce)
        }
    }

    /// The response in hexadecimal digits; empty if the hash is unavailable.
    package func response(by hasher: some DigestHasher) -> [UInt8] {
        response(requestHash: requestHash(by: hasher), by: hasher)
    }

    /// The hash of A2 in hexadecimal digits; it depends on the request and not on the secret.
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

    func response(requestHash: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        // Without this check the hash of missing values would count as a response.
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

    /// The server's proof for a reply with this content (§3.5); the content is used for auth-int only.
    package func proof(ofContent content: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        var input = self
        input.method = []
        if contentHash != nil { input.contentHash = DigestText.hash(secret.function, of: content, by: hasher) }
        return input.response(by: hasher)
    }

    private var digitCount: Int { secret.function.byteCount * 2 }
}
