internal import CNGTCP2
package import ProctorQUICLink
internal import ProctorQUICWire

extension QUICLevel {
    var ngtcp2: ngtcp2_crypto_level {
        switch self {
        case .initial: NGTCP2_CRYPTO_LEVEL_INITIAL
        case .handshake: NGTCP2_CRYPTO_LEVEL_HANDSHAKE
        case .application: NGTCP2_CRYPTO_LEVEL_APPLICATION
        }
    }

    /// nil for early data.
    init?(_ level: ngtcp2_crypto_level) {
        switch level {
        case NGTCP2_CRYPTO_LEVEL_INITIAL: self = .initial
        case NGTCP2_CRYPTO_LEVEL_HANDSHAKE: self = .handshake
        case NGTCP2_CRYPTO_LEVEL_APPLICATION: self = .application
        default: return nil
        }
    }
}

extension PacketSuite {
    /// What ngtcp2 asks of a suite; handles of algorithms are not used.
    var context: ngtcp2_crypto_ctx {
        var context = unsafe ngtcp2_crypto_ctx()
        unsafe context.aead.max_overhead = PacketSuite.tagByteCount
        unsafe context.max_encryption = mostSealed
        unsafe context.max_decryption_failure = mostRefused
        return unsafe context
    }
}

extension QUICConnection {
    /// Gives back what OpenSSL keeps for keys, and forgets those that ngtcp2 has no more.
    func restKeys() {
        var kept: [CipherKey] = []
        while var key = keys.popLast() {
            if isKnownUniquelyReferenced(&key) { continue }
            key.rest()
            kept.append(key)
        }
        keys = kept
    }
}

extension PacketKeys {
    /// References that ngtcp2 keeps, and gives back by its callbacks `delete_crypto_…`.
    ///
    /// `receiver` is the connection whose packets the keys open; nil for those that it sends.
    func handles(
        of receiver: QUICConnection?
    ) -> (payload: ngtcp2_crypto_aead_ctx, header: ngtcp2_crypto_cipher_ctx) {
        let key: AnyObject = receiver.map { PacketOpeningKey(payload, of: $0) } ?? payload
        return unsafe (
            ngtcp2_crypto_aead_ctx(native_handle: Unmanaged.passRetained(key).toOpaque()),
            ngtcp2_crypto_cipher_ctx(native_handle: Unmanaged.passRetained(header).toOpaque())
        )
    }

    /// Gives the references back where ngtcp2 has not taken them.
    static func release(_ handles: (payload: ngtcp2_crypto_aead_ctx, header: ngtcp2_crypto_cipher_ctx)) {
        unsafe handles.payload.native_handle.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).release() }
        unsafe handles.header.native_handle.map { unsafe Unmanaged<HeaderKey>.fromOpaque($0).release() }
    }
}

extension QUICConnection: QUICHandshakeOwner {
    package func sendMessage(_ message: [UInt8], at level: QUICLevel) {
        guard let conn = unsafe conn else { return }
        unsafe _ = ngtcp2_conn_submit_crypto_data(conn, level.ngtcp2, message, message.count)
    }

    package func installSecret(
        _ secret: [UInt8], _ suite: PacketSuite, at level: QUICLevel, isSending: Bool
    ) -> Bool {
        guard let conn = unsafe conn, let keys = PacketKeys(suite, secret: secret, isSending: isSending) else {
            return false
        }
        var context = unsafe suite.context
        unsafe ngtcp2_conn_set_crypto_ctx(conn, &context)
        self.keys += [keys.payload, keys.header]
        var handles = unsafe keys.handles(of: isSending ? nil : self)
        let result: Int32
        switch (level, isSending) {
        case (.initial, _): return false
        case (.handshake, true):
            result = unsafe ngtcp2_conn_install_tx_handshake_key(
                conn, &handles.payload, keys.iv, keys.iv.count, &handles.header)
        case (.handshake, false):
            result = unsafe ngtcp2_conn_install_rx_handshake_key(
                conn, &handles.payload, keys.iv, keys.iv.count, &handles.header)
        case (.application, true):
            secrets.sending = secret
            result = unsafe ngtcp2_conn_install_tx_key(
                conn, secret, secret.count, &handles.payload, keys.iv, keys.iv.count, &handles.header)
        case (.application, false):
            secrets.receiving = secret
            result = unsafe ngtcp2_conn_install_rx_key(
                conn, secret, secret.count, &handles.payload, keys.iv, keys.iv.count, &handles.header)
        }
        secrets.suite = suite
        if result != 0 { unsafe PacketKeys.release(handles) }
        return result == 0
    }

    package func receiveParameters(_ bytes: [UInt8]) -> Bool {
        guard let conn = unsafe conn else { return false }
        do throws(OpeningFault) {
            _ = try TransportParameters(bytes, of: isClient ? .server : .client)
        } catch {
            parametersFault = error
            return false
        }
        return unsafe ngtcp2_conn_decode_remote_transport_params(conn, bytes, bytes.count) == 0
    }

    package func ownParameters() -> [UInt8] {
        guard let conn = unsafe conn else { return [] }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = unsafe ngtcp2_conn_encode_local_transport_params(conn, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : []
    }

    /// Gives ngtcp2 the key by which a client checks a Retry packet (RFC 9001 §5.8).
    func prepareForRetry() -> Bool {
        guard let conn = unsafe conn, let key = PayloadKey(key: EndpointState.retryKey) else { return false }
        keys.append(key)
        var aead = unsafe ngtcp2_crypto_aead()
        unsafe aead.max_overhead = PacketSuite.tagByteCount
        var handle = unsafe ngtcp2_crypto_aead_ctx(native_handle: Unmanaged.passRetained(key).toOpaque())
        unsafe ngtcp2_conn_set_retry_aead(conn, &aead, &handle)
        return true
    }

    /// The keys of Initial packets, from the id that the client has chosen (RFC 9001 §5.2).
    func installInitialKeys(_ id: [UInt8]) -> Bool {
        let derived = InitialSecrets.derive(from: id)
        let (theirs, ours) = isClient ? (derived.server, derived.client) : (derived.client, derived.server)
        guard let conn = unsafe conn,
            let receiving = PacketKeys(.aes128, secret: theirs, isSending: false),
            let sending = PacketKeys(.aes128, secret: ours, isSending: true)
        else { return false }
        var context = unsafe PacketSuite.aes128.context
        unsafe ngtcp2_conn_set_initial_crypto_ctx(conn, &context)
        keys += [receiving.payload, receiving.header, sending.payload, sending.header]
        var (read, write) = unsafe (receiving.handles(of: self), sending.handles(of: nil))
        let result = unsafe ngtcp2_conn_install_initial_key(
            conn, &read.payload, receiving.iv, &read.header, &write.payload, sending.iv, &write.header,
            receiving.iv.count)
        if result != 0 {
            unsafe PacketKeys.release(read)
            unsafe PacketKeys.release(write)
        }
        return result == 0
    }
}
