internal import COpenSSL
package import ProctorTLS
internal import ProctorTLSWire

/// A client's settings for handshakes of QUIC, independent of the server; safe from any thread.
package final class QUICClientContext: Sendable {
    let tls: TLSClientContext

    /// Takes anchors, identity, security level and protocols of the setup; the version is always TLS 1.3 (RFC 9001 §4.2).
    ///
    /// Throws if the setup permits no TLS 1.3, or if OpenSSL refuses a setting.
    package init(_ setup: TLSClientSetup, keyLog: KeyLog? = nil) throws(TLSSetupError) {
        guard setup.versions.upperBound >= .tls13 else {
            throw TLSSetupError(
                "not offered: QUIC needs TLS 1.3, and the client permits TLS \(setup.versions.upperBound.rawValue) at most"
            )
        }
        var setup = setup
        setup.versions = .tls13 ... .tls13
        setup.suites = SSLContext.suitesOfQUIC
        tls = try TLSClientContext(setup, keyLog: keyLog)
        // A session could be resumed only with the parameters that belong to it, which nothing here keeps.
        unsafe proctor_SSL_CTX_set_session_cache_mode(tls.context.handle, Int(SSL_SESS_CACHE_OFF))
        try tls.context.carryQUIC()
    }
}

/// Messages of TLS that a server sends behind the handshake; tickets are read and not used.
package struct MessagesBehindHandshake: Sendable {
    private var head: [UInt8] = []
    private var byteCountLeft = 0

    package init() {}

    /// Reads bytes of CRYPTO frames; false for a message other than NewSessionTicket: QUIC has neither requests for certificates
    /// nor updates of keys there (RFC 9001 §4.4, §6).
    package mutating func read(_ bytes: [UInt8]) -> Bool {
        for byte in bytes {
            if byteCountLeft > 0 {
                byteCountLeft -= 1
                continue
            }
            head.append(byte)
            guard head[0] == 4 else { return false }
            // The type and the length of a message (RFC 8446 §4).
            guard head.count == 4 else { continue }
            byteCountLeft = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            head = []
        }
        return true
    }
}
