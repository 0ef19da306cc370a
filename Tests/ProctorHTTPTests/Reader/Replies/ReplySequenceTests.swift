import ProctorBase
import ProctorHTTP
import Testing

struct ReplySequenceTests {
    @Test func `pipelined replies come out one after the other, however they are cut`() {
        let input = bytes(
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc" + "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ndef\r\n0\r\n\r\n"
                + "HTTP/1.1 204 x\r\n\r\n" + "HTTP/1.1 404 x\r\n\r\nto the end")
        let events = Verifier<ReplyReader>.events(of: input, to: ["GET", "HEAD", "POST", "PUT", "GET"], thenEnds: true)
        #expect(events.heads().map(\.status) == [200, 200, 200, 204, 404])
        #expect(text(events.content()) == "abcdefto the end")
        #expect(events.filter { $0 == .end }.count == 5)
        #expect(events.flatMap(\.violations) == [])
    }

    @Test func `interim replies come before the final one, and bring no end of their own`() throws {
        let input = bytes(
            "HTTP/1.1 100 Continue\r\n\r\n" + "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: close\r\n\r\n"
                + "HTTP/1.1 199 x\r\n\r\n" + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
                + "HTTP/1.1 100 Continue\r\n\r\n" + "HTTP/1.1 204 x\r\n\r\n")
        let events = Verifier<ReplyReader>.events(of: input, to: ["GET", "GET"])
        #expect(events.heads().map(\.status) == [100, 103, 199, 200, 100, 204])
        #expect(events.heads().map(\.isInterim) == [true, true, true, false, true, false])
        #expect(events.heads().filter(\.isInterim).allSatisfy { $0.framing == .none })
        #expect(events.filter { $0 == .end }.count == 2)
        #expect(events.heads()[3].keepsConnection, "what an interim reply says of the connection is not heard")
    }

    @Test func `every malformed reply that is read over leaves the next one unharmed`() throws {
        for row in MalformedReply.all where !row.thenEnds && row.limits == ReplyLimits() {
            let events = Verifier<ReplyReader>.events(of: row.input, to: row.methods)
            guard events.last == .end, events.heads().last?.keepsConnection == true else { continue }
            let next = bytes("HTTP/1.1 299 Next\r\n\r\n")
            let both = Verifier<ReplyReader>.events(of: row.input + next, to: row.methods + ["HEAD"])
            #expect(both.heads().last?.status == 299, "\(row.name)")
            #expect(both.last == .end, "\(row.name)")
        }
    }

    @Test func `a reader says what it expects and whether anything of it is there`() {
        var reader = ReplyReader()
        func feed(_ text: String) -> [ReplyEvent] {
            let input = bytes(text)
            var offset = 0
            var events: [ReplyEvent] = []
            while let event = reader.next(input.span, at: &offset) { events.append(event) }
            return events
        }
        #expect(reader.expectedCount == 0 && !reader.hasBegunReply)
        reader.expectReply(to: bytes("GET"))
        reader.expectReply(to: bytes("HEAD"))
        #expect(reader.expectedCount == 2 && !reader.hasBegunReply)
        #expect(feed("\r\n") == [])
        #expect(!reader.hasBegunReply, "an empty line is no reply")
        #expect(feed("H") == [])
        #expect(reader.hasBegunReply)
        #expect(feed("TTP/1.1 100 Continue\r\n\r\n").count == 1)
        #expect(reader.hasBegunReply, "an interim reply shows that the request was taken")
        #expect(feed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n").count == 1)
        #expect(reader.hasBegunReply && reader.expectedCount == 2)
        #expect(feed("xy") == [.content(0..<2), .end])
        #expect(!reader.hasBegunReply && reader.expectedCount == 1)
        #expect(reader.finish() == nil, "a peer may close before it replies")
    }

    @Test func `a peer may close before any reply, and nothing is made of it`() {
        var reader = ReplyReader()
        #expect(reader.finish() == nil)
        reader.expectReply(to: bytes("GET"))
        #expect(reader.finish() == nil)
        #expect(reader.finish() == nil)
    }

    @Test func `a reply can be expected behind an empty line that came before the request`() {
        var reader = ReplyReader()
        let input = bytes("\r\n")
        var offset = 0
        #expect(reader.next(input.span, at: &offset) == nil)
        reader.expectReply(to: bytes("GET"))
        let reply = bytes("HTTP/1.1 204 x\r\n\r\n")
        offset = 0
        guard case .head(let head)? = reader.next(reply.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(head.violations == [Violation(.emptyLineBeforeReply, in: .reply, at: 0)])
        #expect(head.precedingByteCount == 2)
    }

    @Test func `a tunnel's bytes are left to the caller`() {
        var reader = ReplyReader()
        reader.expectReply(to: bytes("CONNECT"))
        let input = bytes("HTTP/1.1 200 OK\r\n\r\n\u{16}\u{3}")
        var offset = 0
        guard case .head(let head)? = reader.next(input.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(head.framing == .tunnel)
        #expect(offset == input.count - 2)
        #expect(reader.next(input.span, at: &offset) == .content(input.count - 2..<input.count))
        #expect(reader.finish() == .end)
        #expect(reader.finish() == nil)
    }

    @Test func `the end of a reply without content needs no more input`() {
        var reader = ReplyReader()
        reader.expectReply(to: bytes("GET"))
        let input = bytes("HTTP/1.1 204 x\r\n\r\n")
        var offset = 0
        guard case .head? = reader.next(input.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(offset == input.count)
        var copy = reader
        #expect(copy.finish() == .end)
        #expect(reader.next(input.span, at: &offset) == .end)
        #expect(reader.expectedCount == 0)
    }

    @Test func `an offset beyond the input reads nothing, inside a head too`() {
        var reader = ReplyReader()
        reader.expectReply(to: bytes("GET"))
        var offset = 9
        #expect(reader.next([UInt8]().span, at: &offset) == nil)
        let input = bytes("HTTP/1.1 2")
        offset = 0
        #expect(reader.next(input.span, at: &offset) == nil)
        offset = 99
        #expect(reader.next(input.span, at: &offset) == nil)
        #expect(reader.hasBegunReply)
    }
}

struct ReplyKeepAliveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let version: String
        let fields: String
        let keeps: Bool

        init(_ version: String, _ fields: String, keeps: Bool) {
            self.version = version
            self.fields = fields
            self.keeps = keeps
        }

        var testDescription: String { "\(version) \(fields) → \(keeps ? "keeps" : "closes")" }
    }

    static let rows: [Row] = [
        Row("1.1", "Content-Length: 0\r\n", keeps: true),
        Row("1.1", "Content-Length: 0\r\nConnection: close\r\n", keeps: false),
        Row("1.1", "Content-Length: 0\r\nConnection: CLOSE\r\n", keeps: false),
        Row("1.1", "Content-Length: 0\r\nConnection: keep-alive\r\n", keeps: true),
        Row("1.1", "Content-Length: 0\r\nConnection: keep-alive, close\r\n", keeps: false),
        Row("1.1", "Content-Length: 0\r\nConnection: foo\r\nConnection: close\r\n", keeps: false),
        Row("1.1", "Content-Length: 0\r\nConnection: closed\r\n", keeps: true),
        Row("1.1", "Content-Length: 0\r\nProxy-Connection: close\r\n", keeps: true),
        Row("1.1", "Transfer-Encoding: chunked\r\n", keeps: true),
        Row("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", keeps: false),
        Row("1.1", "", keeps: false),
        Row("1.1", "Connection: keep-alive\r\n", keeps: false),
        Row("1.0", "Content-Length: 0\r\n", keeps: false),
        Row("1.0", "Content-Length: 0\r\nConnection: Keep-Alive\r\n", keeps: true),
        Row("1.0", "Content-Length: 0\r\nConnection: keep-alive, close\r\n", keeps: false),
        Row("1.0", "Content-Length: 0\r\nKeep-Alive: timeout=5\r\n", keeps: false),
        Row("1.0", "Connection: keep-alive\r\n", keeps: false),
    ]

    @Test(arguments: rows)
    func `version, Connection and framing decide whether the connection is kept`(_ row: Row) throws {
        let head = try ReplyHead(parsing: bytes("HTTP/\(row.version) 200 OK\r\n\(row.fields)\r\n"))
        #expect(head.keepsConnection == row.keeps)
    }

    @Test(arguments: rows)
    func `a reply behind one that closes is none, and behind one that keeps it is read`(_ row: Row) throws {
        let isChunked = row.fields.contains("chunked")
        let first = "HTTP/\(row.version) 200 OK\r\n\(row.fields)\r\n" + (isChunked ? "0\r\n\r\n" : "")
        let isUntilClose = !row.fields.contains("Length") && !isChunked
        let events = Verifier<ReplyReader>.events(
            of: bytes(first + "HTTP/1.1 204 x\r\n\r\n"), to: ["GET", "GET"], thenEnds: isUntilClose)
        #expect(events.heads().map(\.status) == (row.keeps ? [200, 204] : [200]))
        let kinds = events.flatMap(\.violations).map(\.kind)
        #expect(kinds.contains(.bytesAfterReply) == (!row.keeps && !isUntilClose))
    }
}

/// What a caller who undoes codings is handed (RFC 9112 §7.2).
struct UndoneCodingTests {
    @Test(arguments: [
        ("gzip, chunked", ReplyFraming.chunked), ("x-gzip, Deflate, chunked", .chunked), ("gzip", .untilClose),
        ("identity", .untilClose), ("identity, chunked", nil), ("identity, gzip", nil), ("br, chunked", nil),
    ])
    func `gzip and deflate may be undone, and identity stands alone`(codings: String, framing: ReplyFraming?) {
        var reader = ReplyReader(undoesCodings: true)
        reader.expectReply(to: Array("GET".utf8))
        let text = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n".utf8)
        var offset = 0
        var found: ReplyFraming?
        while let event = reader.next(text.span, at: &offset) {
            if case .head(let head) = event { found = head.framing }
        }
        #expect(found == framing)
    }
}
