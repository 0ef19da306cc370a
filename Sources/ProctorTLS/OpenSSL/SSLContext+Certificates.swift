internal import COpenSSL

extension SSLContext {
    /// Shows this chain, as it stands, and proves it by the key.
    func use(chain: [[UInt8]], key: [UInt8], of name: String) throws(TLSRefusal) {
        guard let first = chain.first, let certificate = unsafe OpenSSLObjects.certificate(first) else {
            throw TLSRefusal("the certificate of \(name) is none: \(OpenSSLErrors.takeSentence())")
        }
        defer { unsafe X509_free(certificate) }
        guard let privateKey = unsafe OpenSSLObjects.privateKey(key) else {
            throw TLSRefusal("the key of \(name) is none: \(OpenSSLErrors.takeSentence())")
        }
        defer { unsafe EVP_PKEY_free(privateKey) }
        try call("the certificate of \(name)") { unsafe SSL_CTX_use_certificate(handle, certificate) }
        try call("the key of \(name)") { unsafe SSL_CTX_use_PrivateKey(handle, privateKey) }
        // OpenSSL takes a key of another kind without a word, and has no certificate to it then.
        try call("the key of \(name) to its certificate") {
            unsafe X509_check_private_key(certificate, privateKey)
        }
        for der in chain.dropFirst() {
            guard let more = unsafe OpenSSLObjects.certificate(der) else {
                throw TLSRefusal("a certificate in the chain of \(name) is none: \(OpenSSLErrors.takeSentence())")
            }
            guard unsafe proctor_SSL_CTX_add0_chain_cert(handle, more) == 1 else {
                unsafe X509_free(more)
                throw TLSRefusal("not offered: \(name)'s chain: \(OpenSSLErrors.takeSentence())")
            }
        }
    }

    /// Trusts these alone; each is DER, or PEM of any number.
    func trust(_ anchors: [[UInt8]]) throws(TLSRefusal) {
        let store = unsafe SSL_CTX_get_cert_store(handle)
        for anchor in anchors {
            for der in try Self.certificates(in: anchor) {
                guard let certificate = unsafe OpenSSLObjects.certificate(der) else {
                    throw TLSRefusal("an anchor is no certificate: \(OpenSSLErrors.takeSentence())")
                }
                unsafe X509_STORE_add_cert(store, certificate)
                unsafe X509_free(certificate)
            }
        }
        ERR_clear_error()
    }

    /// DER of every certificate in DER or PEM; at least one.
    static func certificates(in anchor: [UInt8]) throws(TLSRefusal) -> [[UInt8]] {
        guard anchor.first != 0x30 else { return [anchor] }
        ERR_clear_error()
        let memory = unsafe anchor.withUnsafeBytes { unsafe BIO_new_mem_buf($0.baseAddress, Int32(clamping: $0.count)) }
        defer { unsafe BIO_free(memory) }
        var found: [[UInt8]] = []
        while let certificate = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
            found.append(unsafe OpenSSLWords.encoded { unsafe i2d_X509(certificate, $0) })
            unsafe X509_free(certificate)
        }
        guard !found.isEmpty else {
            throw TLSRefusal("it is neither DER nor PEM of a certificate: \(OpenSSLErrors.takeSentence())")
        }
        ERR_clear_error()
        return found
    }
}
