internal import COpenSSL

/// How TLS makes keys of secrets.
enum KeyDerivation {
    /// HKDF-Expand-Label without a context (RFC 8446 §7.1), for no more than the digest gives at once.
    static func expandLabel(_ digest: OpaquePointer, _ secret: [UInt8], _ label: String, _ count: Int) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let information = [UInt8(count >> 8), UInt8(count & 0xFF), UInt8(name.count)] + name + [0]
        return unsafe Array(mac(digest, secret, information + [1]).prefix(count))
    }

    /// The pseudorandom function: of RFC 5246 §5 by a digest, of RFC 2246 §5 without one.
    static func expand(
        _ secret: [UInt8], _ label: String, _ seed: [UInt8], _ count: Int, _ digest: OpaquePointer?
    ) -> [UInt8] {
        let seed = Array(label.utf8) + seed
        if let digest = unsafe digest { return unsafe expand(digest, secret, seed, count) }
        let half = (secret.count + 1) / 2
        let first = unsafe expand(EVP_md5(), Array(secret.prefix(half)), seed, count)
        let second = unsafe expand(EVP_sha1(), Array(secret.suffix(half)), seed, count)
        return zip(first, second).map { $0 ^ $1 }
    }

    private static func expand(
        _ digest: OpaquePointer?, _ secret: [UInt8], _ seed: [UInt8], _ count: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var chain = seed
        while bytes.count < count {
            chain = unsafe mac(digest, secret, chain)
            guard !chain.isEmpty else { return [] }
            bytes += unsafe mac(digest, secret, chain + seed)
        }
        return Array(bytes.prefix(count))
    }

    /// A number as a block that big.
    static func block(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { index in
            let shift = 8 * (count - 1 - index)
            return shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0xA5
        }
    }

    /// HMAC; empty where OpenSSL refuses.
    static func mac(_ digest: OpaquePointer?, _ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        _ = OpenSSLStart.once
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe HMAC(digest, key, Int32(key.count), bytes, bytes.count, &result, &count) != nil else { return [] }
        return Array(result.prefix(Int(count)))
    }
}
