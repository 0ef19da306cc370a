internal import COpenSSL

extension TLSSession {
    /// Whether the server's certificate is also valid for this name or address (RFC 9110 §4.3.4), without regard to
    /// trust.
    ///
    /// False before the handshake, and if the server sent no certificate.
    package func serverCertificateIsFor(_ host: String) -> Bool {
        guard let certificate = unsafe SSL_get0_peer_certificate(ssl) else { return false }
        if unsafe X509_check_ip_asc(certificate, host, 0) == 1 { return true }
        let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
        return unsafe X509_check_host(certificate, host, 0, UInt32(flags), nil) == 1
    }
}
