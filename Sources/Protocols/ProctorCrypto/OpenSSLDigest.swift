import COpenSSL

/// Hashes by OpenSSL, with the names that programs use; safe from any thread.
package enum OpenSSLDigest {
    /// OpenSSL's names for ours.
    private static let names = ["md5": "MD5", "sha1": "SHA1", "sha256": "SHA256", "sha512": "SHA512"]

    /// nil for another name, and if OpenSSL refuses the function, as its FIPS mode does with MD5.
    package static func hash(_ name: String, of bytes: [UInt8]) -> [UInt8]? {
        guard let name = names[name] else { return nil }
        _ = OpenSSLFunctions.shared
        var output = [UInt8](repeating: 0, count: 64)
        var count = 0
        let isDone = unsafe bytes.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe EVP_Q_digest(nil, name, nil, source.baseAddress, source.count, target.baseAddress, &count) == 1
            }
        }
        return isDone ? Array(output.prefix(count)) : nil
    }
}
