internal import ProctorBase
package import ProctorQUICWire

/// Reads a client's first packets until its ClientHello is whole and keeps to the RFCs; a library of QUIC gets none of them before
/// (RFC 9000 §17.2.2, RFC 9001 §8).
///
/// Of one thread at a time.
package struct OpeningGuard {
    private let keys: InitialKeys
    /// The id that the client has given itself.
    private let source: [UInt8]
    private let destination: [UInt8]
    private var stream = CryptoStream()
    /// The packet number behind the highest one so far.
    private var expected: UInt64 = 0
    /// What is handed on once the ClientHello has passed.
    private var datagrams: [[UInt8]] = []
    private var keptByteCount = 0

    /// Bytes of datagrams that are kept for a ClientHello of ``CryptoStream/mostBytes``.
    static let mostKept = 64 << 10

    package enum Outcome: Sendable, Equatable {
        case needsMore
        /// The datagram changes nothing.
        case dropped(DatagramFault)
        /// A library may have these datagrams, whose CRYPTO frames have `message` and nothing else.
        indirect case passed(OpeningHello, message: [UInt8], datagrams: [[UInt8]])
        case refused(OpeningFault)
        /// The client has given up, with this code.
        case closed(code: UInt64, reason: [UInt8])
    }

    /// For the ids of a client's first packet; nil if there is no memory.
    package init?(destination: [UInt8], source: [UInt8]) {
        guard let keys = InitialKeys(destination) else { return nil }
        (self.keys, self.source, self.destination) = (keys, source, destination)
    }

    /// Reads a datagram, whose headers have passed.
    package mutating func read(_ datagram: [UInt8], _ packets: DatagramReading.Packets) -> Outcome {
        var passed: [UInt8] = []
        var hasNew = false
        do throws(OpeningFault) {
            for header in packets.long
            where header.kind == .initial && datagram[header.source].elementsEqual(source) {
                guard let packet = keys.open(header, in: datagram, expected: expected) else { continue }
                guard !packet.hasReservedBits else {
                    throw .protocolViolation("reserved bits of an Initial packet are set", "RFC 9000 §17.2")
                }
                expected = max(expected, packet.number + 1)
                let frames = try InitialFrames(packet.payload.span)
                if let close = frames.close {
                    return .closed(code: close.code, reason: Array(packet.payload[close.reason]))
                }
                for frame in frames.crypto {
                    if try stream.insert(packet.payload[frame.bytes], at: frame.offset) { hasNew = true }
                }
                passed += datagram[header.range]
            }
            guard !passed.isEmpty else { return .dropped(.notOpened) }
            if hasNew || datagrams.isEmpty { try keepPackets(passed) }
            guard hasNew, let hello = try OpeningHello.read(stream, source: source) else { return .needsMore }
            return .passed(hello, message: stream.bytes, datagrams: datagrams)
        } catch {
            return .refused(error)
        }
    }

    /// Keeps the packets of a datagram that were opened, with zeros where a datagram is too short without the others.
    private mutating func keepPackets(_ packets: [UInt8]) throws(OpeningFault) {
        let missing = max(0, DatagramReading.leastInitial - packets.count)
        keptByteCount += packets.count + missing
        guard keptByteCount <= Self.mostKept else {
            throw .cryptoBuffer("a ClientHello in more than \(Self.mostKept) bytes of datagrams", "RFC 9000 §7.5")
        }
        datagrams.append(packets + [UInt8](repeating: 0, count: missing))
    }

    /// The packet that closes the connection, whose packets go to the client's id (RFC 9000 §10.2.3).
    package func close(_ close: QUICClose) -> [UInt8]? {
        // The codes of an application do not go into an Initial packet: APPLICATION_ERROR stands for them.
        keys.close(
            close.isOfApplication ? 0x0C : close.code, reason: close.isOfApplication ? [] : close.reason, to: source,
            from: destination)
    }
}
