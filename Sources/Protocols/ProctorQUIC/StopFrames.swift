internal import CNGTCP2
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorQUICLink
internal import ProctorQUICWire

/// A key for packets that come, which shows their frames to its connection.
///
/// ngtcp2 0.12 answers STOP_SENDING and PATH_CHALLENGE by itself, and has no callback for them.
final class PacketOpeningKey {
    let key: PayloadKey
    /// The owner of ngtcp2's connection, which owns this key.
    private unowned let connection: QUICConnection

    init(_ key: PayloadKey, of connection: QUICConnection) {
        (self.key, self.connection) = (key, connection)
    }

    /// Called with the text of each packet that was opened.
    func didOpen(_ text: UnsafeBufferPointer<UInt8>) {
        let frames = unsafe AnsweredFrames(in: text)
        for frame in frames.stops { connection.noteStop(frame) }
        connection.load.challengeCount += frames.challengeCount
    }
}

/// STOP_SENDING (RFC 9000 §19.5).
struct StopFrame: Equatable {
    let stream: UInt64
    let code: UInt64
}

/// The frames of a packet that ngtcp2 answers by itself.
struct AnsweredFrames: Equatable {
    var stops: [StopFrame] = []
    /// PATH_CHALLENGE (RFC 9000 §19.17).
    var challengeCount = 0

    /// Reading ends at what is no frame, which ngtcp2 refuses.
    init(in text: UnsafeBufferPointer<UInt8>) {
        var reader = unsafe FrameWalk(text: text)
        while let frame = reader.next() {
            switch frame {
            case .stop(let stop): stops.append(stop)
            case .challenge: challengeCount += 1
            case .other: break
            }
        }
    }
}

/// What a peer has sent, and asked to be answered in datagrams of 1,200 bytes (RFC 9000 §8.2.2).
struct ChallengeLoad {
    var receivedByteCount = 0
    var challengeCount = 0

    /// So many are answered, whatever came with them: an end that looks for paths sends few.
    static let leastPermitted = 16
    /// A further one is answered where the client has sent as many bytes as the answer has, so that it gets no more bytes than it sends.
    static let byteCountOfAnswer = 1_200

    /// Why the connection ends; nil: all are answered.
    var refusal: String? {
        guard challengeCount > Self.leastPermitted + receivedByteCount / Self.byteCountOfAnswer else { return nil }
        return "\(challengeCount) PATH_CHALLENGE in \(receivedByteCount) bytes, where \(Self.leastPermitted) "
            + "and one for each \(Self.byteCountOfAnswer) bytes are answered"
    }
}

/// Goes through the frames of a packet (RFC 9000 §19).
@safe private struct FrameWalk {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    enum Frame {
        case stop(StopFrame)
        case challenge
        case other
    }

    init(text: UnsafeBufferPointer<UInt8>) { unsafe self.text = unsafe text }

    /// nil at the end, and at what is no frame.
    mutating func next() -> Frame? {
        guard let type = number() else { return nil }
        switch type {
        case 0x00, 0x01, 0x1E: return .other
        case 0x02, 0x03: return skipAcknowledgement(hasCounts: type == 0x03)
        case 0x04: return skip(numbers: 3)
        case 0x05:
            guard let stream = number(), let code = number() else { return nil }
            return .stop(StopFrame(stream: stream, code: code))
        case 0x06: return number() == nil ? nil : skipCounted()
        case 0x07, 0x31: return skipCounted()
        case 0x08...0x0F:
            guard skip(numbers: type & 0x04 == 0 ? 1 : 2) != nil else { return nil }
            // Without a length the data goes to the end of the packet.
            return type & 0x02 == 0 ? nil : skipCounted()
        case 0x10, 0x12, 0x13, 0x14, 0x16, 0x17, 0x19: return skip(numbers: 1)
        case 0x11, 0x15: return skip(numbers: 2)
        case 0x18:
            guard skip(numbers: 2) != nil, unsafe position < text.count else { return nil }
            return unsafe skip(bytes: 1 + UInt64(text[position]) + 16)
        case 0x1A: return skip(bytes: 8).map { _ in .challenge }
        case 0x1B: return skip(bytes: 8)
        default: return nil
        }
    }

    private mutating func number() -> UInt64? { unsafe VariableInteger.read(text.span, at: &position) }

    private mutating func skip(numbers count: Int) -> Frame? {
        for _ in 0..<count where number() == nil { return nil }
        return .other
    }

    private mutating func skip(bytes count: UInt64) -> Frame? {
        guard unsafe count <= UInt64(text.count - position) else { return nil }
        position += Int(count)
        return .other
    }

    private mutating func skipCounted() -> Frame? { number().flatMap { skip(bytes: $0) } }

    private mutating func skipAcknowledgement(hasCounts: Bool) -> Frame? {
        guard skip(numbers: 2) != nil, let rangeCount = number(), unsafe rangeCount <= UInt64(text.count),
            skip(numbers: 1 + 2 * Int(rangeCount)) != nil
        else { return nil }
        return hasCounts ? skip(numbers: 3) : .other
    }
}
