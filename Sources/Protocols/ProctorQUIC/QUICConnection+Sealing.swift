internal import CNGTCP2
package import ProctorLoop
internal import ProctorQUICLink

// What tests and fuzzers need to send an end whatever they choose, sealed by the keys that it accepts.
extension QUICConnection {
    /// A packet with a short header and these frames, lawful or not, sealed by the keys of this end; nil before the handshake is
    /// over, and once the connection is.
    package func sealPacket(_ frames: [UInt8], number: UInt32) -> [UInt8]? {
        guard let conn = unsafe conn, let id = unsafe ngtcp2_conn_get_dcid(conn), !secrets.sending.isEmpty,
            let keys = PacketKeys(secrets.suite, secret: secrets.sending, isSending: true)
        else { return nil }
        // The packet number has four bytes, so that the sample is there whatever the frames are.
        let number = (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
        var head = unsafe [0x43] + id.pointee.bytes + number
        var nonce = keys.iv
        for index in 0..<4 { nonce[8 + index] ^= number[index] }
        var sealed = [UInt8](repeating: 0, count: frames.count + PacketSuite.tagByteCount)
        let isSealed = unsafe frames.withUnsafeBufferPointer { text in
            unsafe head.withUnsafeBufferPointer { head in
                unsafe keys.payload.seal(text, nonce: nonce, extra: head, into: &sealed)
            }
        }
        var mask = [UInt8](repeating: 0, count: 5)
        guard isSealed, unsafe keys.header.writeMask(of: sealed, into: &mask) else { return nil }
        head[0] ^= mask[0] & 0x1F
        for index in 0..<4 { head[head.count - 4 + index] ^= mask[1 + index] }
        return head + sealed
    }
}

extension QUICEndpoint {
    /// Reads a datagram as if it had come from that address, and sends what is due; loop thread only.
    package func read(_ datagram: [UInt8], from sender: SocketAddress, at now: UInt64) {
        state.value.receive(datagram, from: sender, now)
        state.value.releaseAll()
    }
}
