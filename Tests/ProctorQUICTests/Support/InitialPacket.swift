import ProctorQUICLink

@testable import ProctorQUIC

/// First packets of clients that say nothing whole: a fragment of a ClientHello, which the server waits on with.
enum InitialPacket {
    /// A datagram of 1,200 bytes from a client that has chosen `id` for the server (RFC 9000 §17.2.2).
    static func bytes(to id: [UInt8], token: [UInt8] = [], from ours: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
        // CRYPTO at offset 0: a ClientHello of 256 bytes, of which eight come.
        var frames: [UInt8] = [0x06, 0x00, 0x08, 0x01, 0x00, 0x01, 0x00, 0x03, 0x03, 0x00, 0x00]
        var head: [UInt8] = [0xC3, 0, 0, 0, 1, UInt8(id.count)] + id + [UInt8(ours.count)] + ours
        head += [0x40 | UInt8(token.count >> 8), UInt8(token.count & 0xFF)] + token
        let sealed = 1_200 - head.count - 2
        // The packet number has four bytes, and the tag sixteen.
        frames += [UInt8](repeating: 0, count: sealed - 4 - PacketSuite.tagByteCount - frames.count)
        head += [0x40 | UInt8(sealed >> 8), UInt8(sealed & 0xFF), 0, 0, 0, 0]
        guard let keys = PacketKeys(.aes128, secret: InitialSecrets.derive(from: id).client, isSending: true) else {
            return []
        }
        var payload = [UInt8](repeating: 0, count: frames.count + PacketSuite.tagByteCount)
        let isDone = unsafe frames.withUnsafeBufferPointer { text in
            unsafe head.withUnsafeBufferPointer { extra in
                unsafe keys.payload.seal(text, nonce: keys.iv, extra: extra, into: &payload)
            }
        }
        guard isDone else { return [] }
        var mask = [UInt8](repeating: 0, count: 5)
        guard unsafe keys.header.writeMask(of: payload, into: &mask) else { return [] }
        head[0] ^= mask[0] & 0x0F
        for index in 0..<4 { head[head.count - 4 + index] ^= mask[1 + index] }
        return head + payload
    }
}
