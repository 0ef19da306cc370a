internal import COpenSSL

/// A client's settings, ready for any number of connections; OpenSSL's SSL_CTX.
///
/// From any thread.
@safe public final class TLSClientContext: @unchecked Sendable {
    /// What it was made from.
    public let setup: TLSClientSetup
    let context: SSLContext
    let keyLog: KeyLog?

    /// Makes what OpenSSL can make of it; milliseconds.
    public init(_ setup: TLSClientSetup, keyLog: KeyLog? = nil) throws(TLSRefusal) {
        self.setup = setup
        self.keyLog = keyLog
        context = try SSLContext(isServer: false)
        try context.set(
            versions: setup.versions, securityLevel: setup.securityLevel, cipherList: setup.cipherList,
            cipherSuites: setup.cipherSuites, groups: nil)
        try context.trust(setup.anchors)
        if let identity = setup.identity {
            // Tried once here, so that what is wrong with it is known before anybody connects.
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

    /// What concerns one connection.
    func prepare(_ ssl: OpaquePointer, host: String?, ticket: TLSTicket?) {
        if let host {
            let parameters = unsafe SSL_get0_param(ssl)
            // An address is not sent as a server_name (RFC 6066 §3).
            if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 {
                // A common name is no name of a host (RFC 9110 §4.3.4).
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
