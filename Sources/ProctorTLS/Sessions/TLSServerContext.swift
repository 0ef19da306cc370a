internal import COpenSSL

/// A server's certificate and settings, ready for any number of connections; OpenSSL's SSL_CTX.
///
/// From any thread. Sessions resume only within one context.
@safe public final class TLSServerContext: @unchecked Sendable {
    /// What it was made from.
    public let setup: TLSServerSetup
    /// Whom it shows.
    public let identity: ServerIdentity
    let context: SSLContext
    let keyLog: KeyLog?
    /// Lives as long as this does, as ALPN's callback must say where its answer stands.
    let forcedProtocol: UnsafeMutableBufferPointer<UInt8>

    /// Makes what OpenSSL can make of it; milliseconds.
    ///
    /// `clientAuthority` is the root, in DER, that clients' certificates are verified by; needed where any is asked for.
    public init(
        _ setup: TLSServerSetup, identity: ServerIdentity, clientAuthority: [UInt8]? = nil, keyLog: KeyLog? = nil
    ) throws(TLSRefusal) {
        let setup = try Self.bounded(setup, by: identity)
        self.setup = setup
        self.identity = identity
        self.keyLog = keyLog
        context = try SSLContext(isServer: true)
        var forced: [UInt8] = []
        if case .forced(let name) = setup.applicationProtocols { forced = Array(name.utf8.prefix(255)) }
        unsafe forcedProtocol = .allocate(capacity: max(1, forced.count))
        unsafe _ = forcedProtocol.initialize(from: forced + (forced.isEmpty ? [0] : []))
        try context.set(
            versions: setup.versions, securityLevel: Self.securityLevel(for: setup, identity),
            cipherList: setup.cipherList, cipherSuites: setup.cipherSuites, groups: setup.groups)
        try setGroup(bits: setup.dhBits)
        try context.use(chain: identity.chain, key: identity.key, of: identity.profile)
        try setClientCertificates(by: clientAuthority)
        setResumption()
        setCallbacks()
    }

    deinit {
        unsafe forcedProtocol.deallocate()
    }

    /// A key may be too small for the signatures of the newest version, and TLS 1.3 alone asks after a handshake.
    private static func bounded(
        _ given: TLSServerSetup, by identity: ServerIdentity
    ) throws(TLSRefusal) -> TLSServerSetup {
        var setup = given
        if setup.clientCertificate == .afterHandshake, setup.versions.upperBound == .tls13 {
            setup.versions = .tls13 ... .tls13
        }
        guard let newest = identity.maximumVersion, newest < setup.versions.upperBound else { return setup }
        guard newest >= setup.versions.lowerBound else {
            throw TLSRefusal(
                "not offered: the key of \(identity.profile) serves TLS up to \(newest.text) "
                    + "and the versions begin with \(setup.versions.lowerBound.text)")
        }
        setup.versions = setup.versions.lowerBound...newest
        return setup
    }

    /// What is weak must be allowed before it is set; otherwise OpenSSL's own level holds.
    private static func securityLevel(for setup: TLSServerSetup, _ identity: ServerIdentity) -> Int {
        let isWeak =
            setup.versions.lowerBound < .tls12 || setup.cipherList != nil || (setup.dhBits ?? 2048) < 2048
        return isWeak ? 0 : min(1, identity.neededSecurityLevel)
    }

    private func setGroup(bits: Int?) throws(TLSRefusal) {
        guard let bits else {
            unsafe _ = proctor_SSL_CTX_set_dh_auto(context.handle, 1)
            return
        }
        guard let parameters = unsafe DiffieHellmanGroup.parameters(bits: bits) else {
            throw TLSRefusal(
                "not offered: a Diffie–Hellman group of \(bits) bits; there are "
                    + DiffieHellmanGroup.sizes.map(String.init).joined(separator: ", "))
        }
        do throws(TLSRefusal) {
            // Taken over where it succeeds.
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
        // Walking through all of them from time to time is not needed where the oldest goes first.
        case .on:
            unsafe proctor_SSL_CTX_set_session_cache_mode(
                handle, Int(SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_AUTO_CLEAR))
        case .off:
            unsafe proctor_SSL_CTX_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
            unsafe SSL_CTX_set_options(handle, proctor_SSL_OP_NO_TICKET)
            unsafe SSL_CTX_set_num_tickets(handle, 0)
        case .refused:
            unsafe proctor_SSL_CTX_set_session_cache_mode(
                handle, Int(SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL))
        }
    }

    /// Sessions that are kept for clients that come without a ticket.
    private static let sessionLimit = 256
}
