import ProctorHTTP
import Testing

/// A reply with nothing wrong, and what is to be read from it.
struct WellFormedReply: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let method: String
    let status: Int
    let reason: String
    let version: HTTPVersion
    let framing: ReplyFraming
    let keeps: Bool
    let content: String

    var testDescription: String { name }

    init(
        _ name: String, _ input: String, to method: String = "GET", status: Int = 200, reason: String = "OK",
        version: HTTPVersion = .http11, framing: ReplyFraming, keeps: Bool = true, content: String = ""
    ) {
        self.name = name
        self.input = bytes(input)
        self.method = method
        self.status = status
        self.reason = reason
        self.version = version
        self.framing = framing
        self.keeps = keeps
        self.content = content
    }

    /// A status line, with a length of 0.
    static func line(
        _ name: String, _ line: String, status: Int, reason: String, version: HTTPVersion = .http11, keeps: Bool = true
    ) -> WellFormedReply {
        WellFormedReply(
            name, "\(line)\r\nContent-Length: 0\r\n\r\n", status: status, reason: reason, version: version,
            framing: .length(0), keeps: keeps)
    }

    /// A field line of a reply with a length of 0.
    static func field(_ name: String, _ field: String) -> WellFormedReply {
        WellFormedReply(name, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(field)\r\n\r\n", framing: .length(0))
    }

    static func chunked(_ name: String, _ chunks: String, content: String) -> WellFormedReply {
        WellFormedReply(
            name, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)", framing: .chunked, content: content)
    }

    static let all = lines + framings + fieldLines + chunks

    static let lines: [WellFormedReply] = [
        .line("a status line", "HTTP/1.1 200 OK", status: 200, reason: "OK"),
        .line("an empty reason", "HTTP/1.1 200 ", status: 200, reason: ""),
        .line("a reason of words", "HTTP/1.1 404 Not Found At All", status: 404, reason: "Not Found At All"),
        .line("a reason with spaces around", "HTTP/1.1 200  OK ", status: 200, reason: " OK "),
        .line("a reason with a tab", "HTTP/1.1 200 O\tK", status: 200, reason: "O\tK"),
        .line("a reason of a space", "HTTP/1.1 200  ", status: 200, reason: " "),
        .line("a reason that looks like a status", "HTTP/1.1 500 200 OK", status: 500, reason: "200 OK"),
        .line("a reason in UTF-8", "HTTP/1.1 200 d\u{C3}\u{A9}j\u{C3}\u{A0}", status: 200, reason: "déjà"),
        .line("the least final status", "HTTP/1.1 200 x", status: 200, reason: "x"),
        .line("a status nobody registered", "HTTP/1.1 299 Odd", status: 299, reason: "Odd"),
        .line("the greatest status", "HTTP/1.1 599 Worst", status: 599, reason: "Worst"),
        .line("HTTP/1.0", "HTTP/1.0 200 OK", status: 200, reason: "OK", version: .http10, keeps: false),
        .line(
            "HTTP/1.2 is read as 1.1", "HTTP/1.2 200 OK", status: 200, reason: "OK",
            version: HTTPVersion(major: 1, minor: 2)),
    ]

    static let framings: [WellFormedReply] = [
        .init("a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", framing: .length(5), content: "hello"),
        .init(
            "a length with zeros before it", "HTTP/1.1 200 OK\r\ncontent-length: 0003\r\n\r\nabc", framing: .length(3),
            content: "abc"),
        .init(
            "content that looks like a reply", "HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            framing: .length(19), content: "HTTP/1.1 200 OK\r\n\r\n"),
        .init("until close", "HTTP/1.1 200 OK\r\n\r\nhello", framing: .untilClose, keeps: false, content: "hello"),
        .init("until close, and nothing", "HTTP/1.1 200 OK\r\n\r\n", framing: .untilClose, keeps: false),
        .init(
            "until close in HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhi", version: .http10,
            framing: .untilClose, keeps: false, content: "hi"),
        .init(
            "until close, and what looks like another reply", "HTTP/1.1 404 x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            status: 404, reason: "x", framing: .untilClose, keeps: false, content: "HTTP/1.1 200 OK\r\n\r\n"),
        .init("204", "HTTP/1.1 204 No Content\r\n\r\n", status: 204, reason: "No Content", framing: .none),
        .init("304", "HTTP/1.1 304 Not Modified\r\n\r\n", status: 304, reason: "Not Modified", framing: .none),
        .init(
            "304 with a length", "HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n", status: 304, reason: "x", framing: .none
        ),
        .init(
            "304 with chunks", "HTTP/1.1 304 x\r\nTransfer-Encoding: chunked\r\n\r\n", status: 304, reason: "x",
            framing: .none),
        .init(
            "205 with a length of 0", "HTTP/1.1 205 x\r\nContent-Length: 0\r\n\r\n", status: 205, reason: "x",
            framing: .length(0)),
        .init(
            "205 with the last chunk", "HTTP/1.1 205 x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 205,
            reason: "x", framing: .chunked),
        .init(
            "205 until close", "HTTP/1.1 205 x\r\n\r\n", status: 205, reason: "x", framing: .untilClose, keeps: false),
        .init("HEAD", "HTTP/1.1 200 OK\r\n\r\n", to: "HEAD", framing: .none),
        .init("HEAD with a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", to: "HEAD", framing: .none),
        .init(
            "HEAD with a length over any limit", "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
            to: "HEAD", framing: .none),
        .init("HEAD with chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", to: "HEAD", framing: .none),
        .init(
            "HEAD with a coding that is not read", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", to: "HEAD",
            framing: .none),
        .init(
            "a method that is no HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", to: "head",
            framing: .length(1), content: "x"),
        .init(
            "CONNECT", "HTTP/1.1 200 OK\r\n\r\n\u{16}\u{03}", to: "CONNECT", framing: .tunnel, keeps: false,
            content: "\u{16}\u{03}"),
        .init(
            "CONNECT with another 2xx", "HTTP/1.1 299 x\r\n\r\n", to: "CONNECT", status: 299, reason: "x",
            framing: .tunnel, keeps: false),
        .init(
            "CONNECT with 204", "HTTP/1.1 204 x\r\n\r\n", to: "CONNECT", status: 204, reason: "x", framing: .tunnel,
            keeps: false),
        .init(
            "CONNECT refused", "HTTP/1.1 407 x\r\nContent-Length: 2\r\n\r\nno", to: "CONNECT", status: 407, reason: "x",
            framing: .length(2), content: "no"),
        .init(
            "101", "HTTP/1.1 101 x\r\nUpgrade: y\r\nConnection: Upgrade\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", status: 101,
            reason: "x", framing: .tunnel, keeps: false, content: "HTTP/1.1 200 OK\r\n\r\n"),
        .init(
            "a length that closes", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
            framing: .length(1), keeps: false, content: "x"),
    ]

    static let fieldLines: [WellFormedReply] = [
        .field("a name of every token character", "!#$%&'*+-.^_`|~09azAZ: x"),
        .field("an empty value", "X:"),
        .field("no space behind the colon", "X:y"),
        .field("UTF-8 in the value", "X: \u{C3}\u{A9}"),
        .field("two cookies", "Set-Cookie: a=b\r\nSet-Cookie: a=b"),
        .field("two challenges", "WWW-Authenticate: Basic\r\nWWW-Authenticate: Digest"),
        .field("fields of requests say nothing here", "Host: a\r\nHost: b\r\nTE: chunked\r\nExpect: x"),
        .field("Upgrade with its option", "Upgrade: h2c\r\nConnection: upgrade"),
        .field("a close that is an option's part", "Connection: x-close"),
        .field("an announced trailer", "Trailer: X"),
    ]

    static let chunks: [WellFormedReply] = [
        .chunked("no content", "0\r\n\r\n", content: ""),
        .chunked("three chunks", "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n", content: "abcdef"),
        .chunked("extensions", "1;a\r\nx\r\n1;a=b;c=\"d;\\\"e f\"\r\ny\r\n0;z\r\n\r\n", content: "xy"),
        .chunked("trailers", "1\r\nx\r\n0\r\nX-Sum: 1\r\nETag: \"a\"\r\n\r\n", content: "x"),
        .chunked("what a request may not bring as trailers", "0\r\nAuthorization: x\r\nRange: y\r\n\r\n", content: ""),
    ]
}

struct WellFormedReplyTests {
    @Test(arguments: WellFormedReply.all)
    func `a well-formed reply is read without a finding, however it is cut`(_ row: WellFormedReply) throws {
        let events = Verifier<ReplyReader>.events(of: row.input, to: [row.method], thenEnds: true)

        #expect(events.flatMap(\.violations) == [])
        #expect(events.last == .end)
        let head = try #require(events.heads().first)
        #expect(head.status == row.status)
        #expect(text(head.reason) == row.reason)
        #expect(head.bytes[head.reasonRange] == head.reason[...])
        #expect(head.version == row.version)
        #expect(head.framing == row.framing)
        #expect(head.keepsConnection == row.keeps)
        #expect(!head.isInterim)
        #expect(text(events.content()) == row.content)
        #expect(row.input.starts(with: head.bytes))
        #expect(try ReplyHead(parsing: row.input, replyingTo: Array(row.method.utf8)) == head)
    }

    @Test(arguments: WellFormedReply.all)
    func `a reply that says its end needs no FIN, and another is only read without its end`(_ row: WellFormedReply) {
        let events = Verifier<ReplyReader>.events(of: row.input, to: [row.method])
        let runsOn = row.framing == .untilClose || row.framing == .tunnel
        #expect((events.last == .end) == !runsOn)
    }

    @Test func `fields keep order, case, duplicates and raw bytes`() throws {
        let head = try ReplyHead(
            parsing: bytes("HTTP/1.1 200 OK\r\nset-COOKIE: a\r\nX:  one \r\nx:two\r\nY : z\r\n\r\n"))
        #expect(head.fields.map { text($0.name) } == ["set-COOKIE", "X", "x", "Y"])
        #expect(head.fields.map { text($0.value) } == ["a", "one", "two", "z"])
        #expect(head.fields.map { text($0.raw) } == ["set-COOKIE: a", "X:  one ", "x:two", "Y : z"])
        #expect(head.fields.values(named: "x").map { text($0) } == ["one", "two"])
        #expect(
            head.fields.first(named: "y").map { text($0) } == "z", "the space before the colon is no part of the name")
    }

    @Test func `chunks are told with their sizes, extensions and trailers`() {
        let events = Verifier<ReplyReader>.events(
            of: bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=\"y\"\r\nhi\r\n00;z\r\nSum: 1\r\n\r\n"),
            to: ["GET"])
        #expect(
            Array(events.dropFirst()) == [
                .chunk(byteCount: 2, extensions: bytes(";x=\"y\"")), .content(bytes("hi")),
                .chunk(byteCount: 0, extensions: bytes(";z")), .trailers(events.trailers()), .end,
            ])
        #expect(events.trailers().map { text($0.raw) } == ["Sum: 1"])
    }

    @Test func `a head that is refused or cut short throws its violation`() {
        #expect(throws: Violation(.badStatus, in: .reply, at: 9, detail: bytes("2000"))) {
            try ReplyHead(parsing: bytes("HTTP/1.1 2000 OK\r\n\r\n"))
        }
        #expect(throws: Violation(.incompleteHead, in: .reply, at: 5, bound: 5)) {
            try ReplyHead(parsing: bytes("HTTP/"))
        }
    }

    @Test func `the head's bytes begin at the version, and its violations count the empty lines before`() throws {
        let head = try ReplyHead(parsing: bytes("\r\n\r\nHTTP/1.1 200\r\n\r\n"))
        #expect(head.precedingByteCount == 4)
        #expect(text(head.bytes) == "HTTP/1.1 200\r\n\r\n")
        #expect(head.violations.map(\.offset) == [0, 2, 16])
    }
}
