package import ProctorQUICWire

/// The keys of Initial packets of one connection, by which a server reads a client's first packets and closes connections that do
/// not begin (RFC 9001 §5.2); of one thread at a time.
package struct InitialKeys {
    private let theirs: PacketKeys
    private let ours: PacketKeys

    /// From the destination id of the client's first packet; nil if there is no memory.
    ///
    /// `isClient`: this end is the client.
    package init?(_ id: [UInt8], isClient: Bool = false) {
        let secrets = InitialSecrets.derive(from: id)
        guard
            let theirs = PacketKeys(.aes128, secret: isClient ? secrets.server : secrets.client, isSending: false),
            let ours = PacketKeys(.aes128, secret: isClient ? secrets.client : secrets.server, isSending: true)
        else { return nil }
        (self.theirs, self.ours) = (theirs, ours)
    }

    /// What stood in a packet.
    package struct Opened: Sendable, Equatable {
        package let payload: [UInt8]
        package let number: UInt64
        /// Whether reserved bits of its first byte are set (RFC 9000 §17.2).
        package let hasReservedBits: Bool
    }

    /// Opens an Initial packet; nil if it was sealed with other keys, or changed.
    ///
    /// `expected` is the packet number behind the highest one so far.
    package func open(_ header: LongHeader, in datagram: [UInt8], expected: UInt64) -> Opened? {
        var head = Array(datagram[header.start..<header.protected.lowerBound + 4])
        var mask = [UInt8](repeating: 0, count: 5)
        let sample = Array(datagram[header.protected.lowerBound + 4..<header.protected.lowerBound + 20])
        guard unsafe theirs.header.writeMask(of: sample, into: &mask) else { return nil }
        head[0] ^= mask[0] & 0x0F
        let numberByteCount = Int(head[0] & 3) + 1
        let place = head.count - 4
        for index in 0..<numberByteCount { head[place + index] ^= mask[1 + index] }
        head.removeLast(4 - numberByteCount)
        let number = Self.number(head[place...], expected: expected)
        let sealed = datagram[header.protected.lowerBound + numberByteCount..<header.protected.upperBound]
        guard sealed.count >= PacketSuite.tagByteCount else { return nil }
        var payload = [UInt8](repeating: 0, count: sealed.count - PacketSuite.tagByteCount)
        let isOpen = unsafe sealed.withUnsafeBufferPointer { sealed in
            unsafe head.withUnsafeBufferPointer { head in
                unsafe theirs.payload.open(sealed, nonce: Self.nonce(theirs.iv, number), extra: head, into: &payload)
            }
        }
        return isOpen ? Opened(payload: payload, number: number, hasReservedBits: head[0] & 0x0C != 0) : nil
    }

    /// An Initial packet of version 1 with these frames, filled by PADDING to `byteCount` bytes; nil if OpenSSL refuses, or where
    /// the frames have no room in a datagram.
    package func seal(
        _ frames: [UInt8], to destination: [UInt8], from source: [UInt8], token: [UInt8] = [], number: UInt32 = 0,
        filledTo byteCount: Int = 0
    ) -> [UInt8]? {
        guard destination.count <= 255, source.count <= 255, frames.count + token.count < 1 << 14 - 1_024 else {
            return nil
        }
        // The packet number has four bytes, so that the sample is there whatever the frames are.
        var head: [UInt8] = [0xC3, 0, 0, 0, 1, UInt8(destination.count)] + destination
        head += [UInt8(source.count)] + source
        VariableInteger.append(UInt64(token.count), to: &head)
        head += token
        let least = head.count + 2 + 4 + frames.count + PacketSuite.tagByteCount
        let text = frames + [UInt8](repeating: 0, count: max(0, byteCount - least))
        VariableInteger.append(UInt64(4 + text.count + PacketSuite.tagByteCount), width: 2, to: &head)
        head += (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
        var sealed = [UInt8](repeating: 0, count: text.count + PacketSuite.tagByteCount)
        let isSealed = unsafe text.withUnsafeBufferPointer { text in
            unsafe head.withUnsafeBufferPointer { head in
                unsafe ours.payload.seal(text, nonce: Self.nonce(ours.iv, UInt64(number)), extra: head, into: &sealed)
            }
        }
        var mask = [UInt8](repeating: 0, count: 5)
        guard isSealed, unsafe ours.header.writeMask(of: sealed, into: &mask) else { return nil }
        head[0] ^= mask[0] & 0x0F
        for index in 0..<4 { head[head.count - 4 + index] ^= mask[1 + index] }
        return head + sealed
    }

    /// CONNECTION_CLOSE of QUIC in an Initial packet (RFC 9000 §10.2.3, §19.19).
    package func close(_ code: UInt64, reason: [UInt8], to destination: [UInt8], from source: [UInt8]) -> [UInt8]? {
        var frame: [UInt8] = [0x1C]
        VariableInteger.append(code, to: &frame)
        // The frame that is at fault is not told.
        frame.append(0)
        let reason = reason.prefix(Self.mostOfReason)
        VariableInteger.append(UInt64(reason.count), to: &frame)
        return seal(frame + reason, to: destination, from: source)
    }

    /// A reason is for people; a packet has room for a short one.
    private static let mostOfReason = 200

    /// The number nearest to the expected one that ends in these bytes (RFC 9000 §A.3).
    private static func number(_ bytes: ArraySlice<UInt8>, expected: UInt64) -> UInt64 {
        let window = UInt64(1) << UInt64(8 * bytes.count)
        let low = bytes.reduce(0) { $0 << 8 | UInt64($1) }
        let candidate = expected & ~(window - 1) | low
        if candidate + window / 2 <= expected { return candidate + window }
        return candidate > expected + window / 2 && candidate >= window ? candidate - window : candidate
    }

    private static func nonce(_ iv: [UInt8], _ number: UInt64) -> [UInt8] {
        var nonce = iv
        for index in 0..<8 { nonce[4 + index] ^= UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
        return nonce
    }
}
