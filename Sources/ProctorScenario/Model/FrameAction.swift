package import ProctorHTTP2

/// What an effect does with frames, on a connection of HTTP/2 alone (RFC 9113 §6).
package enum FrameAction: Sendable {
    /// Streams above the last one are not answered; the connection ends when the others are done (§6.8).
    case goAway(ErrorCode, last: LastStream)
    /// Ends the stream of the reply (§6.4).
    case resetStream(ErrorCode)
    /// Parameters in force from here on (§6.5).
    case settings([Setting])
    /// A PING that wants an acknowledgement (§6.7).
    case ping
    /// Lets the client send so many bytes more, on the stream or on the connection (§6.9).
    case window(increment: UInt32, isOfConnection: Bool)
    /// One frame, lawful or not.
    case frame(FrameTemplate)
    /// Promises a request and answers it, where the client has not refused pushes (§8.4).
    case push(PushedRequest)
    /// DATA and HEADERS of the reply have so many bytes of padding from here on (§6.1).
    case pad(UInt8)
    /// Field blocks of the reply go out in frames of at most so many bytes from here on (§6.10).
    case continuation(byteCount: Int)

    /// The last stream that a GOAWAY says is answered.
    package enum LastStream: Sendable, Equatable {
        /// The highest one that the client has opened.
        case highest
        /// That of the reply.
        case this
        /// The one below that of the reply, which is therefore not answered.
        case before
        /// 2^31 − 1: a first warning, behind which streams are still answered (§6.8).
        case most
        case number(UInt32)
    }
}

/// A frame as a fixture writes it (RFC 9113 §4.1).
package struct FrameTemplate: Sendable {
    package let type: FrameType
    package let flags: FrameFlags
    package let stream: Stream
    package internal(set) var hasReservedBit = false
    package internal(set) var content: Content
    /// What its head says in place of the length of its payload.
    package internal(set) var statedByteCount: Int?

    package enum Stream: Sendable, Equatable {
        /// That of the reply.
        case this
        /// 0 is the connection.
        case number(UInt32)
        /// One that the client would open, above all that it has opened.
        case idle
    }

    package enum Content: Sendable {
        case payload([UInt8])
        /// A field block behind the number of a promised stream, where there is one (§6.6).
        case fields([ReplyField], promised: UInt32?)
    }

    /// The same frame with other content.
    package func with(_ content: Content) -> FrameTemplate {
        var frame = self
        frame.content = content
        return frame
    }
}

extension FrameAction {
    package var verb: Effect.Verb {
        switch self {
        case .goAway: .goaway
        case .resetStream: .rst
        case .settings: .settings
        case .ping: .ping
        case .window: .window
        case .frame: .frame
        case .push: .push
        case .pad: .pad
        case .continuation: .continuation
        }
    }

    /// Whether the reply is not sent any further.
    package var endsTheReply: Bool {
        switch self {
        case .resetStream, .goAway(_, last: .before): true
        case .goAway, .settings, .ping, .window, .frame, .push, .pad, .continuation: false
        }
    }

    /// Whether it needs a stream of its own, so that no connection can play it before a request.
    package var needsStream: Bool {
        switch self {
        case .goAway(_, let last): last == .this || last == .before
        case .resetStream, .push, .pad, .continuation: true
        case .window(_, let isOfConnection): !isOfConnection
        case .frame(let frame): frame.stream == .this
        case .settings, .ping: false
        }
    }

    /// The fields of its blocks, which may have late-bound text.
    package var fields: [ReplyField] {
        switch self {
        case .frame(let frame): if case .fields(let fields, _) = frame.content { fields } else { [] }
        case .push(let request): request.fields
        case .goAway, .resetStream, .settings, .ping, .window, .pad, .continuation: []
        }
    }

    /// As a fixture writes it, without the verb; empty where there is nothing more.
    package var details: String {
        switch self {
        case .goAway(let code, .highest): "\(code)"
        case .goAway(let code, let last): "\(code) last \(last.text)"
        case .resetStream(let code): "\(code)"
        case .settings(let settings):
            settings.map { "\($0.identifier.fixtureName) \($0.value)" }.joined(separator: ", ")
        case .ping: ""
        case .window(let increment, let isOfConnection): "\(increment)\(isOfConnection ? " connection" : "")"
        case .frame(let frame): "\(frame.type)"
        case .push(let request): request.text
        case .pad(let byteCount): "\(byteCount)"
        case .continuation(let byteCount): "\(byteCount)"
        }
    }
}

extension FrameAction.LastStream {
    var text: String {
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
    /// `max-concurrent-streams`; a number without a name stays one.
    package var fixtureName: String {
        String(description.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}

/// What an origin does as one end of HTTP/2, where that differs from the usual.
package struct HTTP2Behaviour: Sendable {
    /// In its first SETTINGS, in place of or beside the server's own.
    package internal(set) var settings: [Setting] = []
    /// Bytes in place of its first SETTINGS frame, which are its whole preface (RFC 9113 §3.4).
    package internal(set) var preface: [UInt8]?
    /// Whether it gives back windows by itself as content is read (§5.2).
    package internal(set) var updatesWindows = true
    /// Which frames it acknowledges.
    package internal(set) var acknowledges: Set<Acknowledged> = Set(Acknowledged.allCases)

    package enum Acknowledged: String, Sendable, CaseIterable { case settings, ping }

    package init() {}
}
