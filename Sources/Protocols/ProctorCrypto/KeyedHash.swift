import COpenSSL

/// HMAC by OpenSSL (RFC 2104); safe from any thread.
package enum KeyedHash {
    /// 32 bytes; nil where OpenSSL refuses SHA-256.
    package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
        hmac("SHA256", byteCount: 32, bytes, key: key)
    }

    /// `byteCount` is that of the hash function; the key is not empty.
    static func hmac(_ function: String, byteCount: Int, _ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
        _ = OpenSSLFunctions.shared
        var output = [UInt8](repeating: 0, count: byteCount)
        var count = 0
        let isDone = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe key.withUnsafeBytes { key in
                unsafe output.withUnsafeMutableBufferPointer { target in
                    unsafe EVP_Q_mac(
                        nil, "HMAC", nil, function, nil, key.baseAddress, key.count, source.baseAddress, source.count,
                        target.baseAddress, target.count, &count) != nil
                }
            }
        }
        return isDone && count == output.count ? output : nil
    }
}
