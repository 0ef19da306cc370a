package import ProctorHTTP

/// What bytes of the peer mean; the caller handles events in their order.
package enum HTTP3Event: Sendable, Equatable {
    /// A complete field section of a request, or of a final or interim response.
    case head(stream: UInt64, FieldBlock)
    /// The section of a request that its violation ends, so that nothing of it is handed on.
    case refusedHead(stream: UInt64, FieldBlock)
    /// Content of DATA, which is not empty.
    case content(stream: UInt64, [UInt8])
    case trailers(stream: UInt64, FieldBlock)
    /// The peer has ended a request or push stream with FIN.
    case end(stream: UInt64)
    case reset(stream: UInt64, HTTP3Code)
    /// The peer reads no more of a stream of ours, or of our direction of it.
    case stop(stream: UInt64, HTTP3Code)
    /// A request that came behind our GOAWAY: it is to be reset with H3_REQUEST_REJECTED.
    case refused(stream: UInt64)
    /// A unidirectional stream of the peer; one of an unknown type is to be stopped, or ignored (RFC 9114 §6.2).
    case opened(stream: UInt64, HTTP3StreamType)
    /// The peer's parameters, which are in force now.
    case settings([HTTP3Setting])
    case goAway(UInt64)
    case maxPushID(UInt64)
    case cancelPush(UInt64)
    /// PUSH_PROMISE on a request stream.
    case promise(stream: UInt64, id: UInt64, FieldBlock)
    case push(stream: UInt64, id: UInt64)
    case priorityUpdate(element: UInt64, isPush: Bool, value: [UInt8])
    /// A frame of an unknown type, which is ignored.
    case unknown(stream: UInt64, HTTP3FrameType, byteCount: UInt64)
    /// A field section waits until so many fields were inserted.
    case blocked(stream: UInt64, insertCount: Int)
    case violation(HTTP3Violation)

    /// A field section with its meaning.
    ///
    /// An object, since most requests of a client have the section of the one before.
    package final class FieldBlock: Sendable, Equatable {
        package let section: QPACKDecoder.Section
        package let check: FieldSectionCheck
        /// The length of the received section, before decoding.
        package let byteCount: Int

        init(section: QPACKDecoder.Section, check: FieldSectionCheck, byteCount: Int) {
            (self.section, self.check, self.byteCount) = (section, check, byteCount)
        }

        package static func == (left: FieldBlock, right: FieldBlock) -> Bool {
            left === right
                || left.byteCount == right.byteCount && left.section == right.section && left.check == right.check
        }
    }
}

extension HTTP3Event {
    /// The stream of a part of a message; nil for all other events.
    var messageStream: UInt64? {
        switch self {
        case .head(let stream, _), .content(let stream, _), .trailers(let stream, _), .end(let stream): stream
        default: nil
        }
    }
}
