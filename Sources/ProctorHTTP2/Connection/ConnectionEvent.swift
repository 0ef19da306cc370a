/// What a frame of the peer means for the connection, in the order in which it is to be dealt with.
package enum ConnectionEvent: Sendable, Equatable {
    /// A request, a final or an interim response, whole.
    case head(stream: UInt32, FieldBlock)
    /// The range of the frame's payload that is content; `flowByteCount` is what counts against windows.
    case data(stream: UInt32, Range<Int>, flowByteCount: Int, endsStream: Bool)
    case trailers(stream: UInt32, FieldBlock)
    case reset(stream: UInt32, ErrorCode)
    /// Parameters of the peer, which are in force now and want an acknowledgement.
    case settings([Setting])
    /// The peer has taken the oldest of our SETTINGS that were open.
    case settingsAcknowledged
    /// Wants an acknowledgement with the same eight bytes.
    case ping([UInt8])
    case pingAcknowledged([UInt8])
    case goAway(lastStream: UInt32, ErrorCode, debug: Range<Int>)
    /// More may be sent: on the stream, or on all of them where it is 0.
    case window(stream: UInt32, increment: UInt32)
    case priority(stream: UInt32, StreamDependency)
    /// The priority field value is a range of the frame's payload.
    case priorityUpdate(stream: UInt32, Range<Int>)
    case push(stream: UInt32, promised: UInt32, FieldBlock)
    case violation(HTTP2Violation)
    /// A frame of an unknown type, which is ignored.
    case unknown

    /// A field section with what it says.
    package struct FieldBlock: Sendable, Equatable {
        package let section: HeaderDecoder.Section
        package let check: FieldSectionCheck
        package let endsStream: Bool
        /// Frames that the block came in.
        package let frameCount: Int
        /// Bytes of the block as it came.
        package let blockByteCount: Int
    }
}
