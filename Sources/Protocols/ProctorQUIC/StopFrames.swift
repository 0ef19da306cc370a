internal import CNGTCP2
internal import ProctorHTTP3
internal import ProctorTLS

/// A key for packets that come, which shows their frames to its connection.
///
/// ngtcp2 0.12 answers STOP_SENDING by itself and tells nobody of it.
final class OpeningKey {
    let key: PayloadKey
    /// It owns ngtcp2's connection, which owns this key.
    private unowned let connection: QUICConnection

    init(_ key: PayloadKey, of connection: QUICConnection) {
        (self.key, self.connection) = (key, connection)
    }

    /// Called with the text of each packet that was opened.
    func didOpen(_ text: UnsafeBufferPointer<UInt8>) {
        for frame in unsafe StopFrame.list(in: text) { connection.noteStop(frame) }
    }
}

/// STOP_SENDING (RFC 9000 §19.5).
struct StopFrame: Equatable {
    let stream: UInt64
    let code: UInt64

    /// Those of a packet; reading ends at what is no frame, which ngtcp2 refuses.
    static func list(in text: UnsafeBufferPointer<UInt8>) -> [StopFrame] {
        var reader = unsafe FrameWalk(text: text)
        var found: [StopFrame] = []
        while let frame = reader.next() {
            if case .stop(let stop) = frame { found.append(stop) }
        }
        return found
    }
}

/// Goes through the frames of a packet (RFC 9000 §19).
@safe private struct FrameWalk {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    enum Frame {
        case stop(StopFrame)
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
        case 0x1A, 0x1B: return skip(bytes: 8)
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
