import ProctorBase
import ProctorHTTP
import Testing

struct PipeliningTests {
    @Test func `pipelined requests come out one after the other, however they are cut`() {
        let input = bytes(
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ndef\r\n0\r\n\r\n"
                + "GET /4 HTTP/1.0\r\n\r\n")
        let events = Verifier<RequestReader>.events(of: input)
        #expect(events.heads().map { text($0.target) } == ["/1", "/2", "/3", "/4"])
        #expect(text(events.content()) == "abcdef")
        #expect(events.filter { $0 == .end }.count == 4)
    }

    @Test func `every malformed request that is read over leaves the next one unharmed`() {
        for row in MalformedRequest.all where !row.thenEnds {
            let next = bytes("GET /next HTTP/1.1\r\nHost: next\r\n\r\n")
            let events = Verifier<RequestReader>.events(of: row.input, limits: row.limits)
            guard events.last == .end else { continue }
            var reader = RequestReader(limits: row.limits)
            let both = row.input + next
            var offset = 0
            var heads: [RequestHead] = []
            while let event = reader.next(both.span, at: &offset) {
                if case .head(let head) = event { heads.append(head) }
            }
            let last = heads.last
            // Rows with limits may be too tight for the second request.
            guard row.limits == RequestLimits() else { continue }
            #expect(last.map { text($0.target) } == "/next", "\(row.name)")
        }
    }

    @Test func `a reader says where it stands between, within and after requests`() {
        var reader = RequestReader()
        func feed(_ text: String) -> [RequestEvent] {
            let input = bytes(text)
            var offset = 0
            var events: [RequestEvent] = []
            while let event = reader.next(input.span, at: &offset) { events.append(event) }
            return events
        }
        #expect(reader.isBetweenRequests && !reader.hasPartialHead)
        #expect(feed("\r\n") == [])
        #expect(reader.isBetweenRequests && !reader.hasPartialHead, "an empty line is no request")
        #expect(feed("G") == [])
        #expect(!reader.isBetweenRequests && reader.hasPartialHead)
        #expect(feed("ET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n").count == 1)
        #expect(!reader.isBetweenRequests && !reader.hasPartialHead, "content is missing")
        #expect(feed("xy") == [.content(0..<2), .end])
        #expect(reader.isBetweenRequests && !reader.hasPartialHead)
        #expect(reader.finish() == nil)
        #expect(feed("\u{16}").count == 1)
        #expect(!reader.isBetweenRequests && !reader.hasPartialHead, "it is refused")
        #expect(reader.finish() == nil)
        #expect(feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == [])
    }

    @Test func `the end of a request without content needs no more input`() {
        var reader = RequestReader()
        let input = bytes("GET / HTTP/1.0\r\n\r\n")
        var offset = 0
        guard case .head? = reader.next(input.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(offset == input.count && !reader.isBetweenRequests)
        var copy = reader
        #expect(copy.finish() == .end)
        #expect(reader.next(input.span, at: &offset) == .end)
        #expect(reader.isBetweenRequests)
    }

    @Test func `an offset beyond the input reads nothing`() {
        var reader = RequestReader()
        var offset = 9
        #expect(reader.next([UInt8]().span, at: &offset) == nil)
        #expect(reader.isBetweenRequests)
    }
}

struct KeepAliveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let version: String
        let fields: String
        let keepsConnection: Bool

        init(_ version: String, _ fields: String, keeps keepsConnection: Bool) {
            self.version = version
            self.fields = fields
            self.keepsConnection = keepsConnection
        }

        var testDescription: String { "\(version) \(fields) → \(keepsConnection ? "keeps" : "closes")" }
    }

    static let rows: [Row] = [
        Row("1.1", "", keeps: true),
        Row("1.1", "Connection: close\r\n", keeps: false),
        Row("1.1", "Connection: CLOSE\r\n", keeps: false),
        Row("1.1", "Connection: keep-alive\r\n", keeps: true),
        Row("1.1", "Connection: keep-alive, close\r\n", keeps: false),
        Row("1.1", "Connection: keep-alive\r\nConnection: close\r\n", keeps: false),
        Row("1.1", "Connection: closed\r\n", keeps: true),
        Row("1.1", "Connection: x-close, foo\r\n", keeps: true),
        Row("1.1", "Connection:\r\n close\r\n", keeps: false),
        Row("1.1", "Keep-Alive: timeout=5\r\n", keeps: true),
        Row("1.1", "Transfer-Encoding: chunked\r\n", keeps: true),
        Row("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", keeps: false),
        Row("1.2", "", keeps: true),
        Row("1.2", "Connection: close\r\n", keeps: false),
        Row("1.0", "", keeps: false),
        Row("1.0", "Connection: keep-alive\r\n", keeps: true),
        Row("1.0", "Connection: Keep-Alive\r\n", keeps: true),
        Row("1.0", "Connection: foo, keep-alive\r\n", keeps: true),
        Row("1.0", "Connection: close\r\n", keeps: false),
        Row("1.0", "Connection: keep-alive, close\r\n", keeps: false),
        Row("1.0", "Keep-Alive: timeout=5\r\n", keeps: false),
    ]

    @Test(arguments: rows)
    func `version and Connection decide whether the connection is kept`(_ row: Row) throws {
        let head = try RequestHead(parsing: bytes("GET / HTTP/\(row.version)\r\nHost: a\r\n\(row.fields)\r\n"))
        #expect(head.keepsConnection == row.keepsConnection)
    }

    @Test(arguments: [
        ("1.1", "Content-Length: 1\r\nExpect: 100-continue\r\n", true),
        ("1.1", "Transfer-Encoding: chunked\r\nExpect: 100-Continue\r\n", true),
        ("1.1", "Content-Length: 1\r\n", false),
        ("1.1", "Content-Length: 1\r\nExpect: 200-ok\r\n", false),
        ("1.1", "Content-Length: 0\r\nExpect: 100-continue\r\n", false),
        ("1.1", "Expect: 100-continue\r\n", false),
        ("1.0", "Content-Length: 1\r\nExpect: 100-continue\r\n", false),
    ])
    func `a continuation is awaited only for content, and never in HTTP 1.0`(
        _ version: String, _ fields: String, _ expects: Bool
    ) throws {
        let head = try RequestHead(parsing: bytes("POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n"))
        #expect(head.expectsContinue == expects)
    }
}

/// The fields of a request that a proxy hands on.
struct ForwardingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [String]
        /// What is left of them.
        let left: [String]

        var testDescription: String { fields.joined(separator: " | ") }
    }

    private static let rows = [
        Row(fields: ["Host: a", "A: 1"], left: ["Host: a", "A: 1"]),
        Row(fields: ["Host: a", "Proxy-Authorization: x", "A: 1"], left: ["Host: a", "A: 1"]),
        Row(fields: ["PROXY-connection: x", "Host: a"], left: ["Host: a"]),
        Row(fields: ["Host: a", "Connection: close", "Close: 1"], left: ["Host: a"]),
        Row(fields: ["Host: a", "b: 1", "Connection: , B ,c", "C: 2", "connection: D", "D: 3"], left: ["Host: a"]),
        Row(
            fields: ["Host: a", "Connection: BC", "B: 1", "Proxy-Authenticate: x"],
            left: ["Host: a", "B: 1", "Proxy-Authenticate: x"]),
        Row(fields: ["Host: a", "Connection:", "A: 1"], left: ["Host: a", "A: 1"]),
    ]

    @Test(arguments: rows)
    func `what is for the proxy goes, and nothing else`(_ row: Row) throws {
        let text = "GET http://a/ HTTP/1.1\r\n" + row.fields.map { $0 + "\r\n" }.joined() + "\r\n"
        let head = try RequestHead(parsing: Array(text.utf8))
        let forwarded = head.forwarded
        #expect(forwarded.fields.map { String(decoding: $0.raw, as: UTF8.self) } == row.left)
        #expect(forwarded.bytes == head.bytes && forwarded.keepsConnection == head.keepsConnection)
        #expect(forwarded.target == head.target && forwarded.method == "GET" && forwarded.form == .absolute)
        #expect((forwarded == head) == (row.left == row.fields))
    }
}
