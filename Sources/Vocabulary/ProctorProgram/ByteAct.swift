/// One act of a step that sends given bytes over connections of its own; acts are done in order, each after the one before.
///
/// In bytes, `{to}` stands for what a target begins with (`http://HOST:PORT` where a forward proxy is asked, nothing elsewhere), and
/// `{host}` for the authority of the origin.
package enum ByteAct: Sendable, Equatable {
    /// Opens another connection, which the acts behind it are about; the first one opens by itself, without TLS.
    case connect(Speech)
    /// Goes back to the connection of that number, from 0.
    case use(Int)
    /// Sends bytes; those of a head begin a request, so that a reply to it is awaited.
    case send(Assignment.Bytes, isHead: Bool)
    /// Sends a frame of a connection that has streams.
    case frame(Frame)
    /// Waits for one more of these on the connection.
    case receive(Awaited)
    /// Waits until the server has got so many requests in all.
    case seen(Int)
    /// Waits for so many milliseconds.
    case wait(Int)
    case endSending, reset, close

    package enum Awaited: String, Sendable, CaseIterable {
        /// The head of a reply that is not interim.
        case head
        /// An interim reply.
        case interim
        /// A whole reply, with its content.
        case reply
        /// Bytes behind the end of HTTP on the connection.
        case bytes
        /// The end of the connection, by the peer.
        case end
        /// RST_STREAM of the peer.
        case reset
        /// The end of a stream: a whole reply, or RST_STREAM of the peer.
        case streamEnd = "stream-end"
        /// GOAWAY of the peer.
        case goaway
    }

    package enum Speech: String, Sendable, CaseIterable {
        /// HTTP/1.1 without TLS.
        case plain
        /// HTTP/1.1 over TLS.
        case tls
        /// HTTP/2 over TLS, by ALPN: the preface and an empty SETTINGS go out at once.
        case streams = "h2"
        /// HTTP/3 over QUIC: SETTINGS go out at once.
        case datagrams = "h3"

        package var isSecure: Bool { self != .plain }
    }

    /// A frame (RFC 9113 §4.1), with a field block or with other bytes.
    package struct Frame: Sendable, Equatable {
        package var type: UInt8
        package var flags: UInt8
        /// nil: the stream that was opened last; a head of a request opens the next one.
        package var stream: Int?
        /// Names and values; nil: ``payload`` is sent.
        package var fields: [[String]]?
        package var payload = Assignment.Bytes(text: "")

        package init(type: UInt8, flags: UInt8, stream: Int?, fields: [[String]]?, payload: Assignment.Bytes) {
            (self.type, self.flags, self.stream, self.fields) = (type, flags, stream, fields)
            self.payload = payload
        }
    }

    package var needsTLS: Bool { if case .connect(let speech) = self { speech.isSecure } else { false } }

    package var opensConnection: Bool { if case .connect = self { true } else { false } }

    /// The name of the act in fixtures and assignments.
    package var word: String {
        switch self {
        case .connect: "connect"
        case .use: "use"
        case .send(_, let isHead): isHead ? "head" : "send"
        case .frame: "frame"
        case .receive: "receive"
        case .seen: "seen"
        case .wait: "wait"
        case .endSending: "half-close"
        case .reset: "reset"
        case .close: "close"
        }
    }

    /// The acts that are written as their word alone.
    package static let plain: [ByteAct] = [.connect(.plain), .endSending, .reset, .close]
}

struct ByteActForm: AssignmentObject {
    var act = ""
    var text: String?
    var base64: String?
    var count: Int?
    /// What is awaited, or how a connection speaks.
    var of: String?
    var type: Int?
    var flags: Int?
    var stream: Int?
    var fields: [[String]]?

    static let keys: [AssignmentKey<Self>] = [
        .always("act", \.act), .optional("text", \.text), .optional("base64", \.base64), .optional("count", \.count),
        .optional("of", \.of), .optional("type", \.type), .optional("flags", \.flags), .optional("stream", \.stream),
        .optional("fields", \.fields),
    ]
}

extension ByteAct: AssignmentForm {
    var form: ByteActForm {
        switch self {
        case .send(let bytes, _): ByteActForm(act: word, text: bytes.text, base64: bytes.base64)
        case .frame(let frame):
            ByteActForm(
                act: word, text: frame.fields == nil ? frame.payload.text : nil,
                base64: frame.fields == nil ? frame.payload.base64 : nil, type: Int(frame.type),
                flags: Int(frame.flags), stream: frame.stream, fields: frame.fields)
        case .receive(let awaited): ByteActForm(act: word, of: awaited.rawValue)
        case .seen(let count): ByteActForm(act: word, count: count)
        case .wait(let milliseconds): ByteActForm(act: word, count: milliseconds)
        case .use(let connection): ByteActForm(act: word, count: connection)
        case .connect(let speech): ByteActForm(act: word, of: speech == .plain ? nil : speech.rawValue)
        case .endSending, .reset, .close: ByteActForm(act: word)
        }
    }

    static func read(_ form: ByteActForm, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        switch form.act {
        case "send", "head":
            return .send(Assignment.Bytes(text: form.text, base64: form.base64), isHead: form.act == "head")
        case "receive":
            return .receive(form.of.flatMap(Awaited.init) ?? .reply)
        case "connect": return .connect(form.of.flatMap(Speech.init) ?? .plain)
        case "frame":
            return .frame(
                Frame(
                    type: UInt8(clamping: form.type ?? 0), flags: UInt8(clamping: form.flags ?? 0),
                    stream: form.stream, fields: form.fields,
                    payload: Assignment.Bytes(text: form.text, base64: form.base64)))
        case "seen": return .seen(max(0, form.count ?? 0))
        case "wait": return .wait(max(0, form.count ?? 0))
        case "use": return .use(max(0, form.count ?? 0))
        default:
            let known = plain.first { $0.word == form.act }
            if known == nil { unknown.append(Assignment.UnknownWord(key: key, word: form.act)) }
            return known
        }
    }
}
