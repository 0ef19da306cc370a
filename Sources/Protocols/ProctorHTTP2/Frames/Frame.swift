package import ProctorHTTP

/// A frame that was received or is sent (RFC 9113 §4.1); it need not be lawful.
package struct Frame: Sendable, Equatable {
    package var type: FrameType
    package var flags: FrameFlags
    /// 31 bits; 0 means the connection.
    package var stream: UInt32
    /// The bit before the stream identifier, which senders leave 0 and receivers ignore.
    package var hasReservedBit: Bool
    /// The bytes after the frame header of nine bytes.
    package var payload: [UInt8]

    package init(
        _ type: FrameType, flags: FrameFlags = [], stream: UInt32 = 0, hasReservedBit: Bool = false,
        payload: [UInt8] = []
    ) {
        (self.type, self.flags) = (type, flags)
        self.stream = stream & Self.streamMask
        (self.hasReservedBit, self.payload) = (hasReservedBit, payload)
    }

    /// The length of a frame header in bytes.
    package static let headByteCount = 9
    static let streamMask: UInt32 = 0x7FFF_FFFF

    package var endsStream: Bool { (type == .data || type == .headers) && flags.contains(.endStream) }
    package var isAck: Bool { (type == .settings || type == .ping) && flags.contains(.ack) }
    /// Whether the frame has a fragment of a field block.
    package var hasFieldBlock: Bool { type == .headers || type == .pushPromise || type == .continuation }
}

/// The padding of a frame.
package struct Padding: Sendable, Equatable {
    /// 0 to 255, without the Pad Length byte.
    package let byteCount: Int
    /// Whether every byte is 0, as senders must write them (RFC 9113 §6.1).
    package let isZero: Bool
}

/// The priority of RFC 7540, which receivers ignore (RFC 9113 §5.3.2).
package struct StreamDependency: Sendable, Equatable {
    package let stream: UInt32
    package let isExclusive: Bool
    /// 1 to 256.
    package let weight: Int

    package init(on stream: UInt32, isExclusive: Bool = false, weight: Int = 16) {
        self.stream = stream & Frame.streamMask
        self.isExclusive = isExclusive
        self.weight = min(256, max(1, weight))
    }
}

/// The meaning of a frame's payload, for a payload that can be parsed.
package enum FrameContent: Sendable, Equatable {
    /// DATA, whose content is a range of the payload.
    case data(Range<Int>, padding: Padding?)
    /// HEADERS, whose field block fragment is a range of the payload.
    case headers(Range<Int>, dependency: StreamDependency?, padding: Padding?)
    case priority(StreamDependency)
    case resetStream(ErrorCode)
    case settings([Setting])
    case pushPromise(promised: UInt32, Range<Int>, padding: Padding?)
    /// PING with eight bytes.
    case ping([UInt8])
    case goAway(lastStream: UInt32, ErrorCode, debug: Range<Int>)
    /// WINDOW_UPDATE with an increment of 31 bits.
    case windowUpdate(UInt32)
    case continuation(Range<Int>)
    /// PRIORITY_UPDATE, whose priority field value is a range of the payload (RFC 9218 §7.1).
    case priorityUpdate(UInt32, Range<Int>)
    /// A frame of an unknown type.
    case unknown
}
