internal import CNGTCP2
internal import ProctorBase
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorTLSWire

// Packets are written by ngtcp2 into room that is borrowed, and go out by as few calls of the system as may be.
extension QUICConnection {
    /// Bytes of packets that are sent by one call of the system.
    static let roomByteCount = 32 * EndpointState.mostOfPacket

    /// Writes and sends packets until nothing is left that may be sent; 0, or ngtcp2's error.
    ///
    /// Packets of one size go out together, with a shorter one behind them.
    func writePackets(in room: UnsafeMutableRawBufferPointer, _ conn: OpaquePointer, _ now: UInt64) -> Int {
        var filled = 0
        var segment = 0
        func sendFilled() {
            unsafe endpoint.send(UnsafeRawBufferPointer(rebasing: room[..<filled]), each: segment, to: peerAddress)
            filled = 0
        }
        while true {
            if filled + EndpointState.mostOfPacket > room.count { sendFilled() }
            let start = filled
            var receiver: SocketAddress?
            let count = unsafe writePacket(
                in: UnsafeMutableRawBufferPointer(rebasing: room[start...].prefix(EndpointState.mostOfPacket)), conn,
                now,
                movedTo: &receiver)
            guard count > 0 else {
                sendFilled()
                return count
            }
            if filled > 0, count > segment || receiver != nil {
                sendFilled()
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[start..<start + count]))
            }
            if let receiver, let address = SystemAddress(receiver) { peerAddress = address }
            if filled == 0 { segment = count }
            filled += count
            if count < segment { sendFilled() }
        }
    }

    /// Writes one packet with what the streams have, in turn; the bytes written, 0, or ngtcp2's error.
    ///
    /// `receiver` is set where the packet does not go to the address of those before it.
    private func writePacket(
        in room: UnsafeMutableRawBufferPointer, _ conn: OpaquePointer, _ now: UInt64,
        movedTo receiver: inout SocketAddress?
    ) -> Int {
        guard let packet = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        var path = unsafe ngtcp2_path_storage()
        unsafe ngtcp2_path_storage_zero(&path)
        var information = ngtcp2_pkt_info()
        while true {
            var count = 0
            if let output = sending.first {
                guard output.hasWork else {
                    endTurn(of: output)
                    continue
                }
                var taken = -1
                count = unsafe output.withNext { vectors, ends in
                    let flags = NGTCP2_WRITE_STREAM_FLAG_MORE | (ends ? NGTCP2_WRITE_STREAM_FLAG_FIN : 0)
                    return unsafe ngtcp2_conn_writev_stream_versioned(
                        conn, &path.path, NGTCP2_PKT_INFO_VERSION_V1, &information, packet, room.count, &taken,
                        UInt32(flags), Int64(output.stream), vectors.baseAddress, vectors.count, now)
                }
                if taken >= 0 {
                    unsentByteCount -= taken
                    output.advance(taken, withEnd: output.ends)
                    endTurn(of: output)
                }
                if count < 0 {
                    // Other streams have room in the same packet.
                    guard goesOn(after: count, on: output) else { return count }
                    continue
                }
            } else {
                count = unsafe ngtcp2_conn_writev_stream_versioned(
                    conn, &path.path, NGTCP2_PKT_INFO_VERSION_V1, &information, packet, room.count, nil, 0, -1, nil, 0,
                    now)
            }
            if count > 0, unsafe !peerAddress.isEqual(to: path.path.remote) {
                receiver = unsafe SystemAddress.read(path.path.remote)
            }
            return count
        }
    }

    /// The stream waits for its next turn if it has more to send.
    private func endTurn(of output: StreamOutput) {
        sending.removeFirst()
        output.isInTurn = false
        giveTurn(to: output)
    }

    func giveTurn(to output: StreamOutput) {
        guard output.hasWork, !output.isInTurn else { return }
        output.isInTurn = true
        sending.append(output)
    }

    /// Whether other streams may still be sent on after what ngtcp2 has returned for one.
    private func goesOn(after count: Int, on output: StreamOutput) -> Bool {
        switch Int32(count) {
        case NGTCP2_ERR_WRITE_MORE: break
        case NGTCP2_ERR_STREAM_DATA_BLOCKED: output.isBlocked = true
        case NGTCP2_ERR_STREAM_SHUT_WR, NGTCP2_ERR_STREAM_NOT_FOUND: dropOutput(output.stream)
        default: return false
        }
        return true
    }
}
