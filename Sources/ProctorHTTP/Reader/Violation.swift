/// A departure from RFC 9112, RFC 9110 or RFC 3986 that a peer's bytes made.
public struct Violation: Error, Sendable, Equatable {
    /// Decides, with `message`, everything but the place: section, status, whether it can be read over.
    public let kind: Kind
    /// Request or reply: a server may read over what a client may not, and the other way round.
    public let message: MessageKind
    /// Bytes from the first byte of this message; empty lines before it count.
    public let offset: Int
    /// The offending bytes, or the first of them.
    public let detail: [UInt8]
    /// The limit that was passed, for kinds that have one.
    public let bound: Int?
    /// Whether its kind ends the reading, and this reader was told to read on: see ``RequestReader/init(limits:acceptsAnything:)``.
    public let isReadOver: Bool

    /// From its parts; readers of journals make violations too.
    public init(
        _ kind: Kind, in message: MessageKind = .request, at offset: Int, detail: [UInt8] = [], bound: Int? = nil,
        isReadOver: Bool = false
    ) {
        self.isReadOver = isReadOver
        self.kind = kind
        self.message = message
        self.offset = offset
        self.detail = detail
        self.bound = bound
    }

    /// True when the message is not read on; a matter of its kind and of the direction, unless it was read over.
    public var isFatal: Bool { !isReadOver && kind.isFatal(in: message) }

    /// What a fatal one of a request is answered with: 400, or a status that says more; 400 also for all others.
    public var status: Int { kind.fatalStatus ?? 400 }

    /// The paragraph that rules it out: `RFC 9112 §2.2`.
    public var section: String { kind.section(in: message) }

    /// What is wrong and what would be right, for a person; the offending bytes are quoted and escaped.
    public var sentence: String {
        let row = kind.row
        let ofReply = message == .reply ? row.replySentence : nil
        let withoutBytes = detail.isEmpty ? row.sentenceWithoutBytes : nil
        return SentenceTemplate.fill(ofReply ?? withoutBytes ?? row.sentence, with: value(of:))
    }

    /// What stands for `{name}` in a sentence of the table.
    private func value(of name: Substring) -> String {
        let isRequest = message == .request
        return switch name {
        case "bytes": ByteQuote.quote(detail)
        case " bytes": detail.isEmpty ? "" : " " + ByteQuote.quote(detail)
        case "bytes stand": bound == 1 ? "1 byte stands" : "\(limit) bytes stand"
        case "limit": limit
        case "message": message.rawValue
        case "reader": isRequest ? "server" : "client"
        case "sender": isRequest ? "client" : "server"
        case "read": isRequest ? "served" : "read"
        case "protocol": Opening.name(of: detail) ?? "another protocol"
        default: "{\(name)}"
        }
    }

    private var limit: String { bound.map(String.init) ?? "?" }
}

/// Sentences with `{name}` in them, as tables of violations hold them.
enum SentenceTemplate {
    /// `{bytes}` is the offending bytes, quoted; `{limit}` the limit that was passed.
    static func fill(_ template: String, bytes: [UInt8], limit: String = "") -> String {
        fill(template) { $0 == "bytes" ? ByteQuote.quote(bytes) : limit }
    }

    /// Each `{name}` is replaced by what `value` gives for it; braces in what it gives stay.
    static func fill(_ template: String, with value: (Substring) -> String) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += value(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

extension Violation: CustomStringConvertible {
    /// `space-before-colon at byte 20: …  (RFC 9112 §5.1)`.
    public var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}

/// Which way a message goes: the grammar of fields and content is one, what may be read over is not.
public enum MessageKind: String, Sendable, Hashable {
    /// From a client, read by `RequestReader`.
    case request
    /// From a server, read by `ReplyReader`; RFC 9110 says response.
    case reply
}
