internal import CNGTCP2
internal import ProctorQUICLink

/// What ngtcp2 calls: it finds the connection, and turns C's types into ours.
enum QUICCallbacks {
    static var all: ngtcp2_callbacks {
        var all = ngtcp2_callbacks()
        unsafe all.client_initial = beginClient
        unsafe all.recv_retry = receiveRetry
        unsafe all.extend_max_local_streams_bidi = permitStreams
        unsafe all.recv_client_initial = receiveInitial
        unsafe all.recv_crypto_data = receiveCrypto
        unsafe all.encrypt = seal
        unsafe all.decrypt = open
        unsafe all.hp_mask = mask
        unsafe all.recv_stream_data = receiveStream
        unsafe all.acked_stream_data_offset = acknowledge
        unsafe all.stream_close = closeStream
        unsafe all.recv_stateless_reset = receiveStatelessReset
        unsafe all.stream_reset = resetStream
        unsafe all.extend_max_stream_data = extendStream
        unsafe all.rand = random
        unsafe all.get_new_connection_id = makeID
        unsafe all.remove_connection_id = removeID
        unsafe all.update_key = updateKey
        unsafe all.delete_crypto_aead_ctx = releasePayloadKey
        unsafe all.delete_crypto_cipher_ctx = releaseHeaderKey
        unsafe all.get_path_challenge_data = makeChallenge
        unsafe all.version_negotiation = refuseVersion
        return all
    }

    /// The connection whose call of ngtcp2 leads here.
    fileprivate static func connection(_ data: UnsafeMutableRawPointer?) -> QUICConnection? {
        unsafe data.map { unsafe Unmanaged<QUICConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate static let failed = NGTCP2_ERR_CALLBACK_FAILURE
}

private func receiveInitial(
    _ conn: OpaquePointer?, _ id: UnsafePointer<ngtcp2_cid>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data), let id = unsafe id else {
        return QUICCallbacks.failed
    }
    return connection.installInitialKeys(unsafe id.pointee.bytes) ? 0 : QUICCallbacks.failed
}

private func beginClient(_ conn: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data), let id = unsafe ngtcp2_conn_get_dcid(conn),
        connection.installInitialKeys(unsafe id.pointee.bytes)
    else { return QUICCallbacks.failed }
    return connection.startHandshake() ? 0 : NGTCP2_ERR_CRYPTO
}

/// The server validates our address: later packets go to the id that it has chosen (RFC 9000 §17.2.5.2).
private func receiveRetry(
    _ conn: OpaquePointer?, _ head: UnsafePointer<ngtcp2_pkt_hd>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data), let head = unsafe head else {
        return QUICCallbacks.failed
    }
    return connection.installInitialKeys(unsafe head.pointee.scid.bytes) ? 0 : QUICCallbacks.failed
}

private func permitStreams(_ conn: OpaquePointer?, _ most: UInt64, _ data: UnsafeMutableRawPointer?) -> Int32 {
    unsafe QUICCallbacks.connection(data)?.events.append(.streamsPermitted)
    return 0
}

private func receiveCrypto(
    _ conn: OpaquePointer?, _ level: ngtcp2_crypto_level, _ offset: UInt64, _ bytes: UnsafePointer<UInt8>?,
    _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data), let level = QUICLevel(level) else {
        return NGTCP2_ERR_CRYPTO
    }
    let given = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    return connection.receiveCrypto(given, at: level) ? 0 : NGTCP2_ERR_CRYPTO
}

private func seal(
    _ target: UnsafeMutablePointer<UInt8>?, _ aead: UnsafePointer<ngtcp2_crypto_aead>?,
    _ key: UnsafePointer<ngtcp2_crypto_aead_ctx>?, _ text: UnsafePointer<UInt8>?, _ count: Int,
    _ nonce: UnsafePointer<UInt8>?, _ nonceCount: Int, _ extra: UnsafePointer<UInt8>?, _ extraCount: Int
) -> Int32 {
    guard let handle = unsafe key?.pointee.native_handle, let target = unsafe target, let nonce = unsafe nonce else {
        return QUICCallbacks.failed
    }
    let isDone = unsafe Unmanaged<PayloadKey>.fromOpaque(handle)._withUnsafeGuaranteedRef { key in
        unsafe key.seal(
            UnsafeBufferPointer(start: text, count: count), nonce: nonce,
            extra: UnsafeBufferPointer(start: extra, count: extraCount), into: target)
    }
    return isDone ? 0 : QUICCallbacks.failed
}

private func open(
    _ target: UnsafeMutablePointer<UInt8>?, _ aead: UnsafePointer<ngtcp2_crypto_aead>?,
    _ key: UnsafePointer<ngtcp2_crypto_aead_ctx>?, _ sealed: UnsafePointer<UInt8>?, _ count: Int,
    _ nonce: UnsafePointer<UInt8>?, _ nonceCount: Int, _ extra: UnsafePointer<UInt8>?, _ extraCount: Int
) -> Int32 {
    guard let handle = unsafe key?.pointee.native_handle, let target = unsafe target, let nonce = unsafe nonce else {
        return NGTCP2_ERR_DECRYPT
    }
    let isDone = unsafe Unmanaged<PacketOpeningKey>.fromOpaque(handle)._withUnsafeGuaranteedRef { opening in
        let isDone = unsafe opening.key.open(
            UnsafeBufferPointer(start: sealed, count: count), nonce: nonce,
            extra: UnsafeBufferPointer(start: extra, count: extraCount), into: target)
        if isDone {
            unsafe opening.didOpen(UnsafeBufferPointer(start: target, count: count - PacketSuite.tagByteCount))
        }
        return isDone
    }
    return isDone ? 0 : NGTCP2_ERR_DECRYPT
}

private func mask(
    _ target: UnsafeMutablePointer<UInt8>?, _ cipher: UnsafePointer<ngtcp2_crypto_cipher>?,
    _ key: UnsafePointer<ngtcp2_crypto_cipher_ctx>?, _ sample: UnsafePointer<UInt8>?
) -> Int32 {
    guard let handle = unsafe key?.pointee.native_handle, let target = unsafe target, let sample = unsafe sample else {
        return QUICCallbacks.failed
    }
    let isDone = unsafe Unmanaged<HeaderKey>.fromOpaque(handle)._withUnsafeGuaranteedRef { key in
        unsafe key.writeMask(of: sample, into: target)
    }
    return isDone ? 0 : QUICCallbacks.failed
}

private func receiveStream(
    _ conn: OpaquePointer?, _ flags: UInt32, _ stream: Int64, _ offset: UInt64, _ bytes: UnsafePointer<UInt8>?,
    _ count: Int, _ data: UnsafeMutableRawPointer?, _ streamData: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data) else { return QUICCallbacks.failed }
    let given = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    connection.events.append(
        .received(stream: UInt64(stream), given, ends: flags & UInt32(NGTCP2_STREAM_DATA_FLAG_FIN) != 0))
    return 0
}

private func acknowledge(
    _ conn: OpaquePointer?, _ stream: Int64, _ offset: UInt64, _ count: UInt64, _ data: UnsafeMutableRawPointer?,
    _ streamData: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe QUICCallbacks.connection(data)?.acknowledge(UInt64(stream), upTo: Int(clamping: offset + count))
    return 0
}

private func closeStream(
    _ conn: OpaquePointer?, _ flags: UInt32, _ stream: Int64, _ code: UInt64, _ data: UnsafeMutableRawPointer?,
    _ streamData: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe QUICCallbacks.connection(data)?.forgetStream(UInt64(stream))
    return 0
}

private func resetStream(
    _ conn: OpaquePointer?, _ stream: Int64, _ finalSize: UInt64, _ code: UInt64, _ data: UnsafeMutableRawPointer?,
    _ streamData: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe QUICCallbacks.connection(data)?.events.append(.reset(stream: UInt64(stream), code: code))
    return 0
}

private func receiveStatelessReset(
    _ conn: OpaquePointer?, _ packet: UnsafePointer<ngtcp2_pkt_stateless_reset>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe QUICCallbacks.connection(data)?.isResetByPeer = true
    return 0
}

private func extendStream(
    _ conn: OpaquePointer?, _ stream: Int64, _ most: UInt64, _ data: UnsafeMutableRawPointer?,
    _ streamData: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe QUICCallbacks.connection(data)?.unblock(UInt64(stream))
    return 0
}

private func random(_ target: UnsafeMutablePointer<UInt8>?, _ count: Int, _ context: UnsafePointer<ngtcp2_rand_ctx>?) {
    unsafe target?.update(from: EndpointSecrets.random(count), count: count)
}

private func makeID(
    _ conn: OpaquePointer?, _ id: UnsafeMutablePointer<ngtcp2_cid>?, _ token: UnsafeMutablePointer<UInt8>?,
    _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data), let id = unsafe id else {
        return QUICCallbacks.failed
    }
    let bytes = EndpointSecrets.random(count)
    unsafe id.pointee = ngtcp2_cid(bytes)
    let reset = connection.endpoint.secrets.resetToken(of: bytes)
    unsafe token?.update(from: reset, count: reset.count)
    connection.endpoint.register(unsafe ConnectionID(id.pointee), for: connection)
    return 0
}

private func removeID(
    _ conn: OpaquePointer?, _ id: UnsafePointer<ngtcp2_cid>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data), let id = unsafe id else { return 0 }
    connection.endpoint.unregister(unsafe ConnectionID(id.pointee), of: connection)
    return 0
}

/// More than ngtcp2 has at a time; beyond them, those that it has no more are forgotten.
private let mostKeys = 16

private func updateKey(
    _ conn: OpaquePointer?, _ receiving: UnsafeMutablePointer<UInt8>?, _ sending: UnsafeMutablePointer<UInt8>?,
    _ receivingKey: UnsafeMutablePointer<ngtcp2_crypto_aead_ctx>?, _ receivingIV: UnsafeMutablePointer<UInt8>?,
    _ sendingKey: UnsafeMutablePointer<ngtcp2_crypto_aead_ctx>?, _ sendingIV: UnsafeMutablePointer<UInt8>?,
    _ oldReceiving: UnsafePointer<UInt8>?, _ oldSending: UnsafePointer<UInt8>?, _ count: Int,
    _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let connection = unsafe QUICCallbacks.connection(data) else { return QUICCallbacks.failed }
    let suite = connection.secrets.suite
    let read = unsafe PacketKeys.updated(Array(UnsafeBufferPointer(start: oldReceiving, count: count)), suite)
    let write = unsafe PacketKeys.updated(Array(UnsafeBufferPointer(start: oldSending, count: count)), suite)
    guard read.count == count, write.count == count,
        let readKeys = PacketKeys(suite, secret: read, isSending: false),
        let writeKeys = PacketKeys(suite, secret: write, isSending: true)
    else { return QUICCallbacks.failed }
    unsafe receiving?.update(from: read, count: count)
    unsafe sending?.update(from: write, count: count)
    if connection.keys.count > mostKeys { connection.restKeys() }
    connection.keys += [readKeys.payload, writeKeys.payload]
    // The keys of headers stay (RFC 9001 §6).
    let opening = PacketOpeningKey(readKeys.payload, of: connection)
    unsafe receivingKey?.pointee.native_handle = unsafe Unmanaged.passRetained(opening).toOpaque()
    unsafe sendingKey?.pointee.native_handle = unsafe Unmanaged.passRetained(writeKeys.payload).toOpaque()
    unsafe receivingIV?.update(from: readKeys.iv, count: readKeys.iv.count)
    unsafe sendingIV?.update(from: writeKeys.iv, count: writeKeys.iv.count)
    return 0
}

private func releasePayloadKey(
    _ conn: OpaquePointer?, _ key: UnsafeMutablePointer<ngtcp2_crypto_aead_ctx>?, _ data: UnsafeMutableRawPointer?
) {
    guard let handle = unsafe key?.pointee.native_handle else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(handle).release()
}

private func releaseHeaderKey(
    _ conn: OpaquePointer?, _ key: UnsafeMutablePointer<ngtcp2_crypto_cipher_ctx>?, _ data: UnsafeMutableRawPointer?
) {
    guard let handle = unsafe key?.pointee.native_handle else { return }
    unsafe Unmanaged<HeaderKey>.fromOpaque(handle).release()
}

private func makeChallenge(
    _ conn: OpaquePointer?, _ target: UnsafeMutablePointer<UInt8>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    let count = Int(NGTCP2_PATH_CHALLENGE_DATALEN)
    unsafe target?.update(from: EndpointSecrets.random(count), count: count)
    return 0
}

/// Version 1 is the only one here, so that no other can be agreed on.
private func refuseVersion(
    _ conn: OpaquePointer?, _ version: UInt32, _ id: UnsafePointer<ngtcp2_cid>?, _ data: UnsafeMutableRawPointer?
) -> Int32 { QUICCallbacks.failed }
