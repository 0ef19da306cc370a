internal import COpenSSL

/// The owner of one `SSL_CTX`; complete before anybody else sees it, so any thread may make sessions of it.
@safe final class SSLContext: @unchecked Sendable {
    let handle: OpaquePointer

    /// What OpenSSL is that we talk about in refusals.
    static let library = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))

    init(isServer: Bool) throws(TLSRefusal) {
        _ = OpenSSLStart.once
        ERR_clear_error()
        guard let handle = unsafe SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw TLSRefusal("OpenSSL gives no TLS at all: \(OpenSSLErrors.takeSentence())")
        }
        unsafe self.handle = unsafe handle
        unsafe proctor_SSL_CTX_set_mode(
            handle,
            Int(
                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN))
        unsafe proctor_SSL_CTX_set_read_ahead(handle, 1)
        // The system's configuration may forbid what a fixture is about.
        unsafe SSL_CTX_clear_options(handle, proctor_SSL_OP_ALL_VERSIONS)
        unsafe SSL_CTX_set_options(
            handle,
            proctor_SSL_OP_NO_COMPRESSION | proctor_SSL_OP_NO_RENEGOTIATION | proctor_SSL_OP_CIPHER_SERVER_PREFERENCE)
    }

    deinit {
        unsafe SSL_CTX_free(handle)
    }

    /// Everything about algorithms; before the certificate, which the security level holds for too.
    func set(
        versions: ClosedRange<TLSVersion>, securityLevel: Int, cipherList: String?, cipherSuites: String?,
        groups: String?
    ) throws(TLSRefusal) {
        unsafe SSL_CTX_set_security_level(handle, Int32(clamping: securityLevel))
        // Its own level 0 still refuses small groups.
        if securityLevel == 0 { unsafe SSL_CTX_set_security_callback(handle) { _, _, _, _, _, _, _ in 1 } }
        let oldest = unsafe proctor_SSL_CTX_set_min_proto_version(handle, Int32(versions.lowerBound.rawValue))
        let newest = unsafe proctor_SSL_CTX_set_max_proto_version(handle, Int32(versions.upperBound.rawValue))
        guard oldest == 1, newest == 1 else {
            throw notOffered("TLS \(versions.lowerBound.text) to \(versions.upperBound.text)")
        }
        try call("the ciphers \"\(cipherList ?? "DEFAULT")\"") {
            unsafe SSL_CTX_set_cipher_list(handle, cipherList ?? "DEFAULT")
        }
        if let cipherSuites {
            try call("the cipher suites \"\(cipherSuites)\"") { unsafe SSL_CTX_set_ciphersuites(handle, cipherSuites) }
        }
        if let groups {
            try call("the groups \"\(groups)\"") { unsafe proctor_SSL_CTX_set1_groups_list(handle, groups) }
        }
    }

    /// Refuses with what `subject` is not offered for, when OpenSSL does.
    func call(_ subject: @autoclosure () -> String, _ body: () -> Int32) throws(TLSRefusal) {
        ERR_clear_error()
        guard body() == 1 else { throw notOffered(subject()) }
    }

    private func notOffered(_ subject: String) -> TLSRefusal {
        TLSRefusal("not offered: OpenSSL \(Self.library) does not take \(subject): \(OpenSSLErrors.takeSentence())")
    }
}
