internal import COpenSSL

/// What OpenSSL reads in a certificate, whoever made it.
struct X509Facts {
    /// DER of the Name.
    let subject: [UInt8]
    /// As `CN=Alice,O=Proctor` (RFC 2253).
    let subjectText: String
    /// DER of SubjectPublicKeyInfo.
    let publicKey: [UInt8]
    /// In seconds from `now`.
    private let notBefore: Int64
    private let notAfter: Int64

    /// nil for what is no certificate, or has more behind it.
    init?(_ der: [UInt8]) {
        _ = OpenSSLStart.once
        defer { ERR_clear_error() }
        var readCount = 0
        let certificate = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            let certificate = unsafe d2i_X509(nil, &cursor, bytes.count)
            if let start = bytes.baseAddress, let end = unsafe cursor { unsafe readCount = end - start }
            return unsafe certificate
        }
        guard let certificate = unsafe certificate else { return nil }
        defer { unsafe X509_free(certificate) }
        guard readCount == der.count, let name = unsafe X509_get_subject_name(certificate) else { return nil }
        subject = unsafe OpenSSLWords.encoded { unsafe i2d_X509_NAME(name, $0) }
        publicKey = unsafe OpenSSLWords.encoded { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
        subjectText = unsafe Self.text(name)
        unsafe notBefore = Self.seconds(X509_get0_notBefore(certificate))
        unsafe notAfter = Self.seconds(X509_get0_notAfter(certificate))
    }

    func isValid(at seconds: Int64) -> Bool { notBefore <= seconds && seconds <= notAfter }

    private static func text(_ name: OpaquePointer) -> String {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer { unsafe BIO_free(memory) }
        unsafe proctor_X509_NAME_print(memory, name)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// Since 1970; the beginning of time where it is no time.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return .min }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var rest: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return .min }
        return Int64(days) * DER.day + Int64(rest)
    }
}
