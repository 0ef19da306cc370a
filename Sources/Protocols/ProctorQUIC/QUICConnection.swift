internal import CNGTCP2
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
package import ProctorLoop
package import ProctorQUICLink
internal import ProctorQUICWire

/// One connection of QUIC, either end; loop thread only.
///
/// It owns ngtcp2's connection and the handshake. Calls queue what is to be sent; ``flush()`` sends it.
@safe package final class QUICConnection: QUICLink {
    /// Counted by the endpoint, from 1.
    package let number: Int
    /// Called with each event; the connection keeps it until it has ended.
    package var handler: (any QUICConnectionHandler)?
    /// Where the peer's packets come from.
    package var peer: SocketAddress { peerAddress.address }
    package internal(set) var end: QUICEnd?
    package internal(set) var heardAt = MonotonicClock.nanoseconds

    /// Whether this is the client's end.
    let isClient: Bool
    let endpoint: EndpointState
    /// What ngtcp2 keeps of the connection; nil once that is over.
    var kept: OpaquePointer?
    /// nil where the system has no addresses left; ngtcp2 then takes its memory as the process does.
    var memory: PackedMemory?
    /// On a server, reads the client's first packets before ngtcp2 does; nil from then on.
    var opening: (guarded: OpeningGuard, of: Opening)?
    /// nil before the server's certificate is known to it, and once it is over.
    var handshake: QUICHandshake?
    var behindHandshake = MessagesBehindHandshake()
    /// On a server, what came in CRYPTO frames before the handshake begins; nil from then on.
    var helloBytes: [UInt8]?
    var isHelloWhole = false
    let localAddress: SystemAddress
    var peerAddress: SystemAddress
    var outputs = StreamTable<UInt64, StreamOutput>()
    /// The one of ``outputs`` on which bytes were queued last, which most often has the next ones too.
    var newest: StreamOutput?
    /// Streams with bytes to send.
    var sending = SendingTurns()
    /// Bytes of all streams that no packet has had yet.
    var unsentByteCount = 0
    /// Whether ``room(on:)`` had none for what all streams had queued.
    private var isRoomAwaited = false
    /// STOP_SENDING frames of the packet that is read, and the streams that had one.
    var stops: [StopFrame] = []
    var stopped: Set<UInt64> = []
    var load = ChallengeLoad()
    /// What happened during a call of ngtcp2, which must not be left by other code.
    var events: [QUICEvent] = []
    var secrets = TrafficSecrets()
    /// The keys that ngtcp2 has, and some that it has no more, without their contexts.
    var keys: [CipherKey] = []
    var handshakeFailure: (alert: UInt8, reason: String)?
    /// What is wrong with the peer's transport parameters; OpenSSL only knows that they were refused.
    var parametersFault: OpeningFault?
    /// The ids by which packets find this connection.
    var ids: [ConnectionID] = []
    /// The id to which the last packet of the peer was sent.
    private var addressedID = ConnectionID()
    /// The packet that says that we have closed, for peers that go on.
    private var closing: [UInt8]?
    private var closingAnswers = 0
    /// The moment at which ngtcp2 has work, in nanoseconds.
    private var expiry: UInt64 = .max
    /// The moment from which on the connection counts as idle, in nanoseconds.
    private var packing: UInt64 = .max
    /// The moment at which ``expire(_:)`` has work, in nanoseconds.
    var nextWork: UInt64 { min(expiry, packing) }
    /// Behind so many nanoseconds without a packet a connection counts as idle.
    private static let quietTime: UInt64 = 1_000_000_000
    private var isReading = false
    /// Whether datagrams are being read, behind which all goes out at once.
    private var isHeld = false
    /// Whether somebody wanted to send meanwhile.
    private var isFlushWanted = false
    private var isHandshaking = true
    /// Whether a stateless reset has come.
    var isResetByPeer = false

    struct TrafficSecrets {
        var suite = PacketSuite.aes128
        var receiving: [UInt8] = []
        var sending: [UInt8] = []
    }

    /// The server's end, whose guard has read the first packet.
    init(_ opening: Opening, _ guarded: OpeningGuard, of endpoint: EndpointState) {
        self.endpoint = endpoint
        isClient = false
        helloBytes = []
        number = opening.number
        localAddress = endpoint.localAddress
        peerAddress = opening.peer
        self.opening = (guarded, opening)
        let deadline = opening.now.addingReportingOverflow(endpoint.limits.handshakeTimeout)
        expiry = deadline.overflow ? .max : deadline.partialValue
        endpoint.register(ConnectionID(ngtcp2_cid(opening.destination)), for: self)
        endpoint.noteExpiry(expiry)
    }

    /// The client's end, whose first packet ``flush()`` sends; nil if there is no memory.
    init?(
        to server: SystemAddress, host: String, _ context: QUICClientContext, number: Int, of endpoint: EndpointState,
        _ now: UInt64
    ) {
        self.endpoint = endpoint
        isClient = true
        self.number = number
        memory = PackedMemory()
        localAddress = endpoint.localAddress
        peerAddress = server
        var settings = unsafe endpoint.limits.settings(now)
        var parameters = unsafe endpoint.limits.parameters
        let ours = EndpointSecrets.random(EndpointSecrets.idByteCount)
        // The server's id is made up until it has chosen one (RFC 9000 §7.2).
        var dcid = ngtcp2_cid(EndpointSecrets.random(EndpointSecrets.idByteCount))
        var scid = ngtcp2_cid(ours)
        var callbacks = QUICCallbacks.all
        var path = unsafe ngtcp2_path(local: localAddress.pointer, remote: server.pointer, user_data: nil)
        var made: OpaquePointer?
        let functions = unsafe memory?.functions
        let result = unsafe ngtcp2_conn_client_new_versioned(
            &made, &dcid, &scid, &path, proctor_NGTCP2_PROTO_VER_V1, NGTCP2_CALLBACKS_VERSION_V1, &callbacks,
            NGTCP2_SETTINGS_VERSION_V1, &settings, NGTCP2_TRANSPORT_PARAMS_VERSION_V1, &parameters, functions,
            Unmanaged.passUnretained(self).toOpaque())
        guard result == 0, let made = unsafe made else { return nil }
        unsafe kept = unsafe made
        handshake = QUICHandshake(context, host: host, owner: self)
        guard handshake != nil, prepareForRetry() else { return nil }
        endpoint.register(ConnectionID(scid), for: self)
    }

    deinit { if let conn = unsafe conn { unsafe ngtcp2_conn_del(conn) } }

    /// ngtcp2's connection, ready for its functions; nil once the connection is over.
    var conn: OpaquePointer? {
        guard let kept = unsafe kept else { return nil }
        memory?.unpack()
        return unsafe kept
    }

    // MARK: Datagrams

    /// Reads one datagram that was sent to this connection and delivers what it means; ``release()`` sends what is due.
    func receive(_ datagram: [UInt8], to id: ConnectionID, from sender: SocketAddress, _ now: UInt64) {
        guard let conn = unsafe conn else { return answerWhileClosing(to: sender) }
        addressedID = id
        if !isHeld {
            isHeld = true
            endpoint.awaitRelease(of: self)
        }
        if sender != peerAddress.address {
            guard let address = SystemAddress(sender) else { return }
            // ngtcp2 validates the new path; packets go there once it is the connection's.
            unsafe readPacket(datagram, from: address, conn, now)
        } else {
            unsafe readPacket(datagram, from: peerAddress, conn, now)
        }
    }

    private func readPacket(_ datagram: [UInt8], from sender: SystemAddress, _ conn: OpaquePointer, _ now: UInt64) {
        var path = unsafe ngtcp2_path(local: localAddress.pointer, remote: sender.pointer, user_data: nil)
        var information = ngtcp2_pkt_info()
        isReading = true
        load.receivedByteCount += datagram.count
        heardAt = now
        let result = unsafe ngtcp2_conn_read_pkt_versioned(
            conn, &path, NGTCP2_PKT_INFO_VERSION_V1, &information, datagram, datagram.count, now)
        isReading = false
        for stop in stops {
            dropOutput(stop.stream)
            events.append(.stopped(stream: stop.stream, code: stop.code))
        }
        stops = []
        deliverEvents()
        guard end == nil else { return }
        if let refusal = load.refusal {
            // What was to be answered stays so.
            isFlushWanted = false
            return close(.application(HTTP3Code.excessiveLoad.rawValue, reason: refusal))
        }
        switch result {
        case 0: isFlushWanted = true
        case NGTCP2_ERR_RECV_VERSION_NEGOTIATION: finish(.noCommonVersion)
        case NGTCP2_ERR_DRAINING: finish(isResetByPeer ? .resetByPeer : .closedByPeer(peersClose))
        case NGTCP2_ERR_DROP_CONN, NGTCP2_ERR_RETRY: finish(.dropped)
        case NGTCP2_ERR_CLOSING: break
        default: fail(result)
        }
    }

    /// What the peer's CONNECTION_CLOSE says.
    private var peersClose: QUICClose {
        guard let conn = unsafe conn else { return .transport(0) }
        var error = unsafe ngtcp2_connection_close_error()
        unsafe ngtcp2_conn_get_connection_close_error(conn, &error)
        return unsafe QUICClose(
            isOfApplication: error.type == NGTCP2_CONNECTION_CLOSE_ERROR_CODE_TYPE_APPLICATION,
            code: error.error_code, reason: Array(UnsafeBufferPointer(start: error.reason, count: error.reasonlen)))
    }

    /// Closes for what ngtcp2 or the handshake has found wrong.
    func fail(_ result: Int32) {
        if let fault = parametersFault { return close(.transport(fault.code, reason: fault.reason)) }
        if let failure = handshakeFailure {
            // CRYPTO_ERROR: 0x100 and the alert (RFC 9001 §4.8).
            return close(.transport(0x100 | UInt64(failure.alert), reason: failure.reason))
        }
        close(
            .transport(
                ngtcp2_err_infer_quic_transport_error_code(result),
                reason: unsafe String(cString: ngtcp2_strerror(result))))
    }

    /// Called once ``nextWork`` has come: sends again, ends what has waited too long, or packs what is idle.
    func expire(_ now: UInt64) {
        if now >= packing {
            packing = .max
            // What is due soon would unpack it again.
            if expiry > now + Self.quietTime {
                restKeys()
                unsafe memory?.pack(in: endpoint.packetRoom.bytes)
                events.append(.rested)
                deliverEvents()
            }
        }
        guard now >= expiry else { return }
        if isOpening { finish(.handshakeTimeout) }
        guard let conn = unsafe conn else { return endpoint.forget(self) }
        switch unsafe ngtcp2_conn_handle_expiry(conn, now) {
        case 0: release()
        case NGTCP2_ERR_IDLE_CLOSE: finish(.idle)
        case NGTCP2_ERR_HANDSHAKE_TIMEOUT: finish(.handshakeTimeout)
        case let result: fail(result)
        }
    }

    // MARK: Sending

    /// Bytes of a stream that wait or are not acknowledged.
    package func byteCount(on stream: UInt64) -> Int { outputs[stream]?.byteCount ?? 0 }

    package func unsentByteCount(on stream: UInt64) -> Int { outputs[stream]?.unsentByteCount ?? 0 }

    package func progress(of stream: UInt64) -> SendingProgress? {
        (newest?.stream == stream ? newest : outputs[stream])?.progress
    }

    /// Bytes of all streams that wait to be sent, beyond which there is no room.
    private static let mostUnsent = 64 << 10

    package func room(on stream: UInt64) -> Int {
        guard let conn = unsafe conn else { return 0 }
        let ofAll = unsafe roomOfAll(conn).now
        if ofAll == 0 { isRoomAwaited = true }
        let window = unsafe Int(clamping: ngtcp2_conn_get_max_stream_data_left(conn, Int64(stream)))
        let output = newest?.stream == stream ? newest : outputs[stream]
        return max(0, min(ofAll, window - (output?.unsentByteCount ?? 0)))
    }

    package var room: Int {
        guard let conn = unsafe conn else { return 0 }
        let ofAll = unsafe roomOfAll(conn).now
        if ofAll == 0 { isRoomAwaited = true }
        return ofAll
    }

    package func awaitRoom() { isRoomAwaited = true }

    /// What the connection's window and memory have for all streams now, and what they have once all that waits is sent.
    private func roomOfAll(_ conn: OpaquePointer) -> (now: Int, most: Int) {
        let most = min(Self.mostUnsent, unsafe Int(clamping: ngtcp2_conn_get_max_data_left(conn)))
        return (max(0, most - unsentByteCount), most)
    }

    /// Less room is told of only where no more can be had: a stream that waits is not woken for each packet.
    private static let leastToldRoom = 16 << 10

    package func keepAlive(_ isWanted: Bool) {
        guard let conn = unsafe conn else { return }
        unsafe ngtcp2_conn_set_keep_alive_timeout(conn, isWanted ? endpoint.limits.idleTimeout / 3 : 0)
    }

    package func send(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool) {
        guard unsafe conn != nil else { return }
        let output = output(on: stream)
        unsentByteCount += output.append(head, content, ends: ends)
        giveTurn(to: output)
    }

    private func output(on stream: UInt64) -> StreamOutput {
        if let newest, newest.stream == stream { return newest }
        if let known = outputs[stream] {
            newest = known
            return known
        }
        let output = endpoint.makeOutput(for: stream)
        outputs[stream] = output
        newest = output
        return output
    }

    /// Ends what ``receive(_:from:_:)`` has begun: sends all that came of the datagrams.
    func release() {
        handler?.didReadDatagrams(on: self)
        isHeld = false
        guard flush() else { return }
        events.append(.hasRoom)
        deliverEvents()
    }

    /// While datagrams are read, sends behind them.
    @discardableResult
    package func flush() -> Bool {
        if isHeld {
            isFlushWanted = true
            return false
        }
        isFlushWanted = false
        guard !isReading, let conn = unsafe conn else { return false }
        let now = MonotonicClock.nanoseconds
        let result = unsafe writePackets(in: endpoint.packetRoom.bytes, conn, now)
        if result < 0 {
            fail(Int32(result))
            return false
        }
        unsafe ngtcp2_conn_update_pkt_tx_time(conn, now)
        handler?.didSend(on: self, at: now)
        expiry = unsafe ngtcp2_conn_get_expiry(conn)
        packing = now + Self.quietTime
        endpoint.noteExpiry(nextWork)
        guard isRoomAwaited else { return false }
        let room = unsafe roomOfAll(conn)
        guard room.now > 0, room.now >= min(Self.leastToldRoom, room.most) else { return false }
        isRoomAwaited = false
        return true
    }

    /// Sends what somebody wanted to send while datagrams are read.
    private func flushBeforeEnd() {
        guard isFlushWanted, !isReading else { return }
        isHeld = false
        flush()
    }

    // MARK: The end

    /// Sends CONNECTION_CLOSE; nothing is sent or read after it but the same again (RFC 9000 §10.2.1).
    package func close(_ close: QUICClose) {
        if let opening {
            if let packet = opening.guarded.close(close) { endpoint.send(packet, to: peerAddress.address) }
            return finish(.closedByUs(close))
        }
        flushBeforeEnd()
        guard !isReading, let conn = unsafe conn else { return }
        let now = MonotonicClock.nanoseconds
        var path = unsafe ngtcp2_path_storage()
        unsafe ngtcp2_path_storage_zero(&path)
        var information = ngtcp2_pkt_info()
        var packet = [UInt8](repeating: 0, count: EndpointState.mostOfPacket)
        var error = unsafe ngtcp2_connection_close_error()
        unsafe ngtcp2_connection_close_error_default(&error)
        // A reason is for people; a packet has room for a short one.
        let reason = Array(close.reason.prefix(200))
        let count = unsafe reason.withUnsafeBufferPointer { bytes in
            if close.isOfApplication {
                unsafe ngtcp2_connection_close_error_set_application_error(
                    &error, close.code, bytes.baseAddress, bytes.count)
            } else {
                unsafe ngtcp2_connection_close_error_set_transport_error(
                    &error, close.code, bytes.baseAddress, bytes.count)
            }
            return unsafe ngtcp2_conn_write_connection_close_versioned(
                conn, &path.path, NGTCP2_PKT_INFO_VERSION_V1, &information, &packet, packet.count, &error, now)
        }
        if count > 0 {
            let bytes = Array(packet[..<count])
            closing = bytes
            endpoint.send(bytes, to: peerAddress.address)
        }
        finish(.closedByUs(close))
    }

    /// Ends the connection without a word to the peer.
    package func drop() {
        flushBeforeEnd()
        guard !isReading else { return }
        finish(.dropped)
    }

    package func abort() {
        flushBeforeEnd()
        guard !isReading, unsafe conn != nil else { return }
        // Before, the peer has no id with a token.
        let isHandshakeOver = !isHandshaking
        finish(.dropped)
        endpoint.forget(self)
        if isHandshakeOver { endpoint.resetConnection(addressedID, of: peerAddress.address) }
    }

    /// Ends the connection; its ids stay for three times the probe timeout where we have closed, so that late packets are
    /// answered (RFC 9000 §10.2).
    func finish(_ end: QUICEnd) {
        guard self.end == nil else { return }
        if opening.take() != nil { return finishOpening(end) }
        guard let conn = unsafe conn else { return }
        self.end = end
        endHandshake()
        let now = MonotonicClock.nanoseconds
        expiry = unsafe closing == nil ? now : now + 3 * ngtcp2_conn_get_pto(conn)
        packing = .max
        unsafe ngtcp2_conn_del(conn)
        unsafe kept = nil
        handshake = nil
        keys = []
        for output in outputs.values where output.hasUnsent {
            handler?.didDrop(output.stream, at: output.progress, on: self)
        }
        outputs = StreamTable()
        newest = nil
        unsentByteCount = 0
        sending = SendingTurns()
        endpoint.noteExpiry(expiry)
        events.append(.ended(end))
        deliverEvents()
        handler = nil
    }

    func endHandshake() {
        guard isHandshaking else { return }
        isHandshaking = false
        endpoint.handshakeEnded()
    }

    private func answerWhileClosing(to sender: SocketAddress) {
        closingAnswers += 1
        // Ever fewer answers, so that two ends do not send for ever.
        guard let closing, sender == peerAddress.address, closingAnswers.nonzeroBitCount == 1 else { return }
        endpoint.send(closing, to: sender)
    }

    /// Events whose room stays.
    private static let keptEventCount = 16

    func deliverEvents() {
        while !events.isEmpty {
            var delivered: [QUICEvent] = []
            swap(&delivered, &events)
            for event in delivered { handler?.receive(event, on: self) }
            // Their room is used again, unless it is much.
            guard events.isEmpty, delivered.capacity <= Self.keptEventCount else { continue }
            delivered.removeAll(keepingCapacity: true)
            swap(&delivered, &events)
        }
    }
}
