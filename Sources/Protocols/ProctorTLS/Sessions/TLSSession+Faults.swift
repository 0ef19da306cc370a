internal import COpenSSL
package import ProctorTLSWire

extension TLSSession {
    /// Damages one record: at a ``HandshakePosition`` the next one of the flight, otherwise the next one that is
    /// written.
    package func spoil(_ fault: TLSRecordFault) {
        self.fault = fault
    }

    /// Damages the last byte of the record at that index of the queue, or cuts the record in its middle.
    func spoilRecord(at start: Int) {
        guard let fault = fault.take() else { return }
        let length = start == 0 ? queue.firstRecordByteCount ?? queue.count : queue.count - start
        switch fault {
        case .badMAC: queue.flip(at: start + length - 1)
        case .truncated:
            queue.cut(to: start + length / 2)
            isMute = true
        }
    }

    /// Sends a fatal alert of any number instead of the queue's content; nothing is sent after it.
    ///
    /// Returns false and sends nothing if records are already encrypted and ``TLSProgram/canAlert`` is not set.
    @discardableResult
    package func send(alert number: UInt8) -> Bool {
        guard !isMute else { return false }
        let place = unsafe SSL_in_init(ssl) != 0 ? labels?.record(at: queue.sentByteCount) : labels?.next
        guard let record = alertRecord(number, place) else { return false }
        // After a part of a record the peer could not read the alert.
        if unsafe SSL_in_init(ssl) != 0 { queue.cut(to: 0) }
        unsafe record.withUnsafeBytes { unsafe queue.append($0) }
        isMute = true
        recordAlert(TLSAlert(isOurs: true, isFatal: true, number: number))
        // What the system does not accept now is sent before FIN.
        _ = flush(to: socket)
        return true
    }

    /// Sends KeyUpdate behind all that was written (RFC 8446 §4.6.3); `both`: the peer has to answer with its own.
    ///
    /// False where the session speaks another version than TLS 1.3.
    package func updateKeys(both: Bool) -> Bool {
        guard version == .tls13 else { return false }
        beginCall()
        let kind = both ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED
        return unsafe SSL_key_update(ssl, kind) == 1 && SSL_do_handshake(ssl) == 1
    }

    /// Encrypts the alert with keys that are computed from OpenSSL's session.
    private func sealed(_ alert: [UInt8], _ place: FlightLabels.Record) -> [UInt8]? {
        guard let version, let suite = unsafe RecordKeys.Suite(SSL_get_current_cipher(ssl)) else { return nil }
        let keys: RecordKeys?
        if version == .tls13 {
            guard let secret = secrets[min(place.epoch, 2)] else { return nil }
            keys = RecordKeys(suite: suite, trafficSecret: secret, updates: max(0, place.epoch - 2))
        } else {
            keys = unsafe RecordKeys(
                suite: suite, version: version,
                masterSecret: Self.bytes(48) { unsafe SSL_SESSION_get_master_key(SSL_get_session(ssl), $0, $1) },
                serverRandom: Self.bytes(32) { unsafe SSL_get_server_random(ssl, $0, $1) },
                clientRandom: Self.bytes(32) { unsafe SSL_get_client_random(ssl, $0, $1) })
        }
        return keys?.seal(
            alert, type: UInt8(SSL3_RT_ALERT), sequence: place.sequence, lastBlock: lastBlock)
    }

    private static func bytes(_ count: Int, _ read: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = unsafe bytes.withUnsafeMutableBufferPointer { unsafe read($0.baseAddress, $0.count) }
        return Array(bytes.prefix(filled))
    }

    private func alertRecord(_ number: UInt8, _ place: FlightLabels.Record?) -> [UInt8]? {
        let alert = [UInt8(SSL3_AL_FATAL), number]
        if let place, place.epoch > 0 { return sealed(alert, place) }
        let isFirst = unsafe SSL_in_before(ssl) == 1
        guard place != nil || isFirst else { return nil }
        // Before ServerHello no version is negotiated (RFC 8446 §5.1).
        let agreed = unsafe TLSVersion(number: UInt16(truncatingIfNeeded: SSL_version(ssl))) ?? .tls10
        let version = queue.sentByteCount == 0 ? .tls10 : min(agreed, .tls12)
        return RecordKeys.head(UInt8(SSL3_RT_ALERT), version, byteCount: alert.count) + alert
    }
}
