internal import COpenSSL
internal import ProctorTLS

/// A client's secret for Handshake packets, derived beside OpenSSL (RFC 8446 §7.1).
///
/// OpenSSL tells the secret behind the server's whole flight. Until a Handshake packet of the client has come, the server sends
/// three times as many bytes as it has got, and no more (RFC 9000 §8.1): without the secret the client would wait for the rest of a
/// long certificate.
struct ClientHandshakeSecret {
    /// The messages of both ends, in their order, of which those to ServerHello count.
    var messages: [UInt8] = []

    /// nil unless the same steps give the server's secret, which OpenSSL has told.
    func derive(of ssl: OpaquePointer, _ suite: PacketSuite, beside servers: [UInt8]) -> [UInt8]? {
        guard let digest = unsafe suite.digest, let hash = unsafe transcriptHash(by: digest),
            let shared = unsafe Self.sharedSecret(of: ssl)
        else { return nil }
        let zeros = [UInt8](repeating: 0, count: hash.count)
        let early = unsafe KeyDerivation.mac(of: zeros, key: zeros, by: digest)
        let salt = unsafe KeyDerivation.expandLabel(
            "derived", of: early, context: Self.hash([], by: digest), by: digest, count: hash.count)
        let secret = unsafe KeyDerivation.mac(of: shared, key: salt, by: digest)
        func traffic(_ end: String) -> [UInt8] {
            unsafe KeyDerivation.expandLabel(
                "\(end) hs traffic", of: secret, context: hash, by: digest, count: hash.count)
        }
        return traffic("s") == servers ? traffic("c") : nil
    }

    private static let serverHello: UInt8 = 2
    private static let messageHash: UInt8 = 254

    /// The hash of the messages to ServerHello; nil where that is not there (RFC 8446 §4.4.1).
    private func transcriptHash(by digest: OpaquePointer) -> [UInt8]? {
        // The random of a ServerHello that is a HelloRetryRequest (RFC 8446 §4.1.3).
        let retry = unsafe Self.hash(Array("HelloRetryRequest".utf8), by: EVP_sha256())
        var rest = messages[...]
        var read: [UInt8] = []
        while rest.count >= 4 {
            let length = rest.dropFirst().prefix(3).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - 4 >= length else { return nil }
            let message = rest.prefix(4 + length)
            rest = rest.dropFirst(message.count)
            let isRetry = message.dropFirst(6).prefix(retry.count).elementsEqual(retry)
            if message.first == Self.serverHello, isRetry {
                let first = unsafe Self.hash(read, by: digest)
                read = [Self.messageHash, 0, 0, UInt8(first.count)] + first
            }
            read += message
            if message.first == Self.serverHello, !isRetry { return unsafe Self.hash(read, by: digest) }
        }
        return nil
    }

    /// Empty if OpenSSL refuses.
    private static func hash(_ bytes: [UInt8], by digest: OpaquePointer?) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = unsafe EVP_Digest(bytes, bytes.count, &output, &count, digest, nil) == 1
        return isDone ? Array(output.prefix(Int(count))) : []
    }

    /// What both key shares give; nil for groups that are no exchange of keys.
    private static func sharedSecret(of ssl: OpaquePointer) -> [UInt8]? {
        var (own, theirs): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        defer {
            unsafe EVP_PKEY_free(own)
            unsafe EVP_PKEY_free(theirs)
        }
        guard unsafe proctor_SSL_get_tmp_key(ssl, &own) == 1, unsafe proctor_SSL_get_peer_tmp_key(ssl, &theirs) == 1,
            let context = unsafe EVP_PKEY_CTX_new(own, nil)
        else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var count = 0
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, theirs) == 1,
            unsafe EVP_PKEY_derive(context, nil, &count) == 1
        else { return nil }
        var secret = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_PKEY_derive(context, &secret, &count) == 1 else { return nil }
        return Array(secret.prefix(count))
    }
}
