internal import COpenSSL
package import ProctorTLS
internal import ProctorTLSWire

/// A server's certificate and settings for handshakes of QUIC; owns OpenSSL's SSL_CTX.
///
/// Safe from any thread. OpenSSL 3.0 has no calls for QUIC, so ``QUICHandshake`` takes what it needs from its callbacks.
@safe package final class QUICServerContext: Sendable {
    let context: SSLContext
    let keyLog: KeyLog?
    /// In the order of our preference; one of them must be offered (RFC 9001 §8.1).
    let protocols: [String]

    /// Throws if OpenSSL refuses the identity.
    package init(
        identity: ServerIdentity, protocols: [String], keyLog: KeyLog? = nil
    ) throws(TLSSetupError) {
        if let newest = identity.maximumVersion, newest < .tls13 {
            throw TLSSetupError("not offered: QUIC needs TLS 1.3, and the key of \(identity.profile) serves less")
        }
        (self.protocols, self.keyLog) = (protocols, keyLog)
        context = try SSLContext(isServer: true)
        try context.set(
            versions: .tls13 ... .tls13, securityLevel: min(1, identity.neededSecurityLevel), ciphers: nil,
            suites: SSLContext.suitesOfQUIC, groups: nil)
        try context.use(chain: identity.chain, key: identity.key, of: identity.profile)
        let handle = unsafe context.handle
        // Without a session there is no early data, which these callbacks can't carry.
        unsafe SSL_CTX_set_options(handle, proctor_SSL_OP_NO_TICKET)
        unsafe SSL_CTX_set_num_tickets(handle, 0)
        unsafe proctor_SSL_CTX_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
        unsafe SSL_CTX_set_alpn_select_cb(handle, selectQUICProtocol, Unmanaged.passUnretained(self).toOpaque())
        try context.carryQUIC()
    }
}

extension SSLContext {
    /// The cipher suites that QUIC can use; AES-CCM is left out.
    static let suitesOfQUIC = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// The extension that carries transport parameters (RFC 9001 §8.2).
    private static let parametersExtension: UInt32 = 0x39

    /// Prepares handshakes without records, whose secrets and transport parameters ``QUICHandshake`` handles.
    func carryQUIC() throws(TLSSetupError) {
        // Records between the messages would be none of QUIC's (RFC 9001 §8.4).
        unsafe SSL_CTX_clear_options(handle, proctor_SSL_OP_ENABLE_MIDDLEBOX_COMPAT)
        unsafe SSL_CTX_set_keylog_callback(handle, noteQUICSecret)
        try call("transport parameters as an extension") {
            unsafe SSL_CTX_add_custom_ext(
                handle, Self.parametersExtension, proctor_EXT_OF_HANDSHAKE, addParameters, nil, nil, parseParameters,
                nil)
        }
    }
}

private func selectQUICProtocol(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let argument = unsafe argument else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let context = unsafe Unmanaged<QUICServerContext>.fromOpaque(argument).takeUnretainedValue()
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    for name in context.protocols {
        guard let entry = unsafe OfferedProtocols.find(name, in: list) else { continue }
        unsafe selected?.pointee = entry.baseAddress
        unsafe selectedCount?.pointee = UInt8(clamping: entry.count)
        return SSL_TLSEXT_ERR_OK
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

private func addParameters(
    _ ssl: OpaquePointer?, _ type: UInt32, _ place: UInt32, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<Int>?, _ certificate: OpaquePointer?, _ index: Int,
    _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let handshake = unsafe QUICHandshake.find(ssl) else { return -1 }
    let parameters = unsafe handshake.ownParameters()
    unsafe bytes?.pointee = unsafe UnsafePointer(parameters.baseAddress)
    unsafe count?.pointee = parameters.count
    return 1
}

private func parseParameters(
    _ ssl: OpaquePointer?, _ type: UInt32, _ place: UInt32, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
    _ certificate: OpaquePointer?, _ index: Int, _ alert: UnsafeMutablePointer<Int32>?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let handshake = unsafe QUICHandshake.find(ssl) else { return -1 }
    let isFine = unsafe handshake.receiveParameters(Array(UnsafeBufferPointer(start: bytes, count: count)))
    if !isFine { unsafe alert?.pointee = SSL_AD_ILLEGAL_PARAMETER }
    return isFine ? 1 : 0
}

/// The callback of SSL_CTX_set_keylog_callback.
private func noteQUICSecret(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let handshake = unsafe QUICHandshake.find(ssl), let line = unsafe line else { return }
    handshake.recordSecret(
        line: unsafe Array(UnsafeBufferPointer(start: line, count: strlen(line))).map { UInt8(bitPattern: $0) })
}
