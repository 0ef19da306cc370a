import ProctorHTTP
import Testing

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
            of: bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=\"y\"\r\nhi\r\n00;z\r\nSum: 1\r\n\r\n"),
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
