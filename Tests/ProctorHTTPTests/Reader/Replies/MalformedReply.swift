import ProctorHTTP
import Testing

/// A reply with something wrong, marked as `Marked` says.
struct MalformedReply: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let expected: [Marked.Expected]
    /// Of the requests that are replied to, in order.
    let methods: [String]
    let limits: ReplyLimits
    /// Whether the peer leaves after the last byte.
    let thenEnds: Bool

    var testDescription: String { name }

    init(
        _ name: String, _ marked: String, _ kinds: Violation.Kind..., to methods: [String] = ["GET"],
        limits: ReplyLimits = ReplyLimits(), thenEnds: Bool = false
    ) {
        self.init(name, marked: marked, kinds: kinds, to: methods, limits: limits, thenEnds: thenEnds)
    }

    private init(
        _ name: String, marked: String, kinds: [Violation.Kind], to methods: [String] = ["GET"],
        limits: ReplyLimits = ReplyLimits(), thenEnds: Bool = false
    ) {
        self.name = name
        self.methods = methods
        self.limits = limits
        self.thenEnds = thenEnds
        let marked = Marked(marked, kinds, name: name)
        input = marked.input
        expected = marked.expected
    }

    /// A status line, with no content behind it.
    static func line(_ name: String, _ line: String, _ kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: "\(line)\r\nContent-Length: 0\r\n\r\n", kinds: kinds)
    }

    /// What a stranger says, who ends no line.
    static func opening(_ name: String, _ bytes: String, _ kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: bytes, kinds: kinds)
    }

    /// All field lines.
    static func fields(_ name: String, _ fields: String, _ kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n", kinds: kinds)
    }

    /// A field line, or several, of a reply without content.
    static func field(_ name: String, _ field: String, _ kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: empty(with: field), kinds: kinds)
    }

    /// A whole reply without content, and what comes behind it.
    static func behind(
        _ name: String, _ rest: String, _ kinds: Violation.Kind..., to methods: [String] = ["GET"],
        thenEnds: Bool = false
    ) -> MalformedReply {
        MalformedReply(
            name, marked: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n◆" + rest, kinds: kinds, to: methods,
            thenEnds: thenEnds)
    }

    /// What comes after the head of a reply with chunked content.
    static func chunked(_ name: String, _ content: String, _ kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: chunkedHead + content, kinds: kinds)
    }

    /// Field lines that are wrong in requests too.
    init(fields part: MalformedPart) {
        self.init(
            part.name, marked: Self.empty(with: part.marked), kinds: part.kinds, limits: ReplyLimits(part.limit),
            thenEnds: part.thenEnds)
    }

    /// Field lines that are wrong in requests too, without others that frame the reply.
    init(framing part: MalformedPart) {
        self.init(
            part.name, marked: "HTTP/1.1 200 OK\r\n\(part.marked)\r\n\r\n", kinds: part.kinds,
            limits: ReplyLimits(part.limit), thenEnds: part.thenEnds)
    }

    /// What is wrong behind a request's head too.
    init(content part: MalformedPart) {
        self.init(
            part.name, marked: Self.chunkedHead + part.marked, kinds: part.kinds, limits: ReplyLimits(part.limit),
            thenEnds: part.thenEnds)
    }

    private static func empty(with field: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(field)\r\n\r\n"
    }

    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Those of replies alone.
    static let own =
        openings + strangers + unsolicited + statusLines + statuses + fieldLines + framings + interims + withoutContent
        + endings

    static let all =
        own + (MalformedPart.fieldLines + MalformedPart.connections).map(MalformedReply.init(fields:))
        + MalformedPart.framings.map(MalformedReply.init(framing:))
        + (MalformedPart.chunks + MalformedPart.endings).map(MalformedReply.init(content:))
}
