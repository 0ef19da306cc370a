package import ProctorHTTP

/// What a frame of the peer means for the connection; the caller handles events in their order.
package enum ConnectionEvent: Sendable, Equatable {
    /// A complete field section of a request, or of a final or interim response.
    case head(stream: UInt32, FieldBlock)
    /// Content as a range of the frame's payload; `flowByteCount` is what counts against the flow-control windows.
    case data(stream: UInt32, Range<Int>, flowByteCount: Int, endsStream: Bool)
    case trailers(stream: UInt32, FieldBlock)
    case reset(stream: UInt32, ErrorCode)
    /// Parameters of the peer, which are now in force and must be acknowledged.
    case settings([Setting])
    /// The peer has acknowledged our oldest unacknowledged SETTINGS.
    case settingsAcknowledged
    /// A PING, which must be acknowledged with the same eight bytes.
    case ping([UInt8])
    case pingAcknowledged([UInt8])
    case goAway(lastStream: UInt32, ErrorCode, debug: Range<Int>)
    /// More DATA may be sent: on the stream, or on all streams if it is 0.
    case window(stream: UInt32, increment: UInt32)
    case priority(stream: UInt32, StreamDependency)
    /// A PRIORITY_UPDATE, whose priority field value is a range of the frame's payload.
    case priorityUpdate(stream: UInt32, Range<Int>)
    case push(stream: UInt32, promised: UInt32, FieldBlock)
    case violation(HTTP2Violation)
    /// A frame of an unknown type, which is ignored.
    case unknown

    /// A field section with its meaning; blocks that are written alike, one behind the other, are one object.
    package final class FieldBlock: Sendable, Equatable {
        package let section: HeaderDecoder.Section
        package let check: FieldSectionCheck
        package let endsStream: Bool
        /// The number of frames that contained the block.
        package let frameCount: Int
        /// The length of the received block, before decoding.
        package let blockByteCount: Int

        init(
            section: HeaderDecoder.Section, check: FieldSectionCheck, endsStream: Bool, frameCount: Int,
            blockByteCount: Int
        ) {
            (self.section, self.check, self.endsStream) = (section, check, endsStream)
            (self.frameCount, self.blockByteCount) = (frameCount, blockByteCount)
        }

        package static func == (one: FieldBlock, other: FieldBlock) -> Bool {
            one === other
                || one.endsStream == other.endsStream && one.frameCount == other.frameCount
                    && one.blockByteCount == other.blockByteCount && one.section == other.section
                    && one.check == other.check
        }
    }
}
