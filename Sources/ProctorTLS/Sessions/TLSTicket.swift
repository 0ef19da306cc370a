internal import COpenSSL

/// What a client keeps of a session to go on with it over another connection; OpenSSL's SSL_SESSION.
///
/// From any thread. One of TLS 1.3 should be used once (RFC 8446 §C.4).
@safe public final class TLSTicket: @unchecked Sendable {
    /// Owned.
    let session: OpaquePointer
    /// The version whose handshake gave it.
    public let version: TLSVersion?

    /// Takes over one reference.
    init(owning session: OpaquePointer) {
        unsafe self.session = unsafe session
        version = unsafe TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_SESSION_get_protocol_version(session)))
    }

    deinit {
        unsafe SSL_SESSION_free(session)
    }
}
