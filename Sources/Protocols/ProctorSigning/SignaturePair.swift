internal import COpenSSL

/// The numbers r and s of a signature by ECDSA with P-256: 32 bytes each, one after the other (RFC 7518 §3.4), or as DER.
enum SignaturePair {
    static func joined(fromDER der: [UInt8]) -> [UInt8]? {
        let signature = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        guard let signature = unsafe signature else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        guard let first = unsafe BigNumber.bytes(of: ECDSA_SIG_get0_r(signature), count: 32),
            let second = unsafe BigNumber.bytes(of: ECDSA_SIG_get0_s(signature), count: 32)
        else { return nil }
        return first + second
    }

    /// nil unless there are 64 bytes.
    static func der(fromJoined joined: [UInt8]) -> [UInt8]? {
        guard joined.count == 64, let signature = unsafe ECDSA_SIG_new() else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let first = unsafe BigNumber(Array(joined[..<32]))?.release()
        let second = unsafe BigNumber(Array(joined[32...]))?.release()
        guard unsafe ECDSA_SIG_set0(signature, first, second) == 1 else {
            unsafe BN_free(first)
            unsafe BN_free(second)
            return nil
        }
        let count = unsafe i2d_ECDSA_SIG(signature, nil)
        guard count > 0 else { return nil }
        var output = [UInt8](repeating: 0, count: Int(count))
        let written = unsafe output.withUnsafeMutableBufferPointer { target in
            var next = target.baseAddress
            return unsafe i2d_ECDSA_SIG(signature, &next)
        }
        return written == count ? output : nil
    }
}
