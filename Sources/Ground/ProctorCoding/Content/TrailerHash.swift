internal import COpenSSL

/// A hash that a trailer of `aws-chunked` has, by the trailer's name.
enum TrailerHash: String {
    case sha1 = "x-amz-checksum-sha1"
    case sha256 = "x-amz-checksum-sha256"

    /// nil where the system's OpenSSL does not have it.
    func hash(of bytes: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var byteCount: UInt32 = 0
        let algorithm = unsafe self == .sha1 ? EVP_sha1() : EVP_sha256()
        guard unsafe EVP_Digest(bytes, bytes.count, &digest, &byteCount, algorithm, nil) == 1 else { return nil }
        return Array(digest.prefix(Int(byteCount)))
    }
}
