internal import CNGTCP2
internal import ProctorBase
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorQUICWire

/// The connections of an endpoint by their ids; loop thread only.
final class EndpointState {
    let localAddress: SystemAddress
    let limits: QUICLimits
    let secrets = EndpointSecrets()
    private var usedTokens = UsedTokens()
    /// Bytes of a packet that is sent.
    static let mostOfPacket = 1_500
    /// Where packets are written that go out by one call of the system; of one connection after the other.
    let packetRoom = PacketRoom()
    /// No connection has work before this moment, in nanoseconds.
    private(set) var nextExpiry: UInt64 = .max

    private let port: DatagramPort
    /// nil on a client, which has no other connections than those that it opens.
    private let accept: ((any QUICLink) -> any QUICConnectionHandler)?
    private var connections: [ConnectionID: QUICConnection] = [:]
    private var all: [Int: QUICConnection] = [:]
    /// Connections that have read datagrams, and send behind the last of them.
    private var held: [QUICConnection] = []
    private var nextNumber = 1
    /// Outputs of streams that are over, for others; at most ``mostSpareOutputs``.
    private var spareOutputs: [StreamOutput] = []
    private static let mostSpareOutputs = 128
    /// Connections whose handshakes have not ended.
    private(set) var handshakeCount = 0

    init(
        _ port: DatagramPort, _ localAddress: SystemAddress, _ limits: QUICLimits,
        _ accept: ((any QUICLink) -> any QUICConnectionHandler)?
    ) {
        (self.port, self.localAddress, self.limits, self.accept) = (port, localAddress, limits, accept)
    }

    var connectionCount: Int { all.count }

    /// Whether the endpoint is a client's, and none of its connections is left.
    var isDone: Bool { accept == nil && all.isEmpty }

    /// Sends the first packet of a connection; nil if there is no memory.
    func dial(
        _ server: SystemAddress, host: String, _ context: QUICClientContext, _ handler: any QUICConnectionHandler,
        _ now: UInt64
    ) -> QUICConnection? {
        guard let connection = QUICConnection(to: server, host: host, context, number: nextNumber, of: self, now) else {
            return nil
        }
        nextNumber += 1
        all[connection.number] = connection
        handshakeCount += 1
        connection.handler = handler
        connection.flush()
        return connection
    }

    func makeOutput(for stream: UInt64) -> StreamOutput {
        guard let output = spareOutputs.popLast() else { return StreamOutput(stream) }
        output.serve(stream)
        return output
    }

    /// Keeps the output of a stream that is over, unless ngtcp2 may still send some of it.
    func keepOutput(_ output: StreamOutput) {
        guard output.isDone, spareOutputs.count < Self.mostSpareOutputs else { return }
        spareOutputs.append(output)
    }

    func send(_ packet: [UInt8], to receiver: SocketAddress) { port.send(packet, to: receiver) }

    /// Sends packets of `packetByteCount` bytes, the last of which may be shorter.
    func send(_ packets: UnsafeRawBufferPointer, each packetByteCount: Int, to receiver: SystemAddress) {
        guard unsafe !packets.isEmpty else { return }
        unsafe port.send(packets, each: packetByteCount, to: receiver.pointer.addr, Int(receiver.pointer.addrlen))
    }

    /// Called once for a connection that reads datagrams, until ``releaseAll()``.
    func awaitRelease(of connection: QUICConnection) { held.append(connection) }

    /// The datagrams that had come are read.
    func releaseAll() {
        guard !held.isEmpty else { return }
        let connections = held
        held.removeAll(keepingCapacity: true)
        for connection in connections { connection.release() }
    }

    // MARK: Ids and time

    func register(_ id: ConnectionID, for connection: QUICConnection) {
        if connections.updateValue(connection, forKey: id) !== connection { connection.ids.append(id) }
    }

    func unregister(_ id: ConnectionID, of connection: QUICConnection) {
        connections[id] = nil
        connection.ids.removeAll { $0 == id }
    }

    func forget(_ connection: QUICConnection) {
        for id in connection.ids { connections[id] = nil }
        all[connection.number] = nil
    }

    /// The handshake of a connection is over, or its connection.
    func handshakeEnded() { handshakeCount -= 1 }

    /// A connection has work at this moment.
    func noteExpiry(_ moment: UInt64) {
        guard moment < nextExpiry else { return }
        nextExpiry = moment
        port.wake()
    }

    func expire(_ now: UInt64) {
        nextExpiry = .max
        for connection in Array(all.values) where connection.nextWork <= now { connection.expire(now) }
        for connection in all.values { nextExpiry = min(nextExpiry, connection.nextWork) }
    }

    func closeAll(_ close: QUICClose) {
        for connection in Array(all.values) { connection.close(close) }
    }

    /// Ends all connections without a word, and forgets them.
    func dropAll() {
        for connection in Array(all.values) {
            connection.drop()
            forget(connection)
        }
    }

    // MARK: Datagrams

    /// Reads a datagram as far as its headers go; what does not pass is counted and dropped.
    func receive(_ datagram: [UInt8], from sender: SocketAddress, _ now: UInt64) {
        guard let first = datagram.first else { return limits.didDrop(.empty) }
        // Of a short header, our id stands behind its first byte, whose highest bit tells it from a long one (RFC 8999 §5).
        if first & 0x80 == 0 { return receiveShort(datagram, from: sender, now) }
        do throws(DatagramFault) {
            switch try DatagramReading(datagram.span, by: accept == nil ? .server : .client) {
            case .packets(let packets): try receive(datagram, packets, from: sender, now)
            case .versionNegotiation(let ours):
                let id = ConnectionID(in: datagram, at: ours)
                guard let connection = connections[id] else { throw .unknownConnection }
                connection.receive(datagram, to: id, from: sender, now)
            case .otherVersion(let ours, let theirs):
                // RFC 9000 §6: the versions that we have. The packet is long enough to get no more bytes than it has.
                send(
                    VersionNegotiation.packet(
                        to: datagram[theirs], from: datagram[ours], first: EndpointSecrets.random(1)[0]), to: sender)
            }
        } catch {
            limits.didDrop(error)
        }
    }

    private func receiveShort(_ datagram: [UInt8], from sender: SocketAddress, _ now: UInt64) {
        let id = ConnectionID(in: datagram, at: 1..<1 + EndpointSecrets.idByteCount)
        if let connection = connections[id] {
            guard DatagramReading.isShortPacket(datagram, idByteCount: EndpointSecrets.idByteCount) else {
                return limits.didDrop(.packetTooShort)
            }
            guard !connection.isOpening else { return limits.didDrop(.beforeHandshake) }
            return connection.receive(datagram, to: id, from: sender, now)
        }
        guard accept == nil else {
            limits.didDrop(.unknownConnection)
            return resetConnection(id, of: sender, answering: datagram.count)
        }
        // A stateless reset is addressed to no connection; the token in it tells whose it is, and it has 21 bytes at least (RFC 9000
        // §10.3).
        guard datagram.count >= Self.leastReset else { return limits.didDrop(.packetTooShort) }
        for connection in Array(all.values) where connection.peer == sender {
            connection.receive(datagram, to: id, from: sender, now)
        }
    }

    private static let leastReset = 21

    private func receive(
        _ datagram: [UInt8], _ packets: DatagramReading.Packets, from sender: SocketAddress, _ now: UInt64
    ) throws(DatagramFault) {
        let id = ConnectionID(in: datagram, at: packets.destination)
        // Some clients fill a datagram with zeros behind its packets.
        if let fault = packets.restFault, datagram[packets.rest].contains(where: { $0 != 0 }) { limits.didDrop(fault) }
        let connection = connections[id]
        guard let connection, !connection.isOpening else {
            // Only a client that knows the server's transport parameters may clear the bit (RFC 9287 §3.1).
            guard packets.long.allSatisfy(\.hasFixedBit) else { throw .fixedBitMissing }
            guard let connection else { return try open(datagram, packets, from: sender, now) }
            return try connection.readOpening(datagram, packets, from: sender, now)
        }
        var handed = datagram
        // Its length stays, since Initial packets stand in datagrams of some length (RFC 9000 §14.1).
        for index in packets.rest { handed[index] = 0 }
        connection.receive(handed, to: id, from: sender, now)
    }

    /// Opens a connection for the first packet of a client, or answers it otherwise.
    private func open(
        _ datagram: [UInt8], _ packets: DatagramReading.Packets, from sender: SocketAddress, _ now: UInt64
    ) throws(DatagramFault) {
        guard let accept, let initial = packets.long.first, initial.kind == .initial else { throw .unknownConnection }
        // RFC 9000 §7.2; an id of ours is longer.
        guard initial.destination.count >= Self.leastChosenID else { throw .idTooShort }
        guard all.count < limits.connections, handshakeCount < limits.mostHandshakes, let peer = SystemAddress(sender)
        else { return }
        let (destination, source) = (Array(datagram[initial.destination]), Array(datagram[initial.source]))
        var token = Array(datagram[initial.token])
        let originalID =
            token.isEmpty
            ? nil
            : secrets.originalID(
                in: token, from: "\(sender)", ours: destination, now: now, lifetime: limits.tokenLifetime)
        if originalID == nil {
            // A token of another server, or one that is too old, is as good as none (RFC 9000 §8.1.3).
            if limits.retry != nil || handshakeCount >= limits.handshakes {
                return sendRetries(for: destination, of: source, to: sender, now)
            }
            token = []
        }
        guard var guarded = OpeningGuard(destination: destination, source: source) else { return }
        let outcome = guarded.read(datagram, packets)
        if case .dropped(let fault) = outcome { throw fault }
        let id = ConnectionID(in: datagram, at: initial.destination)
        guard originalID == nil || usedTokens.use(id, now, limits.tokenLifetime) else {
            // A token that came before opens no second connection, and its client takes no other (RFC 9000 §8.1.2, §8.1.4).
            let fault = OpeningFault.token("the token of a Retry was used before", "RFC 9000 §8.1.4")
            if let packet = guarded.close(.transport(fault.code, reason: fault.reason)) { send(packet, to: sender) }
            throw .tokenUsed
        }
        let opening = QUICConnection.Opening(
            number: nextNumber, destination: destination, source: source, token: token, originalID: originalID,
            peer: peer, now: now)
        let connection = QUICConnection(opening, guarded, of: self)
        nextNumber += 1
        all[connection.number] = connection
        handshakeCount += 1
        connection.handler = accept(connection)
        try connection.follow(outcome, now)
    }

    private static let leastChosenID = 8

    // MARK: Answers without a connection

    /// RFC 9000 §8.1.2: the client must show that it receives at its address.
    private func sendRetries(for original: [UInt8], of source: [UInt8], to sender: SocketAddress, _ now: UInt64) {
        let ours = EndpointSecrets.random(EndpointSecrets.idByteCount)
        let token = secrets.retryToken(for: "\(sender)", original: original, ours: ours, now: now)
        let head = (original: ngtcp2_cid(original), source: ngtcp2_cid(source))
        // A client that answers the other one sends a token that this server did not make, and gets a Retry again, without end.
        let (otherID, other) = (EndpointSecrets.random(ours.count), EndpointSecrets.random(token.count))
        if limits.retry == .unauthentic {
            sendRetry(other, id: otherID, answering: head, to: sender, isAuthentic: false)
        }
        sendRetry(token, id: ours, answering: head, to: sender)
        if limits.retry == .twice { sendRetry(other, id: otherID, answering: head, to: sender) }
    }

    private func sendRetry(
        _ token: [UInt8], id ours: [UInt8], answering head: (original: ngtcp2_cid, source: ngtcp2_cid),
        to sender: SocketAddress, isAuthentic: Bool = true
    ) {
        guard let key = PayloadKey(key: Self.retryKey) else { return }
        var packet = [UInt8](repeating: 0, count: Self.mostOfPacket)
        var (theirs, scid, original) = (head.source, ngtcp2_cid(ours), head.original)
        var aead = unsafe ngtcp2_crypto_aead()
        unsafe aead.max_overhead = PacketSuite.tagByteCount
        let count = withExtendedLifetime(key) {
            var handle = unsafe ngtcp2_crypto_aead_ctx(native_handle: Unmanaged.passUnretained(key).toOpaque())
            return unsafe ngtcp2_pkt_write_retry(
                &packet, packet.count, LongHeader.version1, &theirs, &scid, &original, token, token.count,
                QUICCallbacks.all.encrypt, &aead, &handle)
        }
        // The tag is at the end (RFC 9001 §5.8).
        if count > 0, !isAuthentic { packet[Int(count) - 1] ^= 1 }
        if count > 0 { send(Array(packet[..<count]), to: sender) }
    }

    /// The key that all servers of version 1 share (RFC 9001 §5.8).
    static let retryKey: [UInt8] = [
        0xBE, 0x0C, 0x69, 0x0B, 0x9F, 0x66, 0x57, 0x5A, 0x1D, 0x76, 0x6B, 0x54, 0xE3, 0x68, 0xC8, 0x4E,
    ]

    /// RFC 9000 §10.3: the peer learns that its connection is gone; shorter than what came, so that two servers do not
    /// answer each other for ever.
    func resetConnection(_ id: ConnectionID, of sender: SocketAddress, answering byteCount: Int = .max) {
        let length = min(byteCount - 1, 41)
        let token = secrets.resetToken(of: id.bytes)
        guard length >= token.count + Int(NGTCP2_MIN_STATELESS_RESET_RANDLEN), id.count == EndpointSecrets.idByteCount
        else { return }
        var packet = [UInt8](repeating: 0, count: Self.mostOfPacket)
        let noise = EndpointSecrets.random(length - token.count)
        let count = unsafe ngtcp2_pkt_write_stateless_reset(&packet, packet.count, token, noise, noise.count)
        if count > 0 { send(Array(packet[..<count]), to: sender) }
    }
}

/// Room for packets, whose pages are taken from the system by the first that are written there.
@safe final class PacketRoom {
    let bytes: UnsafeMutableRawBufferPointer

    init() { unsafe bytes = .allocate(byteCount: QUICConnection.roomByteCount, alignment: 16) }

    deinit { unsafe bytes.deallocate() }
}

extension QUICLimits {
    /// Settings of a connection that begins now.
    func settings(_ now: UInt64) -> ngtcp2_settings {
        var settings = unsafe ngtcp2_settings()
        unsafe ngtcp2_settings_default_versioned(NGTCP2_SETTINGS_VERSION_V1, &settings)
        unsafe settings.initial_ts = now
        unsafe settings.handshake_timeout = handshakeTimeout
        return unsafe settings
    }

    /// Transport parameters that tell the peer of these limits.
    var parameters: ngtcp2_transport_params {
        var parameters = unsafe ngtcp2_transport_params()
        unsafe ngtcp2_transport_params_default_versioned(NGTCP2_TRANSPORT_PARAMS_VERSION_V1, &parameters)
        unsafe parameters.initial_max_streams_bidi = bidirectionalStreams
        unsafe parameters.initial_max_streams_uni = unidirectionalStreams
        unsafe parameters.initial_max_data = connectionWindow
        unsafe parameters.initial_max_stream_data_bidi_local = streamWindow
        unsafe parameters.initial_max_stream_data_bidi_remote = streamWindow
        unsafe parameters.initial_max_stream_data_uni = streamWindow
        unsafe parameters.max_idle_timeout = idleTimeout
        unsafe parameters.active_connection_id_limit = 7
        return unsafe parameters
    }
}
