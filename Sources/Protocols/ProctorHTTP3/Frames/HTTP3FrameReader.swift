internal import ProctorBase
package import ProctorHTTP
internal import ProctorQUICWire

/// Reads the frames of one stream, from bytes in pieces of any length (RFC 9114 §7.1).
///
/// The content of DATA is handed on as it comes, and the payload of unknown types is skipped; all other payloads are kept
/// until they are whole, up to a bound.
package struct HTTP3FrameReader: Sendable, Equatable {
    /// Payloads that are longer are skipped, except those of DATA and of unknown types.
    package var maximumPayloadByteCount: Int
    /// Whether field sections are kept as other payloads are; else they are skipped like payloads that are too long.
    package var keepsSections: Bool
    /// Bytes of the stream before the next byte.
    package private(set) var offset: Int
    /// Where the frame begins that is being read, or the next one.
    package private(set) var frameOffset: Int
    private var head: [UInt8] = []
    private var state = State.head

    private enum State: Sendable, Equatable {
        case head
        /// DATA with so many bytes to come.
        case content(UInt64)
        case payload(HTTP3Frame, byteCount: Int)
        case skipping(UInt64)
    }

    /// One result of reading.
    package enum Part: Sendable, Equatable {
        /// DATA begins, with its length.
        case data(byteCount: UInt64)
        /// Content of DATA, as a range of the bytes that were given.
        case content(Range<Int>)
        case frame(HTTP3Frame)
        /// A frame of an unknown type begins, with its length.
        case unknown(HTTP3FrameType, byteCount: UInt64)
        /// A frame is longer than the bound, and is skipped.
        case tooLong(HTTP3FrameType, byteCount: UInt64)
    }

    /// `offset` is the number of bytes of the stream before the first frame.
    package init(offset: Int = 0, maximumPayloadByteCount: Int = 128 << 10, keepsSections: Bool = true) {
        (self.keepsSections, self.offset) = (keepsSections, offset)
        frameOffset = offset
        self.maximumPayloadByteCount = maximumPayloadByteCount
    }

    /// Whether the bytes so far end between two frames.
    package var isBetweenFrames: Bool { state == .head && head.isEmpty }

    /// The next result; nil if more bytes are needed, after all of `bytes` were consumed.
    ///
    /// Moves `position` behind the consumed bytes.
    package mutating func next(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> Part? {
        while position < bytes.count {
            switch state {
            case .head:
                var end = position
                if head.isEmpty, let type = VariableInteger.read(bytes, at: &end),
                    let length = VariableInteger.read(bytes, at: &end)
                {
                    frameOffset = offset
                    advance(end - position, &position)
                    if let part = beginFrame(HTTP3FrameType(rawValue: type), length) { return part }
                } else if let part = readHead(bytes[position], &position) {
                    return part
                }
            case .content(let rest):
                let count = Int(min(rest, UInt64(bytes.count - position)))
                advance(count, &position)
                state = rest == UInt64(count) ? .head : .content(rest - UInt64(count))
                return .content(position - count..<position)
            case .skipping(let rest):
                let count = Int(min(rest, UInt64(bytes.count - position)))
                advance(count, &position)
                state = rest == UInt64(count) ? .head : .skipping(rest - UInt64(count))
            case .payload(var frame, let byteCount):
                // The state lends its bytes, so that appending does not copy them.
                state = .head
                let count = min(byteCount - frame.payload.count, bytes.count - position)
                frame.payload.append(bytes.extracting(position..<position + count))
                advance(count, &position)
                if frame.payload.count == byteCount { return .frame(frame) }
                state = .payload(frame, byteCount: byteCount)
            }
        }
        return nil
    }

    private mutating func advance(_ count: Int, _ position: inout Int) {
        position += count
        offset += count
    }

    /// Reads one byte of a type and a length that did not come whole.
    private mutating func readHead(_ byte: UInt8, _ position: inout Int) -> Part? {
        if head.isEmpty { frameOffset = offset }
        head.append(byte)
        advance(1, &position)
        var end = 0
        guard let type = VariableInteger.read(head, at: &end), let length = VariableInteger.read(head, at: &end) else {
            return nil
        }
        head.removeAll(keepingCapacity: true)
        return beginFrame(HTTP3FrameType(rawValue: type), length)
    }

    private mutating func beginFrame(_ type: HTTP3FrameType, _ length: UInt64) -> Part? {
        if type == .data {
            if length > 0 { state = .content(length) }
            return .data(byteCount: length)
        }
        let isKept = type.isKnown && length <= UInt64(maximumPayloadByteCount) && (keepsSections || type != .headers)
        if isKept {
            if length == 0 { return .frame(HTTP3Frame(type)) }
            state = .payload(HTTP3Frame(type), byteCount: Int(length))
            return nil
        }
        if length > 0 { state = .skipping(length) }
        return type.isKnown ? .tooLong(type, byteCount: length) : .unknown(type, byteCount: length)
    }
}
