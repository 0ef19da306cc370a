internal import COpenSSL
package import ProctorTLSWire

/// A client's TLS settings, independent of the server.
package struct TLSClientSetup: Sendable, Hashable {
    /// Oldest to newest.
    package var versions: ClosedRange<TLSVersion>
    /// The ciphers for TLS 1.2 and older, in the syntax of `openssl ciphers`; nil for OpenSSL's default.
    package var ciphers: String?
    /// The cipher suites for TLS 1.3, by IANA's names separated by `:`; nil for OpenSSL's default.
    package var suites: String?
    /// The only trusted certificates, each in DER, or any number of them in PEM.
    package var anchors: [[UInt8]]
    /// Sent to every server that requests a certificate, unless ``TLSClientQuestions`` choose another one.
    package var identity: ClientIdentity?
    /// Offered by ALPN in order of preference; if empty, the extension is not sent.
    package var applicationProtocols = ["http/1.1"]
    /// Whether an untrusted server ends the handshake if there are no ``TLSClientQuestions``.
    package var verifies = true
    /// OpenSSL's security level: 1 by default, 2 for keys of at least 2,048 bits and no SHA-1, 0 for everything.
    package var securityLevel: Int
    /// Whether the client requests a stapled OCSP response (RFC 6066 §8).
    package var wantsStaple = false

    /// TLS 1.2 and 1.3, `http/1.1`, and only `anchors` are trusted.
    package init(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, ciphers: String? = nil, anchors: [[UInt8]] = [],
        securityLevel: Int = 2
    ) {
        (self.versions, self.ciphers, self.anchors, self.securityLevel) = (versions, ciphers, anchors, securityLevel)
    }
}

/// A client's settings for any number of connections; owns OpenSSL's SSL_CTX.
///
/// Safe from any thread.
@safe package final class TLSClientContext: Sendable {
    package let setup: TLSClientSetup
    package let context: SSLContext
    package let keyLog: KeyLog?

    /// Throws if OpenSSL refuses a setting; takes milliseconds.
    package init(_ setup: TLSClientSetup, keyLog: KeyLog? = nil) throws(TLSSetupError) {
        (self.setup, self.keyLog) = (setup, keyLog)
        context = try SSLContext(isServer: false)
        try context.set(
            versions: setup.versions, securityLevel: setup.securityLevel, ciphers: setup.ciphers,
            suites: setup.suites, groups: nil)
        try context.trust(setup.anchors)
        if let identity = setup.identity {
            // Tried here, so that errors are reported before the first connection.
            try SSLContext(isServer: false).use(chain: identity.chain, key: identity.key, of: identity.name)
        }
        let handle = unsafe context.handle
        let names = setup.applicationProtocols.map { Array($0.utf8.prefix(255)) }.filter { !$0.isEmpty }
        let offer = names.flatMap { [UInt8($0.count)] + $0 }
        if !offer.isEmpty { unsafe SSL_CTX_set_alpn_protos(handle, offer, UInt32(offer.count)) }
        unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_cert_verify_callback(handle, verifyServer, nil)
        unsafe SSL_CTX_set_cert_cb(handle, chooseIdentity, nil)
        unsafe SSL_CTX_set_post_handshake_auth(handle, 1)
        unsafe proctor_SSL_CTX_set_session_cache_mode(
            handle, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
        unsafe SSL_CTX_sess_set_new_cb(handle, takeTicket)
        if keyLog != nil { unsafe SSL_CTX_set_keylog_callback(handle, noteSecret) }
    }

    /// Sets up one connection.
    package func prepare(_ ssl: OpaquePointer, host: String?, ticket: TLSTicket?) {
        if let host {
            let parameters = unsafe SSL_get0_param(ssl)
            // server_name must not be an address (RFC 6066 §3).
            if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 {
                // The common name is not compared with the host (RFC 9110 §4.3.4).
                let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
                unsafe X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(flags))
                unsafe X509_VERIFY_PARAM_set1_host(parameters, host, 0)
                unsafe _ = proctor_SSL_set_tlsext_host_name(ssl, host)
            }
        }
        if setup.wantsStaple { unsafe proctor_SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp) }
        if let ticket { unsafe SSL_set_session(ssl, ticket.session) }
        ERR_clear_error()
    }
}

// OpenSSL's callbacks of a client.

/// A client's end of a handshake, whose owner judges the server and chooses an identity.
package protocol TLSClientEnd: AnyObject {
    var ssl: OpaquePointer { get }
    /// nil on a server.
    var client: TLSClientContext? { get }
    /// The host that the certificate must name.
    var host: String? { get }
    /// Whether the handshake waits for answers about trust and identity.
    var asksQuestions: Bool { get }
    /// The result of the verification, and the decision on it.
    var trust: TLSTrust? { get set }
    var isTrustAnswered: Bool { get set }
    var isTrustGiven: Bool { get set }
    var wasAskedForCertificate: Bool { get set }
    var identityAnswer: TLSSession.IdentityAnswer { get }
    var hasUnusableIdentity: Bool { get set }
    var hasCompleted: Bool { get }
    /// Chooses the identity for a request after the handshake; nil: that of the handshake.
    var identityAfterHandshake: (([[UInt8]]) -> ClientIdentity?)? { get }
}

extension TLSSession: TLSClientEnd {}

/// Handshakes that have no ``TLSSession``, as those of QUIC, by their `SSL`.
package enum OtherHandshakes {
    private static let index = proctor_SSL_ex_data_index()

    /// Lets OpenSSL's callbacks find the end, which is not retained and must live as long as `ssl`.
    package static func join(_ ssl: OpaquePointer, to end: any TLSClientEnd) {
        unsafe _ = SSL_set_ex_data(ssl, index, Unmanaged.passUnretained(end as AnyObject).toOpaque())
    }

    /// nil for the `SSL` of a session.
    package static func find(_ ssl: OpaquePointer?) -> (any TLSClientEnd)? {
        guard let data = unsafe SSL_get_ex_data(ssl, index) else { return nil }
        return unsafe Unmanaged<AnyObject>.fromOpaque(data).takeUnretainedValue() as? any TLSClientEnd
    }
}

/// The client's end to which an `SSL` belongs.
private func clientEnd(of ssl: OpaquePointer?) -> (any TLSClientEnd)? {
    let session: (any TLSClientEnd)? = unsafe SessionLink.shared.session(of: ssl)
    return unsafe session ?? OtherHandshakes.find(ssl)
}

/// Verifies a server's chain as OpenSSL does; the handshake waits for the answer of ``TLSClientQuestions``.
private func verify(_ store: OpaquePointer?, for session: any TLSClientEnd, _ ssl: OpaquePointer) -> Int32 {
    if session.isTrustAnswered {
        guard !session.isTrustGiven else { return 1 }
        // OpenSSL chooses the alert by this code (RFC 8446 §6.2).
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

/// The callback of SSL_CTX_set_cert_verify_callback.
func verifyServer(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let data = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()) else { return 0 }
    let ssl = OpaquePointer(data)
    guard let session = unsafe clientEnd(of: ssl) else { return 0 }
    return unsafe verify(store, for: session, ssl)
}

/// The callback of SSL_CTX_set_cert_cb: −1 suspends the handshake.
func chooseIdentity(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let session = unsafe clientEnd(of: ssl) else { return 1 }
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

/// The callback of SSL_CTX_sess_set_new_cb: 1 keeps the session.
func takeTicket(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let owner = unsafe SessionLink.shared.session(of: ssl), let session = unsafe session else { return 0 }
    owner.ticket = unsafe TLSTicket(owning: session)
    return 1
}

extension TLSClientEnd {
    /// DER of the names in a CertificateRequest.
    package var authorities: [[UInt8]] {
        unsafe OpenSSLObjects.names(SSL_get0_peer_CA_list(ssl))
    }

    /// Uses this certificate in the current handshake; false if OpenSSL refuses it.
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
        // An earlier request may have set a chain (RFC 8446 §4.6.2).
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

/// A client's session for resumption on another connection; owns OpenSSL's SSL_SESSION.
///
/// Safe from any thread. Use a session of TLS 1.3 only once (RFC 8446 §C.4).
@safe package final class TLSTicket: Sendable {
    private let object: SharedObject
    var session: OpaquePointer { unsafe object.pointer }
    /// The version of the handshake in which the server sent it.
    package let version: TLSVersion?

    /// Takes ownership of one reference.
    init(owning session: OpaquePointer) {
        object = unsafe SharedObject(owning: session) { unsafe SSL_SESSION_free($0) }
        version = unsafe TLSVersion(number: UInt16(truncatingIfNeeded: SSL_SESSION_get_protocol_version(session)))
    }
}
