internal import COpenSSL

// What OpenSSL asks a client for.

/// Verifies a server's chain as OpenSSL would, and lets the handshake wait here while somebody is asked.
private func verify(_ store: OpaquePointer?, for session: TLSSession, _ ssl: OpaquePointer) -> Int32 {
    if session.isTrustAnswered {
        guard !session.isTrustGiven else { return 1 }
        // The alert follows from the code (RFC 8446 §6.2).
        let code = session.trust?.code ?? X509_V_ERR_CERT_REJECTED
        unsafe X509_STORE_CTX_set_error(store, code == X509_V_OK ? X509_V_ERR_CERT_REJECTED : code)
        return 0
    }
    let isValid = unsafe X509_verify_cert(store) == 1
    let code = unsafe X509_STORE_CTX_get_error(store)
    session.trust = unsafe TLSTrust(
        code: isValid ? X509_V_OK : code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code,
        chain: OpenSSLObjects.chain(X509_STORE_CTX_get0_untrusted(store)), host: session.host)
    ERR_clear_error()
    if session.asksQuestions {
        unsafe _ = proctor_SSL_set_retry_verify(ssl)
        return 1
    }
    session.isTrustAnswered = true
    session.isTrustGiven = isValid || session.client?.setup.verifies == false
    return session.isTrustGiven ? 1 : 0
}

/// SSL_CTX_set_cert_verify_callback's.
func verifyServer(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let data = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()) else { return 0 }
    let ssl = OpaquePointer(data)
    guard let session = unsafe SessionLink.shared.session(of: ssl) else { return 0 }
    return unsafe verify(store, for: session, ssl)
}

/// SSL_CTX_set_cert_cb's: −1 has the handshake wait.
func chooseIdentity(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let session = unsafe SessionLink.shared.session(of: ssl) else { return 1 }
    session.wasAskedForCertificate = true
    let identity: ClientIdentity?
    if unsafe SSL_is_init_finished(ssl) == 0, session.asksQuestions {
        guard case .given(let answer) = session.identityAnswer else { return -1 }
        identity = answer
    } else if let ask = session.identityAfterHandshake, session.hasCompleted {
        identity = ask(session.authorities)
    } else if case .given(let answer) = session.identityAnswer {
        identity = answer
    } else {
        identity = session.client?.setup.identity
    }
    guard let identity else { return 1 }
    if session.use(identity) { return 1 }
    session.hasUnusableIdentity = true
    return 0
}

/// SSL_CTX_sess_set_new_cb's; 1 says that the session is kept.
func takeTicket(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let owner = unsafe SessionLink.shared.session(of: ssl), let session = unsafe session else { return 0 }
    owner.ticket = unsafe TLSTicket(owning: session)
    return 1
}

extension TLSSession {
    /// Shows this certificate in the handshake under way; false where OpenSSL does not take it.
    func use(_ identity: ClientIdentity) -> Bool {
        guard let first = identity.chain.first, let certificate = unsafe OpenSSLObjects.certificate(first) else {
            return false
        }
        defer { unsafe X509_free(certificate) }
        guard let key = unsafe OpenSSLObjects.privateKey(identity.key) else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_use_certificate(ssl, certificate) == 1, unsafe SSL_use_PrivateKey(ssl, key) == 1 else {
            return false
        }
        // Another request may have come before this one (RFC 8446 §4.6.2).
        unsafe proctor_SSL_clear_chain_certs(ssl)
        for der in identity.chain.dropFirst() {
            guard let more = unsafe OpenSSLObjects.certificate(der) else { return false }
            guard unsafe proctor_SSL_add0_chain_cert(ssl, more) == 1 else {
                unsafe X509_free(more)
                return false
            }
        }
        return true
    }
}
