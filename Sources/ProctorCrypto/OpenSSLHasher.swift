import COpenSSL
public import ProctorHTTP

/// Hashes for Digest by OpenSSL; safe from any thread.
///
/// The functions are fetched once for the process, which costs more than hashing a short text.
public struct OpenSSLHasher: DigestHasher {
    private let functions: OpenSSLFunctions

    /// Uses what OpenSSL gives; ask ``check()`` before anything depends on all of it.
    public init() { functions = .shared }

    /// Throws where the system's OpenSSL refuses a hash function, as its FIPS mode does for MD5, or computes it wrongly.
    public func check(_ wanted: [HashFunction] = HashFunction.allCases) throws(HashRefusal) {
        for function in wanted {
            var hash: [UInt8] = []
            appendHash(function, of: Array("abc".utf8).span, to: &hash)
            guard hash == function.hashOfABC else {
                throw HashRefusal(function: function, reason: functions.reason(for: function))
            }
        }
    }

    /// Appends the raw hash; nothing where OpenSSL refuses the function, which no response can then equal.
    public func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
        guard let algorithm = unsafe functions.pointer(for: function) else { return }
        let start = output.count
        for _ in 0..<function.byteCount { output.append(0) }
        let isDone = unsafe bytes.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Contexts belong to their thread; making one is cheap once the function is fetched.
                guard let context = unsafe EVP_MD_CTX_new() else { return false }
                defer { unsafe EVP_MD_CTX_free(context) }
                guard let base = target.baseAddress else { return false }
                return unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1
                    && EVP_DigestUpdate(context, source.baseAddress, source.count) == 1
                    && EVP_DigestFinal_ex(context, base + start, nil) == 1
            }
        }
        if !isDone { output.removeSubrange(start...) }
    }
}
