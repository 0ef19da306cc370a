package import ProctorHTTP2

extension FrameAction {
    /// The last stream id in a GOAWAY.
    package enum LastStream: Sendable, Equatable {
        /// The highest id that the client has used.
        case highest
        /// The id of the reply's stream.
        case this
        /// An id below that of the reply's stream, which is therefore not answered.
        case before
        /// 2^31 − 1: a warning, after which streams are still answered (§6.8).
        case most
        case number(UInt32)
    }
}

/// A frame as a fixture writes it (RFC 9113 §4.1).
package struct FrameTemplate: Sendable {
    package let type: FrameType
    package let flags: FrameFlags
    package let stream: Stream
    package var hasReservedBit = false
    package var content: Content
    /// The length in the frame's header, when it is not that of the payload.
    package var statedByteCount: Int?

    package init(
        type: FrameType, flags: FrameFlags, stream: Stream, hasReservedBit: Bool = false, content: Content,
        statedByteCount: Int? = nil
    ) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.hasReservedBit = hasReservedBit
        self.content = content
        self.statedByteCount = statedByteCount
    }

    package enum Stream: Sendable, Equatable {
        /// The stream of the reply.
        case this
        /// A stream id; 0 is the connection.
        case number(UInt32)
        /// A stream that the client has not opened, above all that it has opened.
        case idle
    }

    package enum Content: Sendable {
        case payload([UInt8])
        /// A field block, in PUSH_PROMISE after the id of the promised stream (§6.6).
        case fields([ReplyField], promised: UInt32?)
    }

    /// The same frame with other values in its field block.
    package func with(_ change: ([ReplyField]) -> [ReplyField]) -> FrameTemplate {
        guard case .fields(let fields, let promised) = content else { return self }
        var frame = self
        frame.content = .fields(change(fields), promised: promised)
        return frame
    }
}

extension FrameAction.LastStream {
    package var text: String {
        switch self {
        case .highest: "highest"
        case .this: "this"
        case .before: "before"
        case .most: "most"
        case .number(let number): "\(number)"
        }
    }
}

extension Setting.Identifier {
    /// The name in fixtures, `max-concurrent-streams`; the number of a parameter without a name.
    package var fixtureName: String {
        String(description.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}

/// The HTTP/2 settings and behaviour of an origin that differ from the server's own.
package struct HTTP2Behaviour: Sendable {
    /// Parameters of its first SETTINGS frame, which are added to or replace the server's own.
    package var settings: [Setting] = []
    /// Bytes that are sent in place of its first SETTINGS frame, which is the server's whole connection preface (RFC
    /// 9113 §3.4).
    package var preface: [UInt8]?
    /// Whether it sends WINDOW_UPDATE as content is read (§5.2).
    package var updatesWindows = true
    /// The frames that it acknowledges.
    package var acknowledges: Set<Acknowledged> = Set(Acknowledged.allCases)

    package enum Acknowledged: String, Sendable, CaseIterable { case settings, ping }

    package init() {}
}
