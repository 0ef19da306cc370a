internal import COpenSSL

// How the server's clients prove who they are.
extension TLSServerContext {
    func setClientCertificates(by authority: [UInt8]?) throws(TLSRefusal) {
        let handle = unsafe context.handle
        var mode = SSL_VERIFY_PEER
        switch setup.clientCertificate {
        case .none: return
        case .requested: break
        case .required: mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT
        case .afterHandshake:
            guard setup.versions.lowerBound == .tls13 else {
                throw TLSRefusal(
                    "not offered: a client's certificate after the handshake needs TLS 1.3; up to TLS 1.2 it takes a "
                        + "renegotiation, and there is none")
            }
            mode |= SSL_VERIFY_POST_HANDSHAKE
        }
        guard let authority, let root = unsafe OpenSSLObjects.certificate(authority) else {
            throw TLSRefusal("clients are to show certificates, and there is no authority to verify them by")
        }
        defer { unsafe X509_free(root) }
        try context.trust([authority])
        unsafe SSL_CTX_set_verify(handle, mode, nil)
        unsafe SSL_CTX_set_cert_verify_callback(handle, verifyClient, nil)
        guard let names = unsafe proctor_sk_X509_NAME_new() else { return }
        switch setup.clientAuthorities {
        case .ours: unsafe _ = proctor_sk_X509_NAME_push(names, X509_NAME_dup(X509_get_subject_name(root)))
        case .others: unsafe _ = proctor_sk_X509_NAME_push(names, Self.otherAuthority)
        case .none: break
        }
        unsafe SSL_CTX_set0_CA_list(handle, names)
    }

    /// A name that no authority of ours has.
    private static var otherAuthority: OpaquePointer? {
        guard let name = unsafe X509_NAME_new() else { return nil }
        let text = Array("an authority that nobody has a certificate of".utf8)
        unsafe _ = X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0)
        return unsafe name
    }
}

/// SSL_CTX_set_cert_verify_callback's: as OpenSSL does it, but what a refused client showed is kept.
private func verifyClient(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    if let data = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let session = unsafe SessionLink.shared.session(of: OpaquePointer(data))
    {
        session.shownChain = unsafe OpenSSLObjects.chain(X509_STORE_CTX_get0_untrusted(store))
    }
    return unsafe X509_verify_cert(store)
}
