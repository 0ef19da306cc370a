internal import COpenSSL

extension RecordKeys {
    /// A whole record; nil where OpenSSL refuses.
    ///
    /// `lastBlock` is the end of the record before, which TLS 1.0 chains to (RFC 2246 §6.2.3.2).
    func seal(_ content: [UInt8], type: UInt8, sequence: UInt64, lastBlock: [UInt8]) -> [UInt8]? {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
        if version == .tls13 {
            let inner = content + [type]
            let head = Self.head(23, .tls12, inner.count + tagLength)
            return sealed(inner, nonce: Self.xor(iv, number), extra: head).map { head + $0 }
        }
        let extra = number + Self.head(type, version, content.count)
        let fragment: [UInt8]?
        switch suite.mode {
        case .gcm, .ccm: fragment = sealed(content, nonce: iv + number, extra: extra).map { number + $0 }
        case .chacha: fragment = sealed(content, nonce: Self.xor(iv, number), extra: extra)
        case .stream:
            // RC4 is nowhere any more; the null cipher is.
            guard unsafe suite.cipher == nil else { return nil }
            fragment = unsafe content + KeyDerivation.mac(suite.digest, macKey, extra + content)
        case .cbc: fragment = chained(content, extra, sequence, lastBlock)
        }
        return fragment.map { Self.head(type, version, $0.count) + $0 }
    }

    private func chained(_ content: [UInt8], _ extra: [UInt8], _ sequence: UInt64, _ lastBlock: [UInt8]) -> [UInt8]? {
        var plain = unsafe content + KeyDerivation.mac(suite.digest, macKey, extra + content)
        let padding = suite.blockLength - 1 - plain.count % suite.blockLength
        plain += [UInt8](repeating: UInt8(padding), count: padding + 1)
        guard version == .tls10 else {
            // Any IV does that differs from those before.
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

    /// AES-CCM-8 has a short one (RFC 6655 §4).
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
            // It wants the length first.
            guard unsafe EVP_EncryptUpdate(context, nil, &count, nil, Int32(plain.count)) == 1 else { return nil }
        }
        guard unsafe EVP_EncryptUpdate(context, nil, &count, extra, Int32(extra.count)) == 1,
            unsafe EVP_EncryptUpdate(context, &result, &count, plain, Int32(plain.count)) == 1,
            unsafe EVP_EncryptFinal_ex(context, nil, &count) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
        else { return nil }
        return result + tag
    }

    /// Of a record (RFC 8446 §5.1).
    static func head(_ type: UInt8, _ version: TLSVersion, _ count: Int) -> [UInt8] {
        [type, UInt8(version.rawValue >> 8), UInt8(version.rawValue & 0xFF), UInt8(count >> 8), UInt8(count & 0xFF)]
    }

    /// The nonce of RFC 8446 §5.3 and RFC 7905 §2.
    private static func xor(_ iv: [UInt8], _ number: [UInt8]) -> [UInt8] {
        var nonce = iv
        for (index, byte) in number.enumerated() where nonce.count >= 8 { nonce[nonce.count - 8 + index] ^= byte }
        return nonce
    }
}
