import Testing

@testable import ProctorHTTP

/// A reply with something wrong, marked as `Marked` says.
struct MalformedReply: MalformedMessage {
    let name: String
    let input: [UInt8]
    let expected: [Marked.Expected]
    /// Of the requests that are replied to, in order.
    let methods: [String]
    let limits: ReplyLimits
    let thenEnds: Bool

    var events: [Seen<ReplyHead>] {
        Verifier<ReplyReader>.events(of: input, to: methods, limits: limits, thenEnds: thenEnds)
    }

    init(
        _ name: String, _ marked: String, finds kinds: Violation.Kind..., to methods: [String] = ["GET"],
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

    static func line(_ name: String, _ line: String, finds kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: "\(line)\r\nContent-Length: 0\r\n\r\n", kinds: kinds)
    }

    /// What another protocol sends, which ends no line.
    static func opening(_ name: String, _ bytes: String, finds kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: bytes, kinds: kinds)
    }

    static func fields(_ name: String, _ fields: String, finds kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n", kinds: kinds)
    }

    /// A field line, or several, of a reply without content.
    static func field(_ name: String, _ field: String, finds kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: empty(with: field), kinds: kinds)
    }

    /// A whole reply without content, and what comes behind it.
    static func behind(
        _ name: String, _ rest: String, finds kinds: Violation.Kind..., to methods: [String] = ["GET"],
        thenEnds: Bool = false
    ) -> MalformedReply {
        MalformedReply(
            name, marked: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n◆" + rest, kinds: kinds, to: methods,
            thenEnds: thenEnds)
    }

    static func chunked(_ name: String, _ content: String, finds kinds: Violation.Kind...) -> MalformedReply {
        MalformedReply(name, marked: chunkedHead + content, kinds: kinds)
    }

    /// Field lines that are wrong in requests too.
    init(fields part: MalformedPart) {
        self.init(
            part.name, marked: Self.empty(with: part.marked), kinds: part.kinds, limits: ReplyLimits().with(part.limit),
            thenEnds: part.thenEnds)
    }

    /// Field lines that are wrong in requests too, without others that frame the reply.
    init(framing part: MalformedPart) {
        self.init(
            part.name, marked: "HTTP/1.1 200 OK\r\n\(part.marked)\r\n\r\n", kinds: part.kinds,
            limits: ReplyLimits().with(part.limit), thenEnds: part.thenEnds)
    }

    /// What is wrong behind a request's head too.
    init(content part: MalformedPart) {
        self.init(
            part.name, marked: Self.chunkedHead + part.marked, kinds: part.kinds,
            limits: ReplyLimits().with(part.limit), thenEnds: part.thenEnds)
    }

    private static func empty(with field: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(field)\r\n\r\n"
    }

    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Those of replies alone.
    static let own =
        openings + otherProtocols + unsolicited + statusLines + statuses + fieldLines + framings + interims
        + withoutContent
        + endings

    static let all =
        own + (MalformedPart.fieldLines + MalformedPart.connections).map(MalformedReply.init(fields:))
        + MalformedPart.framings.map(MalformedReply.init(framing:))
        + (MalformedPart.chunks + MalformedPart.endings).map(MalformedReply.init(content:))
}

struct MalformedReplyTests {
    @Test(arguments: MalformedReply.all)
    func `a malformed reply is diagnosed at its place, however it is cut`(_ row: MalformedReply) throws {
        try row.expectDiagnosis(of: .reply)
    }

    @Test func `the corpus has at least 150 inputs of its own, all with names of their own`() {
        #expect(MalformedReply.own.count >= 150)
        #expect(Set(MalformedReply.all.map(\.name)).count == MalformedReply.all.count)
        #expect(Set(MalformedReply.own.map(\.input)).count >= 150)
    }

    @Test(arguments: Violation.Kind.allCases.filter { $0.arises(in: .reply) })
    func `every kind of violation stands in the corpus`(_ kind: Violation.Kind) {
        #expect(MalformedReply.all.contains { $0.expected.contains { $0.kind == kind } })
    }

    @Test(arguments: MalformedReply.all)
    func `every sentence is printable, speaks of replies, and names the limit where there is one`(
        _ row: MalformedReply
    ) {
        row.expectSentences(without: ["server reads", "the request "])
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.2\r\n", "\"SSH-\" begins what SSH says, not HTTP; is it the right port?"),
        ("ICY 200 OK\r\n", "\"ICY \" begins what ICY says, not HTTP; is it the right port?"),
        (
            "\u{15}\u{03}\u{01}",
            "\"\\x15\\x03\" begins a TLS record, but this connection speaks plain HTTP; use https://"
        ),
        ("HTTP/1.1 2000 OK\r\n", "\"2000\" is no status; it is three digits"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "Content-Length is \"6\", but 5 before; there may be one length only"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "transfer coding \"gzip\" is not read here; chunked is"),
    ])
    func `a sentence quotes what came and says what would be right`(_ input: String, _ sentence: String) {
        let refusal = Verifier<ReplyReader>.events(of: bytes(input), to: ["GET"]).flatMap(\.violations).last
        #expect(refusal?.sentence == sentence)
    }
}
