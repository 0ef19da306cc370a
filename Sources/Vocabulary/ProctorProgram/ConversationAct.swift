/// One act of a client over its WebSocket (RFC 6455); the acts of a program are done in order, each after the one before.
package enum ConversationAct: Sendable, Equatable {
    /// Sends a message, and waits until the client says that it was sent.
    case send(Assignment.Bytes, isText: Bool)
    /// Sends a Ping, and waits for its Pong.
    case ping
    /// Waits for so many messages, 1 or more.
    case receive(Int)
    /// Starts the closing handshake, and waits for the end of the connection; without a code the Close frame is empty.
    case close(code: Int?, reason: String?)
    /// Cancels the task.
    case cancel

    /// The name of the act in fixtures and assignments.
    package var word: String {
        switch self {
        case .send: "send"
        case .ping: "ping"
        case .receive: "receive"
        case .close: "close"
        case .cancel: "cancel"
        }
    }

    /// The acts that are written as their word alone.
    package static let plain: [ConversationAct] = [.ping, .receive(1), .close(code: nil, reason: nil), .cancel]

    /// Whether nothing can be done behind it.
    package var isLast: Bool {
        switch self {
        case .close, .cancel: true
        case .send, .ping, .receive: false
        }
    }
}

struct ConversationActForm: AssignmentObject {
    var act = ""
    var text: String?
    var base64: String?
    var isText: Bool?
    var count: Int?
    var code: Int?
    var reason: String?

    static let keys: [AssignmentKey<Self>] = [
        .always("act", \.act), .optional("text", \.text), .optional("base64", \.base64), .optional("isText", \.isText),
        .optional("count", \.count), .optional("code", \.code), .optional("reason", \.reason),
    ]
}

extension ConversationAct: AssignmentForm {
    var form: ConversationActForm {
        switch self {
        case .send(let message, let isText):
            ConversationActForm(act: word, text: message.text, base64: message.base64, isText: isText)
        case .receive(let count): ConversationActForm(act: word, count: count)
        case .close(let code, let reason): ConversationActForm(act: word, code: code, reason: reason)
        case .ping, .cancel: ConversationActForm(act: word)
        }
    }

    static func read(_ form: ConversationActForm, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        switch form.act {
        case "send":
            return .send(Assignment.Bytes(text: form.text, base64: form.base64), isText: form.isText ?? true)
        case "receive": return .receive(max(1, form.count ?? 1))
        case "close": return .close(code: form.code, reason: form.reason)
        default:
            let known = plain.first { $0.word == form.act }
            if known == nil { unknown.append(Assignment.UnknownWord(key: key, word: form.act)) }
            return known
        }
    }
}
