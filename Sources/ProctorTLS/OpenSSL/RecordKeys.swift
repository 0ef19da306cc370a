internal import COpenSSL

/// What protects the records that one side writes, worked out beside OpenSSL, which has no call for an alert of ours.
struct RecordKeys {
    /// The parts of a cipher suite that protection is made of.
    @safe struct Suite {
        /// An `EVP_CIPHER` that OpenSSL keeps; nil for the null cipher.
        let cipher: OpaquePointer?
        let keyLength: Int
        let blockLength: Int
        /// Of the MAC up to TLS 1.2 without AEAD.
        let digest: OpaquePointer?
        /// Of the key schedule.
        let handshakeDigest: OpaquePointer?
        let isAEAD: Bool
        let hasShortTag: Bool
        let mode: Mode

        enum Mode { case gcm, ccm, chacha, cbc, stream }
    }

    let suite: Suite
    let version: TLSVersion
    let key: [UInt8]
    /// Of CBC in TLS 1.0 for the first record; of AEAD the fixed part.
    let iv: [UInt8]
    let macKey: [UInt8]

    /// Of TLS 1.3, from a traffic secret that was changed so many times (RFC 8446 §7.2, §7.3).
    init?(suite: Suite, trafficSecret: [UInt8], updates: Int) {
        guard let digest = unsafe suite.handshakeDigest, updates >= 0, updates < 1024 else { return nil }
        var secret = trafficSecret
        for _ in 0..<updates {
            secret = unsafe KeyDerivation.expandLabel(digest, secret, "traffic upd", secret.count)
        }
        self.suite = suite
        version = .tls13
        key = unsafe KeyDerivation.expandLabel(digest, secret, "key", suite.keyLength)
        iv = unsafe KeyDerivation.expandLabel(digest, secret, "iv", 12)
        macKey = []
    }

    /// Of the server up to TLS 1.2 (RFC 5246 §6.3).
    init?(suite: Suite, version: TLSVersion, masterSecret: [UInt8], serverRandom: [UInt8], clientRandom: [UInt8]) {
        let macLength = suite.isAEAD ? 0 : unsafe Int(EVP_MD_get_size(suite.digest))
        let ivLength: Int
        switch suite.mode {
        case .gcm, .ccm: ivLength = 4
        case .chacha: ivLength = 12
        case .cbc: ivLength = suite.blockLength
        case .stream: ivLength = 0
        }
        guard macLength >= 0 else { return nil }
        // Suites that are older than TLS 1.2 take its default there (RFC 5246 §5).
        let isOld = unsafe EVP_MD_get_type(suite.handshakeDigest) == NID_md5_sha1
        let digest = unsafe version < .tls12 ? nil : isOld ? EVP_sha256() : suite.handshakeDigest
        let block = unsafe KeyDerivation.expand(
            masterSecret, "key expansion", serverRandom + clientRandom,
            2 * (macLength + suite.keyLength + ivLength), digest)
        guard block.count == 2 * (macLength + suite.keyLength + ivLength) else { return nil }
        self.suite = suite
        self.version = version
        macKey = Array(block[macLength..<2 * macLength])
        let keys = block[(2 * macLength)...]
        key = Array(keys.dropFirst(suite.keyLength).prefix(suite.keyLength))
        iv = Array(keys.dropFirst(2 * suite.keyLength + ivLength).prefix(ivLength))
    }
}

extension RecordKeys.Suite {
    /// Of the suite that a session has agreed on.
    init?(_ suite: OpaquePointer?) {
        guard let suite = unsafe suite else { return nil }
        let number = unsafe SSL_CIPHER_get_cipher_nid(suite)
        isAEAD = unsafe SSL_CIPHER_is_aead(suite) == 1
        hasShortTag =
            unsafe String(cString: SSL_CIPHER_get_name(suite)).contains("CCM8")
            || SSL_CIPHER_get_protocol_id(suite) == 0x1305
        unsafe handshakeDigest = SSL_CIPHER_get_handshake_digest(suite)
        unsafe digest = isAEAD ? nil : EVP_get_digestbyname(OBJ_nid2sn(SSL_CIPHER_get_digest_nid(suite)))
        guard number != NID_undef else {
            unsafe cipher = nil
            keyLength = 0
            blockLength = 0
            mode = .stream
            return
        }
        guard let cipher = unsafe EVP_get_cipherbyname(OBJ_nid2sn(number)) else { return nil }
        unsafe self.cipher = unsafe cipher
        keyLength = unsafe Int(EVP_CIPHER_get_key_length(cipher))
        blockLength = unsafe Int(EVP_CIPHER_get_block_size(cipher))
        switch unsafe Int32(EVP_CIPHER_get_mode(cipher)) {
        case EVP_CIPH_GCM_MODE: mode = .gcm
        case EVP_CIPH_CCM_MODE: mode = .ccm
        case EVP_CIPH_CBC_MODE: mode = .cbc
        default: mode = isAEAD ? .chacha : .stream
        }
    }
}
