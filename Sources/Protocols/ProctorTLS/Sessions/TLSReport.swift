internal import COpenSSL
package import ProctorTLSWire

/// The state of a session; incomplete before the end of the handshake.
package struct TLSReport: Sendable, Equatable {
    package var version: TLSVersion?
    /// IANA's number; nil before ServerHello.
    package var cipherSuite: UInt16?
    /// IANA's number; nil for a group without one, and for a resumption without a group.
    package var group: UInt16?
    /// The protocol that ALPN selected.
    package var applicationProtocol: [UInt8]?
    /// As the client sent it.
    package var serverName: String?
    package var isResumed: Bool
    /// DER of the certificates, the peer's own first; empty if it sent none.
    package var peerChain: [[UInt8]]
    /// On the client: the verdict on the server's certificate; nil if it sent none.
    package var trust: TLSTrust?
    /// On the server: OpenSSL's verdict on the client's certificate, 0 or X509_V_ERR_….
    package var clientVerdict: Int32
    /// OpenSSL's text: `certificate has expired`; nil for a valid or missing certificate.
    package var clientRefusal: String?
    /// Whether the server requested a certificate of this client.
    package var wasAskedForCertificate: Bool
    package var staple: [UInt8]?
    /// In the order of the wire, at most 16.
    package var alerts: [TLSAlert]
    /// Whether the peer sent FIN without close_notify.
    package var wasTruncated: Bool

    package var cipherSuiteName: String? { cipherSuite.map(TLSNames.cipherSuite) }
    package var groupName: String? { group.map(TLSNames.group) }
}

extension TLSSession {
    package var report: TLSReport {
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

    /// nil on the client.
    package var serverSetup: TLSProgram? { server?.setup }

    var version: TLSVersion? {
        guard unsafe SSL_get_current_cipher(ssl) != nil else { return nil }
        return unsafe TLSVersion(number: UInt16(truncatingIfNeeded: SSL_version(ssl)))
    }

    private var cipherSuite: UInt16? {
        unsafe SSL_get_current_cipher(ssl).map { unsafe SSL_CIPHER_get_protocol_id($0) }
    }

    private var group: UInt16? {
        guard unsafe SSL_get_current_cipher(ssl) != nil else { return nil }
        return unsafe TLSNames.negotiatedGroup(of: ssl)
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

    /// On the server, OpenSSL's stack does not include the client's own certificate.
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
}

/// OpenSSL's verdict on a server's certificate, for the requested name and the anchors.
package struct TLSTrust: Sendable, Equatable {
    /// The first error of X509_verify_cert.
    package enum Verdict: Sendable, Equatable {
        case trusted
        case expired
        case notYetValid
        /// The chain does not end in an anchor.
        case unknownRoot
        case selfSigned
        case wrongHost
        case revoked
        case other
    }

    package let verdict: Verdict
    /// X509_V_ERR_…; 0 if there is no error.
    package let code: Int32
    package let reason: String
    /// DER of the certificates as sent, the server's own first.
    package let chain: [[UInt8]]
    /// The requested host name.
    package let host: String?

    /// Whether the chain ends in an anchor and the name matches.
    package var isTrusted: Bool { verdict == .trusted }
}

extension TLSTrust {
    init(code: Int32, chain: [[UInt8]], host: String?) {
        let reason = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
        self.init(verdict: Self.verdict(of: code), code: code, reason: reason, chain: chain, host: host)
    }

    private static func verdict(of code: Int32) -> Verdict {
        switch code {
        case X509_V_OK: .trusted
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            .unknownRoot
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongHost
        case X509_V_ERR_CERT_REVOKED: .revoked
        default: .other
        }
    }
}

extension TLSNames {
    /// IANA's number of the group of a handshake; nil for a group without one, and for a resumption without a group.
    @unsafe package static func negotiatedGroup(of ssl: OpaquePointer) -> UInt16? {
        let group = unsafe proctor_SSL_get_negotiated_group(ssl)
        guard group > 0, let name = unsafe proctor_SSL_group_to_name(ssl, group) else { return nil }
        return unsafe TLSNames.group(named: String(cString: name))
    }
}
