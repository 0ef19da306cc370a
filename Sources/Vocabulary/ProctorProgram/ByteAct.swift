/// One act of a step that sends given bytes over connections of its own; acts are done in order, each after the one before.
///
/// In bytes, `{to}` stands for what a target begins with (`http://HOST:PORT` where a forward proxy is asked, nothing elsewhere), and
/// `{host}` for the authority of the origin.
package enum ByteAct: Sendable, Equatable {
    /// Opens another connection, which the acts behind it are about; the first one opens by itself.
    case connect
    /// Goes back to the connection of that number, from 0.
    case use(Int)
    /// Sends bytes; those of a head begin a request, so that a reply to it is awaited.
    case send(Assignment.Bytes, isHead: Bool)
    /// Waits for one more of these on the connection.
    case receive(Awaited)
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
    }

    /// The name of the act in fixtures and assignments.
    package var word: String {
        switch self {
        case .connect: "connect"
        case .use: "use"
        case .send(_, let isHead): isHead ? "head" : "send"
        case .receive: "receive"
        case .wait: "wait"
        case .endSending: "half-close"
        case .reset: "reset"
        case .close: "close"
        }
    }

    /// The acts that are written as their word alone.
    package static let plain: [ByteAct] = [.connect, .endSending, .reset, .close]
}

struct ByteActForm: AssignmentObject {
    var act = ""
    var text: String?
    var base64: String?
    var count: Int?
    var awaited: String?

    static let keys: [AssignmentKey<Self>] = [
        .always("act", \.act), .optional("text", \.text), .optional("base64", \.base64), .optional("count", \.count),
        .optional("of", \.awaited),
    ]
}

extension ByteAct: AssignmentForm {
    var form: ByteActForm {
        switch self {
        case .send(let bytes, _): ByteActForm(act: word, text: bytes.text, base64: bytes.base64)
        case .receive(let awaited): ByteActForm(act: word, awaited: awaited.rawValue)
        case .wait(let milliseconds): ByteActForm(act: word, count: milliseconds)
        case .use(let connection): ByteActForm(act: word, count: connection)
        case .connect, .endSending, .reset, .close: ByteActForm(act: word)
        }
    }

    static func read(_ form: ByteActForm, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        switch form.act {
        case "send", "head":
            return .send(Assignment.Bytes(text: form.text, base64: form.base64), isHead: form.act == "head")
        case "receive":
            return .receive(form.awaited.flatMap(Awaited.init) ?? .reply)
        case "wait": return .wait(max(0, form.count ?? 0))
        case "use": return .use(max(0, form.count ?? 0))
        default:
            let known = plain.first { $0.word == form.act }
            if known == nil { unknown.append(Assignment.UnknownWord(key: key, word: form.act)) }
            return known
        }
    }
}
