internal import ProctorBase
package import ProctorHTTP

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

/// A frame as a fixture writes it (RFC 9113 §4.1, RFC 9114 §7.1).
package struct FrameTemplate: Sendable {
    package let type: TypeName
    package let flags: FrameFlags
    package let stream: Stream
    package var hasReservedBit = false
    package var content: Content
    /// The length in the frame's header, when it is not that of the payload.
    package var statedByteCount: Int?

    package init(
        type: TypeName, flags: FrameFlags, stream: Stream, hasReservedBit: Bool = false, content: Content,
        statedByteCount: Int? = nil
    ) {
        (self.type, self.flags, self.stream, self.hasReservedBit) = (type, flags, stream, hasReservedBit)
        (self.content, self.statedByteCount) = (content, statedByteCount)
    }

    /// A type by its name or its number, which one of the protocols may not have.
    package struct TypeName: Sendable, Equatable {
        package let http2: FrameType?
        package let http3: HTTP3FrameType?
        package let text: String

        package init(_ text: String, http2: FrameType?, http3: HTTP3FrameType?) {
            (self.text, self.http2, self.http3) = (text, http2, http3)
        }
    }

    package enum Stream: Sendable, Equatable {
        /// The stream of the reply.
        case this
        /// Stream 0 of HTTP/2, and the control stream of HTTP/3.
        case connection
        /// A stream id; 0 is the connection over HTTP/2.
        case number(UInt32)
        /// A stream that the client has not opened, above all that it has opened.
        case idle
        /// A unidirectional stream of HTTP/3: the server's, or of ``FrameAction/stopSending(_:on:)`` the client's.
        case critical(HTTP3StreamType)

        package var text: String {
            switch self {
            case .this: "this"
            case .connection: "connection"
            case .number(let number): "\(number)"
            case .idle: "idle"
            case .critical(let type): "\(type)"
            }
        }
    }

    package enum Content: Sendable {
        case payload([UInt8])
        /// A field block, in PUSH_PROMISE after the id of the promised stream (§6.6).
        case fields([ReplyField], promised: UInt32?)
    }

    /// Whether the sender's half of the stream ends with the frame.
    package var endsStream: Bool { flags.contains(.endStream) }

    /// A copy of the frame with other values in its field block.
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

extension HTTP2SettingIdentifier {
    /// The name in fixtures, `max-concurrent-streams`; the number of a parameter without a name.
    package var fixtureName: String {
        String(description.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}

/// A code with which a stream or a connection ends.
package enum EndCode: Sendable, Equatable, CustomStringConvertible {
    /// A code by its name in HTTP/2; HTTP/3 sends the code that means the same (RFC 9114 Appendix A.4).
    case http2(ErrorCode)
    /// A code by its name in HTTP/3 or QPACK; HTTP/2 sends the number.
    case http3(HTTP3Code)
    /// Sent as it stands.
    case number(UInt64)

    package var description: String {
        switch self {
        case .http2(let code): code.description
        case .http3(let code): code.description
        case .number(let number): "0x\(String(number, radix: 16))"
        }
    }
}

extension EndCode {
    /// The number, whichever protocol has a name for it.
    package var rawValue: UInt64 {
        switch self {
        case .http2(let code): UInt64(code.rawValue)
        case .http3(let code): code.rawValue
        case .number(let number): number
        }
    }
}

/// Bytes that an effect sends on a unidirectional stream of HTTP/3 (RFC 9114 §6.2).
package struct StreamBytes: Sendable, Equatable {
    package let type: HTTP3StreamType
    /// Whether another stream is opened although one of the type is open; it is opened too where there is none.
    package let isNew: Bool
    /// Behind the type of a stream that is opened.
    package let bytes: [UInt8]
    /// Whether FIN is behind them.
    package let ends: Bool

    package init(_ type: HTTP3StreamType, isNew: Bool, bytes: [UInt8], ends: Bool) {
        (self.type, self.isNew, self.bytes, self.ends) = (type, isNew, bytes, ends)
    }

    var text: String {
        (isNew ? "new " : "") + "\(type) \(bytes.count) bytes" + (ends ? " and FIN" : "")
    }
}

/// The HTTP/3 settings and streams of an origin that differ from the server's own.
package struct HTTP3Behaviour: Sendable, Equatable {
    /// Parameters of its SETTINGS, which are added to or replace the server's own.
    package var settings: [HTTP3Setting] = []
    /// Bytes that are sent on its control stream in place of SETTINGS.
    package var preface: [UInt8]?
    /// The streams that it opens at once.
    package var streams: [HTTP3StreamType] = HTTP3Behaviour.allStreams
    /// Whether replies insert fields into the client's table (RFC 9204 §2.1).
    package var inserts = true
    /// How it validates the address of a client before a connection begins; nil: it does not.
    package var retry: Retry?

    /// What answers the first packet of a client (RFC 9000 §8.1.2).
    package enum Retry: String, Sendable, CaseIterable {
        case once
        /// A second one behind it, which a client drops.
        case twice
        /// One before it whose tag is wrong.
        case unauthentic
    }

    package static let allStreams: [HTTP3StreamType] = [.control, .encoder, .decoder]

    package init() {}
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
