internal import COpenSSL

/// Certificates and keys as OpenSSL holds them, made from DER; who calls owns them.
enum OpenSSLObjects {
    /// An `X509`.
    static func certificate(_ der: [UInt8]) -> OpaquePointer? {
        _ = OpenSSLStart.once
        return unsafe der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_X509(nil, &cursor, bytes.count)
        }
    }

    /// An `EVP_PKEY`.
    static func privateKey(_ der: [UInt8]) -> OpaquePointer? {
        _ = OpenSSLStart.once
        return unsafe der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &cursor, bytes.count)
        }
    }

    /// DER of each certificate of a stack that somebody else owns.
    static func chain(_ stack: OpaquePointer?) -> [[UInt8]] {
        let count = unsafe proctor_sk_X509_num(stack)
        return (0..<max(0, count)).map { index in
            let certificate = unsafe proctor_sk_X509_value(stack, index)
            return unsafe OpenSSLWords.encoded { unsafe i2d_X509(certificate, $0) }
        }
    }

    /// DER of each name of a list that somebody else owns.
    static func names(_ stack: OpaquePointer?) -> [[UInt8]] {
        let count = unsafe proctor_sk_X509_NAME_num(stack)
        return (0..<max(0, count)).map { index in
            let name = unsafe proctor_sk_X509_NAME_value(stack, index)
            return unsafe OpenSSLWords.encoded { unsafe i2d_X509_NAME(name, $0) }
        }
    }
}
