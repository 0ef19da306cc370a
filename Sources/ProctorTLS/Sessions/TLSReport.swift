internal import COpenSSL
public import ProctorTLSWire

/// What a session has come to; before the end of the handshake as far as it is known.
public struct TLSReport: Sendable, Equatable {
    /// nil before ServerHello.
    public var version: TLSVersion?
    /// By IANA's number; nil before ServerHello.
    public var cipherSuite: UInt16?
    /// By IANA's number; nil where the key exchange used none that has a number, or a session goes on without one.
    public var group: UInt16?
    /// What ALPN agreed on.
    public var applicationProtocol: [UInt8]?
    /// As the client sent it.
    public var serverName: String?
    /// An earlier session goes on, in which no side shows a certificate.
    public var isResumed: Bool
    /// DER, the peer's own certificate first; empty where it showed none.
    public var peerChain: [[UInt8]]
    /// The verdict on the server's certificate, on the client's side; nil where none was shown.
    public var trust: TLSTrust?
    /// What OpenSSL thinks of the client's certificate, on the server's side: 0 is good, X509_V_ERR_… otherwise.
    public var clientVerdict: Int32
    /// The same in OpenSSL's words: `certificate has expired`; nil where it is good, or none came.
    public var clientRefusal: String?
    /// Whether a server has asked this client for a certificate.
    public var wasAskedForCertificate: Bool
    /// The OCSP response that the server stapled; DER.
    public var staple: [UInt8]?
    /// In the order in which they went over the wire, at most 16.
    public var alerts: [TLSAlert]
    /// The peer sent FIN without close_notify.
    public var wasTruncated: Bool

    /// `TLS_AES_128_GCM_SHA256`.
    public var cipherSuiteName: String? { cipherSuite.map(TLSNames.cipherSuite) }
    /// `x25519`.
    public var groupName: String? { group.map(TLSNames.group) }
}

extension TLSSession {
    /// What the session has come to.
    public var report: TLSReport {
        let peerChain = peerChain
        let shutdown = unsafe SSL_get_shutdown(ssl)
        let isResumed = unsafe SSL_session_reused(ssl) == 1
        let verdict = unsafe SSL_get_verify_result(ssl)
        return TLSReport(
            version: version, cipherSuite: cipherSuite, group: group, applicationProtocol: applicationProtocol,
            serverName: serverName, isResumed: isResumed, peerChain: peerChain, trust: trust,
            clientVerdict: server == nil ? 0 : Int32(clamping: verdict),
            clientRefusal: server == nil || verdict == 0
                ? nil : unsafe String(cString: X509_verify_cert_error_string(verdict)),
            wasAskedForCertificate: wasAskedForCertificate, staple: staple, alerts: alerts,
            wasTruncated: hasPeerEnded && shutdown & SSL_RECEIVED_SHUTDOWN == 0)
    }

    /// What the server's side was set up by; nil on the client's.
    public var serverSetup: TLSProgram? { server?.setup }

    /// nil before ServerHello.
    var version: TLSVersion? {
        guard unsafe SSL_get_current_cipher(ssl) != nil else { return nil }
        return unsafe TLSVersion(number: UInt16(truncatingIfNeeded: SSL_version(ssl)))
    }

    private var cipherSuite: UInt16? {
        unsafe SSL_get_current_cipher(ssl).map { unsafe SSL_CIPHER_get_protocol_id($0) }
    }

    private var group: UInt16? {
        guard unsafe SSL_get_current_cipher(ssl) != nil else { return nil }
        let group = unsafe proctor_SSL_get_negotiated_group(ssl)
        guard group > 0, let name = unsafe proctor_SSL_group_to_name(ssl, group) else { return nil }
        return unsafe TLSNames.group(named: String(cString: name))
    }

    private var applicationProtocol: [UInt8]? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &count)
        guard count > 0 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: name, count: Int(count)))
    }

    private var serverName: String? {
        unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
    }

    /// A server's own stack leaves the client's certificate out.
    private var peerChain: [[UInt8]] {
        guard let first = unsafe SSL_get0_peer_certificate(ssl) else { return shownChain }
        let stack = unsafe OpenSSLObjects.chain(SSL_get_peer_cert_chain(ssl))
        guard server != nil else { return stack }
        return unsafe [OpenSSLObjects.encoded { unsafe i2d_X509(first, $0) }] + stack
    }

    private var staple: [UInt8]? {
        guard client != nil else { return nil }
        var bytes: UnsafePointer<UInt8>?
        let count = unsafe proctor_SSL_get_tlsext_status_ocsp_resp(ssl, &bytes)
        guard count > 0 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Names in DER of a CertificateRequest.
    var authorities: [[UInt8]] {
        unsafe OpenSSLObjects.names(SSL_get0_peer_CA_list(ssl))
    }
}
