internal import COpenSSL
package import ProctorTLSWire

/// A server's certificate and settings for any number of connections; owns OpenSSL's SSL_CTX.
///
/// Safe from any thread. A session can be resumed only with the same context.
@safe package final class TLSServerContext: Sendable {
    package let setup: TLSProgram
    /// The certificate chain that the server sends, and its key.
    package let identity: ServerIdentity
    let context: SSLContext
    let keyLog: KeyLog?
    /// Keeps the answer of the ALPN callback in memory.
    private let forcedProtocol: SharedObject?
    private let forcedByteCount: Int

    /// Throws if OpenSSL refuses a setting; takes milliseconds.
    ///
    /// `clientAuthority`, in DER, verifies clients' certificates; it is required if the server requests one.
    package init(
        _ setup: TLSProgram, identity: ServerIdentity, clientAuthority: [UInt8]? = nil, keyLog: KeyLog? = nil
    ) throws(TLSSetupError) {
        let setup = try Self.bounded(setup, by: identity)
        (self.setup, self.identity, self.keyLog) = (setup, identity, keyLog)
        context = try SSLContext(isServer: true)
        (forcedProtocol, forcedByteCount) = Self.forcedProtocol(of: setup)
        try context.set(
            versions: setup.versions, securityLevel: Self.securityLevel(for: setup, identity),
            ciphers: setup.ciphers, suites: setup.suites, groups: setup.groups)
        try setGroup(bits: setup.dhBits)
        try context.use(chain: identity.chain, key: identity.key, of: identity.profile)
        try setClientCertificates(by: clientAuthority)
        setResumption()
        setCallbacks()
    }

    private static func forcedProtocol(of setup: TLSProgram) -> (name: SharedObject?, byteCount: Int) {
        guard case .force(let name) = setup.applicationProtocols else { return (nil, 0) }
        let bytes = Array(name.utf8.prefix(255))
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
        unsafe memory.initialize(from: bytes, count: bytes.count)
        let object = unsafe SharedObject(owning: OpaquePointer(memory)) { pointer in
            unsafe UnsafeMutablePointer<UInt8>(pointer).deallocate()
        }
        return (object, bytes.count)
    }

    /// The answer of the ALPN callback that the setup forces.
    fileprivate var forcedAnswer: (start: UnsafePointer<UInt8>?, byteCount: UInt8) {
        unsafe (forcedProtocol.map { unsafe UnsafePointer($0.pointer) }, UInt8(clamping: forcedByteCount))
    }

    /// The setup without versions that the key, or a request for a certificate after the handshake, does not support.
    ///
    /// A key may be too small for signatures of the newest version; only TLS 1.3 has requests after the handshake.
    private static func bounded(
        _ given: TLSProgram, by identity: ServerIdentity
    ) throws(TLSSetupError) -> TLSProgram {
        var setup = given
        if setup.clientCertificate == .afterHandshake, setup.versions.upperBound == .tls13 {
            setup.versions = .tls13 ... .tls13
        }
        guard let newest = identity.maximumVersion, newest < setup.versions.upperBound else { return setup }
        guard newest >= setup.versions.lowerBound else {
            throw TLSSetupError(
                "not offered: the key of \(identity.profile) serves TLS up to \(newest.rawValue) "
                    + "and the versions begin with \(setup.versions.lowerBound.rawValue)")
        }
        setup.versions = setup.versions.lowerBound...newest
        return setup
    }

    /// Weak algorithms must be permitted before they are set; for others OpenSSL's default level is used.
    private static func securityLevel(for setup: TLSProgram, _ identity: ServerIdentity) -> Int {
        let isWeak =
            setup.versions.lowerBound < .tls12 || setup.ciphers != nil || (setup.dhBits ?? 2048) < 2048
        return isWeak ? 0 : min(1, identity.neededSecurityLevel)
    }

    private func setGroup(bits: Int?) throws(TLSSetupError) {
        guard let bits else {
            unsafe _ = proctor_SSL_CTX_set_dh_auto(context.handle, 1)
            return
        }
        guard let parameters = unsafe DiffieHellmanGroup.parameters(bits: bits) else {
            throw TLSSetupError(
                "not offered: a Diffie–Hellman group of \(bits) bits; there are "
                    + DiffieHellmanGroup.sizes.map(String.init).joined(separator: ", "))
        }
        do throws(TLSSetupError) {
            // After success the context owns the parameters.
            try context.call("a Diffie–Hellman group of \(bits) bits") {
                unsafe SSL_CTX_set0_tmp_dh_pkey(context.handle, parameters)
            }
        } catch {
            unsafe EVP_PKEY_free(parameters)
            throw error
        }
    }

    private func setResumption() {
        let handle = unsafe context.handle
        unsafe proctor_SSL_CTX_sess_set_cache_size(handle, Self.sessionLimit)
        let name = Array(identity.profile.utf8.prefix(32))
        unsafe SSL_CTX_set_session_id_context(handle, name, UInt32(name.count))
        switch setup.resumption {
        // A full cache removes its oldest session, so no periodic flush is needed.
        case .on:
            unsafe proctor_SSL_CTX_set_session_cache_mode(
                handle, Int(SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_AUTO_CLEAR))
        case .off:
            unsafe proctor_SSL_CTX_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
            unsafe SSL_CTX_set_options(handle, proctor_SSL_OP_NO_TICKET)
            unsafe SSL_CTX_set_num_tickets(handle, 0)
        case .refuse:
            unsafe proctor_SSL_CTX_set_session_cache_mode(
                handle, Int(SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL))
        }
    }

    /// The most sessions that are stored for clients without a ticket.
    private static let sessionLimit = 256
}

// Authentication of clients.
extension TLSServerContext {
    func setClientCertificates(by authority: [UInt8]?) throws(TLSSetupError) {
        let handle = unsafe context.handle
        var mode = SSL_VERIFY_PEER
        switch setup.clientCertificate {
        case .none: return
        case .request: break
        case .require: mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT
        case .afterHandshake:
            guard setup.versions.lowerBound == .tls13 else {
                throw TLSSetupError(
                    "not offered: a client's certificate after the handshake needs TLS 1.3; up to TLS 1.2 it takes a "
                        + "renegotiation, and there is none")
            }
            mode |= SSL_VERIFY_POST_HANDSHAKE
        }
        guard let authority, let root = unsafe OpenSSLObjects.certificate(authority) else {
            throw TLSSetupError("clients are to show certificates, and there is no authority to verify them by")
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

    /// A name of an authority that does not exist.
    private static var otherAuthority: OpaquePointer? {
        guard let name = unsafe X509_NAME_new() else { return nil }
        let text = Array("an authority that nobody has a certificate of".utf8)
        unsafe _ = X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0)
        return unsafe name
    }
}

/// The callback of SSL_CTX_set_cert_verify_callback: verifies as OpenSSL does, and stores the chain of a refused
/// client.
private func verifyClient(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    if let data = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let session = unsafe SessionLink.shared.session(of: OpaquePointer(data))
    {
        session.shownChain = unsafe OpenSSLObjects.chain(X509_STORE_CTX_get0_untrusted(store))
    }
    return unsafe X509_verify_cert(store)
}

// OpenSSL's callbacks while a server reads a ClientHello.
extension TLSServerContext {
    func setCallbacks() {
        let handle = unsafe context.handle
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe proctor_SSL_CTX_set_tlsext_servername_callback(handle, answerServerName)
        unsafe proctor_SSL_CTX_set_tlsext_servername_arg(handle, argument)
        if setup.applicationProtocols != .ignore {
            unsafe SSL_CTX_set_alpn_select_cb(handle, selectApplicationProtocol, argument)
        }
        if identity.staple != nil {
            unsafe proctor_SSL_CTX_set_tlsext_status_cb(handle, staple)
            unsafe proctor_SSL_CTX_set_tlsext_status_arg(handle, argument)
        }
        if setup.resumption == .refuse {
            unsafe SSL_CTX_set_session_ticket_cb(handle, { _, _ in 1 }, { _, _, _, _, _, _ in refusedTicket }, nil)
        }
        if setup.canAlert || keyLog != nil {
            unsafe SSL_CTX_set_keylog_callback(handle, noteSecret)
        }
        if setup.canAlert {
            // Whether encrypt-then-MAC was negotiated cannot be read, and the MAC of an alert depends on it.
            unsafe SSL_CTX_set_options(handle, proctor_SSL_OP_NO_ENCRYPT_THEN_MAC)
        }
    }

    /// The context of the callback; it lives longer than its sessions.
    fileprivate static func fromArgument(_ argument: UnsafeMutableRawPointer?) -> TLSServerContext? {
        unsafe argument.map { unsafe Unmanaged<TLSServerContext>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The result that ignores the ticket and sends another one.
private let refusedTicket: SSL_TICKET_RETURN = SSL_TICKET_RETURN(SSL_TICKET_RETURN_IGNORE_RENEW)

private func answerServerName(
    _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe TLSServerContext.fromArgument(argument),
        unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) != nil
    else { return SSL_TLSEXT_ERR_NOACK }
    switch context.setup.serverName {
    case .accept: return SSL_TLSEXT_ERR_OK
    case .refuse:
        unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_TLSEXT_ERR_ALERT_FATAL
    case .warn:
        unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_TLSEXT_ERR_ALERT_WARNING
    }
}

private func selectApplicationProtocol(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe TLSServerContext.fromArgument(argument), let selected = unsafe selected else {
        return SSL_TLSEXT_ERR_NOACK
    }
    switch context.setup.applicationProtocols {
    case .ignore: return SSL_TLSEXT_ERR_NOACK
    case .refuse: return SSL_TLSEXT_ERR_ALERT_FATAL
    case .force:
        let answer = unsafe context.forcedAnswer
        unsafe selected.pointee = unsafe answer.start
        unsafe selectedCount?.pointee = unsafe answer.byteCount
        return SSL_TLSEXT_ERR_OK
    case .select(let names):
        let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
        for name in names {
            guard let entry = unsafe OfferedProtocols.find(name, in: list) else { continue }
            unsafe selected.pointee = entry.baseAddress
            unsafe selectedCount?.pointee = UInt8(clamping: entry.count)
            return SSL_TLSEXT_ERR_OK
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}

/// The list of a client's ALPN extension (RFC 7301 §3.1).
package enum OfferedProtocols {
    /// The place of a name in the list; nil if it is not offered.
    package static func find(_ name: String, in list: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var start = 0
        while start < list.count {
            let count = unsafe Int(list[start])
            guard start + 1 + count <= list.count else { break }
            let entry = unsafe UnsafeBufferPointer(rebasing: list[start + 1..<start + 1 + count])
            if unsafe entry.elementsEqual(name.utf8) { return unsafe entry }
            start += 1 + count
        }
        return nil
    }
}

private func staple(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let staple = unsafe TLSServerContext.fromArgument(argument)?.identity.staple, !staple.isEmpty,
        let copy = unsafe proctor_OPENSSL_malloc(staple.count)
    else { return SSL_TLSEXT_ERR_NOACK }
    unsafe staple.withUnsafeBytes {
        unsafe copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count)
    }
    unsafe proctor_SSL_set_tlsext_status_ocsp_resp(ssl, copy.assumingMemoryBound(to: UInt8.self), staple.count)
    return SSL_TLSEXT_ERR_OK
}

/// Why OpenSSL does not offer the requested TLS, or cannot use its input.
package struct TLSSetupError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence; begins with `not offered: ` if OpenSSL lacks the feature.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
