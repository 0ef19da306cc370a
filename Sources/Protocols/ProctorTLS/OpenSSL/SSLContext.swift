internal import COpenSSL
package import ProctorTLSWire

/// The owner of one `SSL_CTX`; it does not change after set-up, so any thread may make sessions.
@safe package final class SSLContext: Sendable {
    private let object: SharedObject
    package var handle: OpaquePointer { unsafe object.pointer }

    /// OpenSSL's version, for messages.
    static let library = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))

    package init(isServer: Bool) throws(TLSSetupError) {
        _ = OpenSSLStart.once
        ERR_clear_error()
        guard let handle = unsafe SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw TLSSetupError("OpenSSL gives no TLS at all: \(OpenSSLErrors.takeSentence())")
        }
        object = unsafe SharedObject(owning: handle) { unsafe SSL_CTX_free($0) }
        unsafe proctor_SSL_CTX_set_mode(
            handle,
            Int(
                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN))
        unsafe proctor_SSL_CTX_set_read_ahead(handle, 1)
        // The configuration of the system may forbid what a scenario needs.
        unsafe SSL_CTX_clear_options(handle, proctor_SSL_OP_ALL_VERSIONS)
        unsafe SSL_CTX_set_options(
            handle,
            proctor_SSL_OP_NO_COMPRESSION | proctor_SSL_OP_NO_RENEGOTIATION | proctor_SSL_OP_CIPHER_SERVER_PREFERENCE)
    }

    package func set(
        versions: ClosedRange<TLSVersion>, securityLevel: Int, ciphers: String?, suites: String?,
        groups: String?
    ) throws(TLSSetupError) {
        unsafe SSL_CTX_set_security_level(handle, Int32(clamping: securityLevel))
        // OpenSSL's level 0 still refuses small groups.
        if securityLevel == 0 { unsafe SSL_CTX_set_security_callback(handle) { _, _, _, _, _, _, _ in 1 } }
        let oldest = unsafe proctor_SSL_CTX_set_min_proto_version(handle, Int32(versions.lowerBound.number))
        let newest = unsafe proctor_SSL_CTX_set_max_proto_version(handle, Int32(versions.upperBound.number))
        guard oldest == 1, newest == 1 else {
            throw notOffered("TLS \(versions.lowerBound.rawValue) to \(versions.upperBound.rawValue)")
        }
        try call("the ciphers \"\(ciphers ?? "DEFAULT")\"") {
            unsafe SSL_CTX_set_cipher_list(handle, ciphers ?? "DEFAULT")
        }
        if let suites {
            try call("the cipher suites \"\(suites)\"") { unsafe SSL_CTX_set_ciphersuites(handle, suites) }
        }
        if let groups {
            try call("the groups \"\(groups)\"") { unsafe proctor_SSL_CTX_set1_groups_list(handle, groups) }
        }
    }

    /// Throws an error that begins with "not offered" and names `subject` if OpenSSL refuses.
    package func call(_ subject: @autoclosure () -> String, _ body: () -> Int32) throws(TLSSetupError) {
        ERR_clear_error()
        guard body() == 1 else { throw notOffered(subject()) }
    }

    private func notOffered(_ subject: String) -> TLSSetupError {
        TLSSetupError("not offered: OpenSSL \(Self.library) does not take \(subject): \(OpenSSLErrors.takeSentence())")
    }
}

extension SSLContext {
    /// Uses exactly this chain and its key.
    package func use(chain: [[UInt8]], key: [UInt8], of name: String) throws(TLSSetupError) {
        guard let first = chain.first, let certificate = unsafe OpenSSLObjects.certificate(first) else {
            throw TLSSetupError("the certificate of \(name) is none: \(OpenSSLErrors.takeSentence())")
        }
        defer { unsafe X509_free(certificate) }
        guard let privateKey = unsafe OpenSSLObjects.privateKey(key) else {
            throw TLSSetupError("the key of \(name) is none: \(OpenSSLErrors.takeSentence())")
        }
        defer { unsafe EVP_PKEY_free(privateKey) }
        try call("the certificate of \(name)") { unsafe SSL_CTX_use_certificate(handle, certificate) }
        try call("the key of \(name)") { unsafe SSL_CTX_use_PrivateKey(handle, privateKey) }
        // OpenSSL accepts a key of another kind without an error, and then has no certificate.
        try call("the key of \(name) to its certificate") {
            unsafe X509_check_private_key(certificate, privateKey)
        }
        for der in chain.dropFirst() {
            guard let more = unsafe OpenSSLObjects.certificate(der) else {
                throw TLSSetupError("a certificate in the chain of \(name) is none: \(OpenSSLErrors.takeSentence())")
            }
            guard unsafe proctor_SSL_CTX_add0_chain_cert(handle, more) == 1 else {
                unsafe X509_free(more)
                throw TLSSetupError("not offered: \(name)'s chain: \(OpenSSLErrors.takeSentence())")
            }
        }
    }

    /// Trusts only these certificates; each element is DER, or PEM of any number.
    func trust(_ anchors: [[UInt8]]) throws(TLSSetupError) {
        let store = unsafe SSL_CTX_get_cert_store(handle)
        for anchor in anchors {
            for der in try Self.certificates(in: anchor) {
                guard let certificate = unsafe OpenSSLObjects.certificate(der) else {
                    throw TLSSetupError("an anchor is no certificate: \(OpenSSLErrors.takeSentence())")
                }
                unsafe X509_STORE_add_cert(store, certificate)
                unsafe X509_free(certificate)
            }
        }
        ERR_clear_error()
    }

    /// DER of every certificate in DER or PEM; at least one.
    static func certificates(in anchor: [UInt8]) throws(TLSSetupError) -> [[UInt8]] {
        guard anchor.first != 0x30 else { return [anchor] }
        ERR_clear_error()
        let memory = unsafe anchor.withUnsafeBytes { unsafe BIO_new_mem_buf($0.baseAddress, Int32(clamping: $0.count)) }
        defer { unsafe BIO_free(memory) }
        var encoded: [[UInt8]] = []
        while let certificate = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
            encoded.append(unsafe OpenSSLObjects.encoded { unsafe i2d_X509(certificate, $0) })
            unsafe X509_free(certificate)
        }
        guard !encoded.isEmpty else {
            throw TLSSetupError("it is neither DER nor PEM of a certificate: \(OpenSSLErrors.takeSentence())")
        }
        ERR_clear_error()
        return encoded
    }
}

/// Groups for finite-field Diffie–Hellman by their size.
enum DiffieHellmanGroup {
    static let sizes = [512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192]

    /// An `EVP_PKEY` that the caller owns; nil for another size.
    static func parameters(bits: Int) -> OpaquePointer? {
        _ = OpenSSLStart.once
        switch bits {
        case 512: return unsafe makeParameters(primeFrom: BN_bin2bn(safePrime512, Int32(safePrime512.count), nil))
        // Oakley's groups (RFC 2409 §6.1, §6.2).
        case 768: return unsafe makeParameters(primeFrom: BN_get_rfc2409_prime_768(nil))
        case 1024: return unsafe makeParameters(primeFrom: BN_get_rfc2409_prime_1024(nil))
        case 1536: return unsafe makeParameters(primeFrom: BN_get_rfc3526_prime_1536(nil))
        case 2048, 3072, 4096, 6144, 8192: return unsafe parameters(named: "ffdhe\(bits)")
        default: return nil
        }
    }

    private static func parameters(named name: String) -> OpaquePointer? {
        var key: OpaquePointer?
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "DH", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_paramgen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, name) == 1
        else { return nil }
        unsafe EVP_PKEY_paramgen(context, &key)
        return unsafe key
    }

    /// Takes ownership of the prime; the generator is 2.
    private static func makeParameters(primeFrom prime: OpaquePointer?) -> OpaquePointer? {
        defer { unsafe BN_free(prime) }
        guard let prime = unsafe prime, let generator = unsafe BN_new() else { return nil }
        defer { unsafe BN_free(generator) }
        unsafe BN_set_word(generator, 2)
        guard let builder = unsafe OSSL_PARAM_BLD_new() else { return nil }
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        // The builder keeps the pointers to the names, so these must live long enough.
        unsafe OSSL_PARAM_BLD_push_BN(builder, lasting("p"), prime)
        unsafe OSSL_PARAM_BLD_push_BN(builder, lasting("g"), generator)
        guard let list = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { unsafe OSSL_PARAM_free(list) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "DH", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        unsafe EVP_PKEY_fromdata(context, &key, proctor_EVP_PKEY_KEY_PARAMETERS, list)
        return unsafe key
    }

    private static func lasting(_ name: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// No standard defines so small a prime; p and (p − 1) / 2 are prime.
    private static let safePrime512: [UInt8] = [
        0xBA, 0xB3, 0x88, 0x75, 0x94, 0xD2, 0xCC, 0x10, 0xC6, 0xE9, 0x7C, 0x04, 0x7A, 0x7D, 0x88, 0xD6,
        0x1F, 0x37, 0x86, 0x75, 0x92, 0x60, 0x92, 0x56, 0x03, 0xAD, 0xF1, 0x92, 0x93, 0x69, 0x5D, 0x7D,
        0x95, 0x1A, 0x0E, 0x4A, 0x90, 0xDB, 0xA4, 0xE9, 0x34, 0x4A, 0xCF, 0x44, 0xB7, 0x71, 0x5F, 0x62,
        0x0E, 0xD6, 0xD0, 0x2E, 0x52, 0xBE, 0x67, 0x54, 0x9A, 0x39, 0x9B, 0x84, 0xB9, 0xB1, 0x30, 0x6F,
    ]
}
