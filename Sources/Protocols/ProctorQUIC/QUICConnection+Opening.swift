internal import CNGTCP2
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorQUICWire

// A server's end before its client's ClientHello has passed: ngtcp2 has nothing of it yet.
extension QUICConnection {
    /// What a new connection is made of.
    struct Opening {
        let number: Int
        /// The id that the client has chosen for the server, or that of our Retry.
        let destination: [UInt8]
        let source: [UInt8]
        /// The token of our Retry.
        let token: [UInt8]
        /// The id that the client used before Retry, if its token came back.
        let originalID: [UInt8]?
        let peer: SystemAddress
        let now: UInt64
    }

    /// Whether ngtcp2 has got nothing of the connection yet.
    var isOpening: Bool { opening != nil }

    /// Reads a datagram of a client whose ClientHello has not passed.
    func readOpening(
        _ datagram: [UInt8], _ packets: DatagramReading.Packets, from sender: SocketAddress, _ now: UInt64
    ) throws(DatagramFault) {
        // Before the handshake is over, no client moves (RFC 9000 §9).
        guard sender == peerAddress.address else { throw .otherAddress }
        guard let outcome = opening?.guarded.read(datagram, packets) else { return }
        heardAt = now
        try follow(outcome, now)
    }

    /// Does what the guard has found.
    func follow(_ outcome: OpeningGuard.Outcome, _ now: UInt64) throws(DatagramFault) {
        switch outcome {
        case .needsMore: break
        case .dropped(let fault): throw fault
        case .closed(let code, let reason):
            finish(.closedByPeer(QUICClose(isOfApplication: false, code: code, reason: reason)))
        case .refused(let fault): close(.transport(fault.code, reason: fault.reason))
        case .passed(let hello, let message, let datagrams): handOn(hello, message, datagrams, now)
        }
    }

    /// Hands on what has passed, and tells the owner of the ClientHello.
    private func handOn(_ hello: OpeningHello, _ message: [UInt8], _ datagrams: [[UInt8]], _ now: UInt64) {
        guard let opening = opening.take(), makeServer(opening.of) else { return finishOpening(.dropped) }
        for datagram in datagrams where end == nil {
            receive(datagram, to: ConnectionID(ngtcp2_cid(opening.of.destination)), from: peerAddress.address, now)
        }
        guard end == nil else { return }
        // What OpenSSL gets is what was read here, whatever ngtcp2 has made of the frames.
        guard helloBytes == message else {
            return close(.transport(0x0A, reason: "CRYPTO frames were read in two ways (RFC 9000 §2.2)"))
        }
        isHelloWhole = true
        events.append(.helloReceived(hello.hello))
        deliverEvents()
    }

    /// Makes ngtcp2's connection of a server; false if there is no memory.
    private func makeServer(_ opening: Opening) -> Bool {
        memory = PackedMemory()
        var settings = unsafe endpoint.limits.settings(opening.now)
        var parameters = unsafe endpoint.limits.parameters
        let ours = EndpointSecrets.random(EndpointSecrets.idByteCount)
        let destination = ngtcp2_cid(opening.destination)
        if let original = opening.originalID {
            unsafe parameters.original_dcid = ngtcp2_cid(original)
            unsafe parameters.retry_scid = destination
            unsafe parameters.retry_scid_present = 1
        } else {
            unsafe parameters.original_dcid = destination
        }
        unsafe parameters.stateless_reset_token_present = 1
        let token = endpoint.secrets.resetToken(of: ours)
        unsafe withUnsafeMutableBytes(of: &parameters.stateless_reset_token) { unsafe $0.copyBytes(from: token) }
        var callbacks = QUICCallbacks.all
        var theirs = ngtcp2_cid(opening.source)
        var scid = ngtcp2_cid(ours)
        var path = unsafe ngtcp2_path(local: localAddress.pointer, remote: peerAddress.pointer, user_data: nil)
        var made: OpaquePointer?
        let functions = unsafe memory?.functions
        // ngtcp2 copies the token.
        var retryToken = opening.token
        let result = unsafe retryToken.withUnsafeMutableBufferPointer { bytes in
            unsafe settings.token = ngtcp2_vec(base: bytes.baseAddress, len: bytes.count)
            return unsafe ngtcp2_conn_server_new_versioned(
                &made, &theirs, &scid, &path, LongHeader.version1, NGTCP2_CALLBACKS_VERSION_V1, &callbacks,
                NGTCP2_SETTINGS_VERSION_V1, &settings, NGTCP2_TRANSPORT_PARAMS_VERSION_V1, &parameters, functions,
                Unmanaged.passUnretained(self).toOpaque())
        }
        guard result == 0, let made = unsafe made else { return false }
        unsafe kept = unsafe made
        endpoint.register(ConnectionID(scid), for: self)
        return true
    }

    /// A connection that has not begun leaves nothing: its client's next packet is one of a new connection.
    func finishOpening(_ end: QUICEnd) {
        self.end = end
        endHandshake()
        endpoint.forget(self)
        events.append(.ended(end))
        deliverEvents()
        handler = nil
    }
}
