internal import ProctorBase

/// Reads a ClientHello from raw records (RFC 8446 §5.1) before OpenSSL does; the message may span several records.
package struct ClientHelloReader: Sendable {
    /// The state after the bytes so far.
    package enum Outcome: Sendable, Equatable {
        case needsMore
        case complete(ClientHello)
        /// The bytes violate TLS; one sentence.
        case refused(String)
        /// The first byte is not that of a handshake record: the client uses another protocol.
        case notTLS
    }

    /// All bytes so far, for the session that continues.
    package private(set) var received: [UInt8] = []
    /// Handshake messages, without record headers.
    private var message: [UInt8] = []
    /// The offset of the next record.
    private var place = 0
    private var outcome = Outcome.needsMore
    private let limit: Int

    /// Refuses a message longer than `limit` bytes.
    package init(limit: Int = 65_536) {
        self.limit = limit
    }

    /// Reads input; after an outcome other than `needsMore` it only stores the bytes.
    package mutating func read(_ bytes: Span<UInt8>) -> Outcome {
        received.append(bytes)
        while case .needsMore = outcome, let next = readRecord() { outcome = next }
        return outcome
    }

    /// Reads bytes of the message without records, as CRYPTO frames of QUIC carry them (RFC 9001 §4).
    package mutating func read(message bytes: [UInt8]) -> Outcome {
        message += bytes
        if case .needsMore = outcome { outcome = readMessage() }
        return outcome
    }

    /// nil if the record is incomplete.
    private mutating func readRecord() -> Outcome? {
        guard let type = byte(0) else { return nil }
        guard type == Self.handshake else { return refusal(ofRecord: type) }
        if let major = byte(1), major != 3 {
            return .refused("a record says version \(major).\(byte(2) ?? 0), where 3.1 to 3.4 is TLS (RFC 8446 §5.1)")
        }
        guard let high = byte(3), let low = byte(4) else { return nil }
        let length = Int(high) << 8 | Int(low)
        guard length > 0, length <= Self.recordLimit else {
            return .refused("a record of \(length) bytes; one of a handshake has 1 to 16384 (RFC 8446 §5.1)")
        }
        guard received.count - place >= 5 + length else { return nil }
        message += received[place + 5..<place + 5 + length]
        place += 5 + length
        return readMessage()
    }

    private func refusal(ofRecord type: UInt8) -> Outcome? {
        if place > 0 { return .refused("a record of type \(type) in the middle of a ClientHello (RFC 8446 §5.1)") }
        switch type {
        case 20, 21, 23: return .refused("a record of type \(type) where a ClientHello begins (RFC 8446 §5.1)")
        // SSL 2: a length of two bytes with the highest bit set, then the message's type and version.
        case 0x80...0xFF:
            guard let kind = byte(2), let major = byte(3) else { return nil }
            return kind == 1 && (major == 2 || major == 3)
                ? .refused("a ClientHello of SSL 2, which a client must not send (RFC 6176 §3)") : .notTLS
        default: return .notTLS
        }
    }

    private func readMessage() -> Outcome {
        guard let type = message.first else { return .needsMore }
        guard type == 1 else {
            return .refused("a handshake message of type \(type) where a ClientHello, type 1, begins")
        }
        guard message.count >= 4 else { return .needsMore }
        let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
        guard length <= limit else {
            return .refused("a ClientHello of \(length) bytes; at most \(limit) are read")
        }
        guard message.count >= 4 + length else { return .needsMore }
        guard message.count == 4 + length else {
            return .refused("\(message.count - 4 - length) bytes behind the ClientHello in its record")
        }
        do throws(ClientHello.Flaw) {
            return .complete(try ClientHello(body: message[4...], byteCount: message.count))
        } catch {
            return .refused(error.sentence)
        }
    }

    private func byte(_ index: Int) -> UInt8? {
        place + index < received.count ? received[place + index] : nil
    }

    private static let handshake: UInt8 = 22
    private static let recordLimit = 16_384
}
