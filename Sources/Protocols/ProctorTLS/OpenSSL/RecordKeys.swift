internal import COpenSSL
internal import ProctorBase
package import ProctorTLSWire

/// The keys for the records of one side; computed here, since OpenSSL has no call to send an arbitrary alert.
package struct RecordKeys {
    /// The algorithms of a cipher suite.
    @safe package struct Suite {
        /// An `EVP_CIPHER` owned by OpenSSL; nil for the null cipher.
        let cipher: OpaquePointer?
        let keyLength: Int
        let blockLength: Int
        /// The hash of the MAC, for TLS 1.2 and older without AEAD.
        let digest: OpaquePointer?
        /// The hash of the key schedule.
        let handshakeDigest: OpaquePointer?
        let isAEAD: Bool
        let hasShortTag: Bool
        let mode: Mode

        enum Mode { case gcm, ccm, chacha, cbc, stream }
    }

    let suite: Suite
    let version: TLSVersion
    let key: [UInt8]
    /// CBC in TLS 1.0: the IV of the first record; AEAD: the fixed part of the nonce.
    let iv: [UInt8]
    let macKey: [UInt8]

    /// The keys of TLS 1.3 from a traffic secret after `updates` key updates (RFC 8446 §7.2, §7.3).
    package init?(suite: Suite, trafficSecret: [UInt8], updates: Int) {
        guard let digest = unsafe suite.handshakeDigest, updates >= 0, updates < 1024 else { return nil }
        var secret = trafficSecret
        for _ in 0..<updates {
            secret = unsafe KeyDerivation.expandLabel("traffic upd", of: secret, by: digest, count: secret.count)
        }
        self.suite = suite
        version = .tls13
        key = unsafe KeyDerivation.expandLabel("key", of: secret, by: digest, count: suite.keyLength)
        iv = unsafe KeyDerivation.expandLabel("iv", of: secret, by: digest, count: 12)
        macKey = []
    }

    /// The server's keys up to TLS 1.2 (RFC 5246 §6.3).
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
        // The suites from before TLS 1.2 use its default hash in TLS 1.2 (RFC 5246 §5).
        let isOld = unsafe EVP_MD_get_type(suite.handshakeDigest) == NID_md5_sha1
        let digest = unsafe version < .tls12 ? nil : isOld ? EVP_sha256() : suite.handshakeDigest
        let block = unsafe KeyDerivation.expand(
            masterSecret, "key expansion", seed: serverRandom + clientRandom, by: digest,
            count: 2 * (macLength + suite.keyLength + ivLength))
        guard block.count == 2 * (macLength + suite.keyLength + ivLength) else { return nil }
        (self.suite, self.version) = (suite, version)
        macKey = Array(block[macLength..<2 * macLength])
        let keys = block[(2 * macLength)...]
        key = Array(keys.dropFirst(suite.keyLength).prefix(suite.keyLength))
        iv = Array(keys.dropFirst(2 * suite.keyLength + ivLength).prefix(ivLength))
    }
}

extension RecordKeys.Suite {
    /// The suite of a session.
    package init?(_ suite: OpaquePointer?) {
        guard let suite = unsafe suite else { return nil }
        let number = unsafe SSL_CIPHER_get_cipher_nid(suite)
        isAEAD = unsafe SSL_CIPHER_is_aead(suite) == 1
        hasShortTag =
            unsafe String(cString: SSL_CIPHER_get_name(suite)).contains(text: "CCM8")
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

extension RecordKeys {
    /// A complete record; nil if OpenSSL refuses.
    ///
    /// `lastBlock` is the end of the previous record, which TLS 1.0 uses as IV (RFC 2246 §6.2.3.2).
    package func seal(_ content: [UInt8], type: UInt8, sequence: UInt64, lastBlock: [UInt8]) -> [UInt8]? {
        let number = sequence.bigEndianBytes
        if version == .tls13 {
            let inner = content + [type]
            let head = Self.head(23, .tls12, byteCount: inner.count + tagLength)
            return sealed(inner, nonce: Self.xor(iv, number), extra: head).map { head + $0 }
        }
        let extra = number + Self.head(type, version, byteCount: content.count)
        let fragment: [UInt8]?
        switch suite.mode {
        case .gcm, .ccm: fragment = sealed(content, nonce: iv + number, extra: extra).map { number + $0 }
        case .chacha: fragment = sealed(content, nonce: Self.xor(iv, number), extra: extra)
        case .stream:
            // RC4 is not supported; the null cipher is.
            guard unsafe suite.cipher == nil else { return nil }
            fragment = unsafe content + KeyDerivation.mac(of: extra + content, key: macKey, by: suite.digest)
        case .cbc: fragment = chained(content, extra: extra, sequence: sequence, lastBlock: lastBlock)
        }
        return fragment.map { Self.head(type, version, byteCount: $0.count) + $0 }
    }

    private func chained(_ content: [UInt8], extra: [UInt8], sequence: UInt64, lastBlock: [UInt8]) -> [UInt8]? {
        var plain = unsafe content + KeyDerivation.mac(of: extra + content, key: macKey, by: suite.digest)
        let padding = suite.blockLength - 1 - plain.count % suite.blockLength
        plain += [UInt8](repeating: UInt8(padding), count: padding + 1)
        guard version == .tls10 else {
            // Any IV that was not used before is permitted.
            let iv = KeyDerivation.block(of: sequence, count: suite.blockLength)
            return crypted(plain, iv: iv).map { iv + $0 }
        }
        return crypted(plain, iv: sequence == 0 ? iv : Array(lastBlock.suffix(suite.blockLength)))
    }

    private func crypted(_ plain: [UInt8], iv: [UInt8]) -> [UInt8]? {
        guard iv.count == suite.blockLength, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var result = [UInt8](repeating: 0, count: plain.count)
        var count: Int32 = 0
        guard unsafe EVP_EncryptInit_ex(context, suite.cipher, nil, key, iv) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            unsafe EVP_EncryptUpdate(context, &result, &count, plain, Int32(plain.count)) == 1,
            Int(count) == plain.count
        else { return nil }
        return result
    }

    /// AES-CCM-8 has a tag of 8 bytes (RFC 6655 §4).
    private var tagLength: Int { suite.hasShortTag ? 8 : 16 }

    private func sealed(_ plain: [UInt8], nonce: [UInt8], extra: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var result = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: tagLength)
        var count: Int32 = 0
        guard unsafe EVP_EncryptInit_ex(context, suite.cipher, nil, nil, nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
        else { return nil }
        if suite.mode == .ccm {
            guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), nil) == 1 else {
                return nil
            }
        }
        guard unsafe EVP_EncryptInit_ex(context, nil, nil, key, nonce) == 1 else { return nil }
        if suite.mode == .ccm {
            // CCM needs the length before the content.
            guard unsafe EVP_EncryptUpdate(context, nil, &count, nil, Int32(plain.count)) == 1 else { return nil }
        }
        guard unsafe EVP_EncryptUpdate(context, nil, &count, extra, Int32(extra.count)) == 1,
            unsafe EVP_EncryptUpdate(context, &result, &count, plain, Int32(plain.count)) == 1,
            unsafe EVP_EncryptFinal_ex(context, nil, &count) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
        else { return nil }
        return result + tag
    }

    /// The header of a record (RFC 8446 §5.1).
    package static func head(_ type: UInt8, _ version: TLSVersion, byteCount count: Int) -> [UInt8] {
        [type, UInt8(version.number >> 8), UInt8(version.number & 0xFF), UInt8(count >> 8), UInt8(count & 0xFF)]
    }

    /// The nonce of RFC 8446 §5.3 and RFC 7905 §2.
    private static func xor(_ iv: [UInt8], _ number: [UInt8]) -> [UInt8] {
        var nonce = iv
        for (index, byte) in number.enumerated() where nonce.count >= 8 { nonce[nonce.count - 8 + index] ^= byte }
        return nonce
    }
}

package enum KeyDerivation {
    /// HKDF-Expand-Label (RFC 8446 §7.1), for at most one block of the digest; `context` is a hash, or empty.
    package static func expandLabel(
        _ label: String, of secret: [UInt8], context: [UInt8] = [], by digest: OpaquePointer, count: Int
    ) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let information =
            [UInt8(count >> 8), UInt8(count & 0xFF), UInt8(name.count)] + name + [UInt8(context.count)] + context
        return unsafe Array(mac(of: information + [1], key: secret, by: digest).prefix(count))
    }

    /// The pseudorandom function: RFC 5246 §5 with a digest, RFC 2246 §5 without one.
    static func expand(
        _ secret: [UInt8], _ label: String, seed: [UInt8], by digest: OpaquePointer?, count: Int
    ) -> [UInt8] {
        let seed = Array(label.utf8) + seed
        if let digest = unsafe digest { return unsafe expand(secret, seed: seed, by: digest, count: count) }
        let half = (secret.count + 1) / 2
        let first = unsafe expand(Array(secret.prefix(half)), seed: seed, by: EVP_md5(), count: count)
        let second = unsafe expand(Array(secret.suffix(half)), seed: seed, by: EVP_sha1(), count: count)
        return zip(first, second).map { $0 ^ $1 }
    }

    private static func expand(
        _ secret: [UInt8], seed: [UInt8], by digest: OpaquePointer?, count: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var chain = seed
        while bytes.count < count {
            chain = unsafe mac(of: chain, key: secret, by: digest)
            guard !chain.isEmpty else { return [] }
            bytes += unsafe mac(of: chain + seed, key: secret, by: digest)
        }
        return Array(bytes.prefix(count))
    }

    /// The number as a big-endian block of `count` bytes.
    static func block(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { index in
            let shift = 8 * (count - 1 - index)
            return shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0xA5
        }
    }

    /// HMAC; empty if OpenSSL refuses.
    package static func mac(of bytes: [UInt8], key: [UInt8], by digest: OpaquePointer?) -> [UInt8] {
        _ = OpenSSLStart.once
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe HMAC(digest, key, Int32(key.count), bytes, bytes.count, &result, &count) != nil else { return [] }
        return Array(result.prefix(Int(count)))
    }
}
