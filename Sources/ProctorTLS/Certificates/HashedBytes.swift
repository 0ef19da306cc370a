internal import COpenSSL

/// Hashes of whole byte strings.
enum HashedBytes {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { unsafe hash(bytes, EVP_sha256()) }

    /// For OCSP, whose requests name an issuer by it (RFC 6960 §4.1.1).
    static func sha1(_ bytes: [UInt8]) -> [UInt8] { unsafe hash(bytes, EVP_sha1()) }

    /// Empty where OpenSSL refuses the function.
    private static func hash(_ bytes: [UInt8], _ function: OpaquePointer?) -> [UInt8] {
        _ = OpenSSLStart.once
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = unsafe EVP_Digest(bytes, bytes.count, &hash, &count, function, nil) == 1
        return isDone ? Array(hash.prefix(Int(count))) : []
    }
}
