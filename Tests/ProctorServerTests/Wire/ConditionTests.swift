import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// What conditions get where a reply honours them (RFC 9110 §13).
struct ConditionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let fields: [String]
        let status: Int
        var testDescription: String { "\(line) with \(fields.joined(separator: ", ")): \(status)" }

        init(_ line: String, _ fields: String..., gets status: Int) {
            self.line = line
            self.fields = fields
            self.status = status
        }
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    static let rows: [Row] = [
        Row("GET /", gets: 200),
        Row("GET /", "If-None-Match: \"a\"", gets: 304),
        Row("GET /", "If-None-Match: W/\"a\"", gets: 304),
        Row("HEAD /", "If-None-Match: \"x\", \"a\"", gets: 304),
        Row("GET /", "If-None-Match: *", gets: 304),
        Row("GET /", "If-None-Match: \"b\"", gets: 200),
        Row("PUT /", "If-None-Match: *", "Content-Length: 0", gets: 412),
        Row("GET /", "If-Match: \"a\"", gets: 200),
        Row("GET /", "If-Match: W/\"a\"", gets: 412),
        Row("GET /", "If-Match: \"b\"", gets: 412),
        Row("GET /", "If-Match: *", gets: 200),
        Row("GET /", "If-Modified-Since: \(date)", gets: 304),
        Row("GET /", "If-Modified-Since: \(later)", gets: 304),
        Row("GET /", "If-Modified-Since: \(earlier)", gets: 200),
        Row("GET /", "If-Modified-Since: yesterday", gets: 200),
        Row("POST /", "If-Modified-Since: \(date)", "Content-Length: 0", gets: 200),
        Row("GET /", "If-Unmodified-Since: \(date)", gets: 200),
        Row("GET /", "If-Unmodified-Since: \(earlier)", gets: 412),
        // Tags come before dates (§13.2.2).
        Row("GET /", "If-None-Match: \"b\"", "If-Modified-Since: \(date)", gets: 200),
        Row("GET /", "If-Match: \"a\"", "If-Unmodified-Since: \(earlier)", gets: 200),
        Row("GET /", "If-Match: \"b\"", "If-None-Match: \"a\"", gets: 412),
    ]

    private static let reply = """
        { status: 200, reason: Fine, headers: [ { Server: one }, { ETag: '"a"' }, { Content-Type: text/plain },
          { Last-Modified: "\(date)" }, { Cache-Control: max-age=5 }, { Vary: Accept }, { Content-Location: /x },
          { Content-Language: en } ], body: hello, honours: [ conditions, ranges ] }
        """

    @Test(arguments: rows)
    func `a condition decides`(_ row: Row) async throws {
        let text = (["\(row.line) HTTP/1.1", "Host: a"] + row.fields).joined(separator: "\r\n") + "\r\n\r\n"
        let sentence =
            "a condition of the request does not hold: what is here has ETag \"a\", Last-Modified \(Self.date)\n"
        let whole =
            switch row.status {
            case 200:
                "HTTP/1.1 200 Fine\r\nServer: one\r\nETag: \"a\"\r\nContent-Type: text/plain\r\nLast-Modified: \(Self.date)\r\n"
                    + "Cache-Control: max-age=5\r\nVary: Accept\r\nContent-Location: /x\r\nContent-Language: en\r\n"
                    + "Content-Length: 5\r\n\r\nhello"
            case 304:
                "HTTP/1.1 304 Not Modified\r\nServer: one\r\nETag: \"a\"\r\nCache-Control: max-age=5\r\nVary: Accept\r\n"
                    + "Content-Location: /x\r\n\r\n"
            default:
                "HTTP/1.1 412 Precondition Failed\r\nServer: one\r\nETag: \"a\"\r\nCache-Control: max-age=5\r\nVary: Accept\r\n"
                    + "Content-Location: /x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(sentence.utf8.count)\r\n\r\n"
                    + sentence
            }
        let wanted = row.line.hasPrefix("HEAD") ? whole.replacing("hello", with: "") : whole
        try await withRun(always(Self.reply)) { run in
            let got = try await exchange(text, with: run.base)
            #expect(got == Wire.Received(wanted, .closed))
        }
    }

    @Test func `a date stays where there is no tag`() async throws {
        let reply =
            "{ status: 200, headers: { Last-Modified: \"\(Self.date)\" }, body: hello, honours: [ conditions ] }"
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /", "If-Modified-Since: \(Self.later)"), with: run.base)
            #expect(got.text == "HTTP/1.1 304 Not Modified\r\nLast-Modified: \(Self.date)\r\n\r\n")
        }
    }

    @Test(arguments: ["framing: chunked", "framing: close", "framing: length", "coding: gzip"])
    func `a 304 has no framing, keeps the connection and plays no effect of the body`(option: String) async throws {
        let reply = """
            { status: 200, headers: { ETag: '"a"' }, body: hello, \(option), honours: [ conditions ],
              effects: [ { at: body 2, do: reset } ] }
            """
        try await withRun(always(reply)) { run in
            let seen = try await talk(to: run.base) { wire in
                var heads: [String] = []
                for _ in 0..<2 {
                    try wire.send(.request("GET /", "If-None-Match: \"a\""))
                    heads.append(try wire.readHead())
                }
                return heads
            }
            #expect(seen == Array(repeating: "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n", count: 2))
        }
    }

    @Test func `conditions come before ranges`() async throws {
        try await withRun(always(Self.reply)) { run in
            let same = try await exchange(.request("GET /", "If-None-Match: \"a\"", "Range: bytes=0-1"), with: run.base)
            #expect(same.text.hasPrefix("HTTP/1.1 304 "))
            let other = try await exchange(.request("GET /", "If-Match: \"a\"", "Range: bytes=0-1"), with: run.base)
            #expect(other.text.hasPrefix("HTTP/1.1 206 ") && other.text.hasSuffix("\r\n\r\nhe"))
        }
    }
}
