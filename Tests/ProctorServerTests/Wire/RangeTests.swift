import ProctorCoding
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// What Range gets where a reply honours it (RFC 9110 §14).
struct RangeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let fields: [String]
        let status: String
        /// Behind the fixture's own.
        let added: String
        let body: String
        var testDescription: String { fields.joined(separator: ", ") }

        init(_ fields: String..., status: String, added: String = "", body: String) {
            self.fields = fields
            self.status = status
            self.added = added
            self.body = body
        }
    }

    private static let content = "0123456789"
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let nobody = "none of the ranges asked for is within the 10 bytes that are here\n"

    static let rows: [Row] = [
        Row(status: "200 OK", body: content),
        Row("Range: bytes=0-3", status: "206 Partial Content", added: "Content-Range: bytes 0-3/10\r\n", body: "0123"),
        Row("Range: bytes=4-", status: "206 Partial Content", added: "Content-Range: bytes 4-9/10\r\n", body: "456789"),
        Row("Range: bytes=-3", status: "206 Partial Content", added: "Content-Range: bytes 7-9/10\r\n", body: "789"),
        Row("Range: bytes=8-99", status: "206 Partial Content", added: "Content-Range: bytes 8-9/10\r\n", body: "89"),
        Row("Range: bytes=0-9", status: "206 Partial Content", added: "Content-Range: bytes 0-9/10\r\n", body: content),
        Row("Range: bytes=-99", status: "206 Partial Content", added: "Content-Range: bytes 0-9/10\r\n", body: content),
        Row(
            "Range: bytes=20-30,1-2", status: "206 Partial Content", added: "Content-Range: bytes 1-2/10\r\n",
            body: "12"),
        Row("Range: items=0-3", status: "200 OK", body: content),
        Row("Range: bytes=3-1", status: "200 OK", body: content),
        Row("Range: bytes=", status: "200 OK", body: content),
        Row(
            "Range: bytes=0-3", "If-Range: \"a\"", status: "206 Partial Content",
            added: "Content-Range: bytes 0-3/10\r\n", body: "0123"),
        Row("Range: bytes=0-3", "If-Range: \"b\"", status: "200 OK", body: content),
        Row("Range: bytes=0-3", "If-Range: W/\"a\"", status: "200 OK", body: content),
        Row(
            "Range: bytes=0-3", "If-Range: \(date)", status: "206 Partial Content",
            added: "Content-Range: bytes 0-3/10\r\n", body: "0123"),
        Row(
            "Range: bytes=0-3", "If-Range: Sun, 06 Nov 1994 08:49:38 GMT", status: "200 OK", body: content),
    ]

    private static let own = "ETag: \"a\"\r\nLast-Modified: \(date)\r\nX: 1\r\n"
    private static func reply(_ more: String = "") -> String {
        """
        { status: 200, headers: [ { ETag: '"a"' }, { Last-Modified: "\(date)" }, { X: 1 } ], body: '0123456789',
          honours: [ ranges ] \(more) }
        """
    }

    @Test(arguments: rows)
    func `a range gets its part and nothing else changes`(_ row: Row) async throws {
        let text = (["GET / HTTP/1.1", "Host: a"] + row.fields).joined(separator: "\r\n") + "\r\n\r\n"
        try await withRun(always(Self.reply())) { run in
            for _ in 0..<2 {
                let got = try await exchange(text, with: run.base)
                let wanted =
                    "HTTP/1.1 \(row.status)\r\n\(Self.own)\(row.added)Content-Length: \(row.body.utf8.count)\r\n\r\n\(row.body)"
                #expect(got == Wire.Received(wanted, .closed))
            }
            // A range request does not change the reply to a request without one.
            let whole = try await exchange(.request("GET /"), with: run.base)
            #expect(whole.text == "HTTP/1.1 200 OK\r\n\(Self.own)Content-Length: 10\r\n\r\n0123456789")
        }
    }

    @Test func `ranges beyond the end are refused with the length`() async throws {
        try await withRun(always(Self.reply())) { run in
            let got = try await exchange(.request("GET /", "Range: bytes=10-"), with: run.base)
            let wanted =
                "HTTP/1.1 416 Range Not Satisfiable\r\nETag: \"a\"\r\nX: 1\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Content-Range: bytes */10\r\nContent-Length: \(Self.nobody.utf8.count)\r\n\r\n\(Self.nobody)"
            #expect(got == Wire.Received(wanted, .closed))
        }
    }

    @Test func `several ranges come as parts`() async throws {
        let reply = """
            { status: 200, headers: [ { Content-Type: text/plain }, { X: 1 } ], body: '0123456789', honours: [ ranges ] }
            """
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /", "Range: bytes=0-1, -2, 4-4"), with: run.base)
            let lines = got.text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
            let type = try #require(lines.first { $0.hasPrefix("Content-Type: multipart/byteranges; boundary=") })
            let boundary = try #require(type.split(separator: "=").last)
            func part(_ place: String, _ text: String) -> String {
                "--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes \(place)/10\r\n\r\n\(text)\r\n"
            }
            let body = part("0-1", "01") + part("8-9", "89") + part("4-4", "4") + "--\(boundary)--\r\n"
            #expect(
                got.text
                    == "HTTP/1.1 206 Partial Content\r\n\(type)\r\nX: 1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }
    }

    @Test func `only GET has ranges`() async throws {
        try await withRun(always(Self.reply())) { run in
            let head = try await exchange(.request("HEAD /", "Range: bytes=0-3"), with: run.base)
            #expect(head.text == "HTTP/1.1 200 OK\r\n\(Self.own)Content-Length: 10\r\n\r\n")
            let post = try await exchange(.request("POST /", "Range: bytes=0-3", "Content-Length: 0"), with: run.base)
            #expect(post.text == "HTTP/1.1 200 OK\r\n\(Self.own)Content-Length: 10\r\n\r\n0123456789")
        }
    }

    @Test func `a part keeps the framing of the whole, and a length of the fixture's own becomes the true one`()
        async throws
    {
        let chunked = try await withRun(always(Self.reply(", framing: { chunked: [ 3 ] }"))) { run in
            try await exchange(.request("GET /", "Range: bytes=2-6"), with: run.base).text
        }
        #expect(
            chunked == "HTTP/1.1 206 Partial Content\r\n\(Self.own)Content-Range: bytes 2-6/10\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n3\r\n234\r\n2\r\n56\r\n0\r\n\r\n")
        let own = """
            { status: 200, headers: [ { Content-Length: 99 }, { X: 1 } ], body: '0123456789', honours: [ ranges ] }
            """
        let lengths = try await withRun(always(own)) { run in
            try await exchange(.request("GET /", "Range: bytes=2-6"), with: run.base).text
        }
        #expect(
            lengths
                == "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nX: 1\r\nContent-Range: bytes 2-6/10\r\n\r\n23456"
        )
    }

    @Test func `effects count bytes of the part`() async throws {
        let reply = Self.reply(", effects: [ { at: body 2, do: send <> }, { at: body 4, do: close } ]")
        try await withRun(always(reply)) { run in
            let part = try await exchange(.request("GET /", "Range: bytes=5-"), with: run.base)
            #expect(part.text.hasSuffix("Content-Length: 5\r\n\r\n56<>78"))
            let short = try await exchange(.request("GET /", "Range: bytes=9-"), with: run.base)
            #expect(short.text.hasSuffix("Content-Length: 1\r\n\r\n9<>"))
        }
    }

    @Test func `a range of coded content is a range of what is coded`() async throws {
        let coded = try CodingEncoder.encode(Array("hello hello hello".utf8), steps: [CodingStep(.gzip)])
        let reply = "{ status: 200, body: hello hello hello, coding: gzip, honours: [ ranges ] }"
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /", "Range: bytes=3-7"), with: run.base)
            let head =
                "HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Range: bytes 3-7/\(coded.count)\r\n"
                + "Content-Length: 5\r\n\r\n"
            #expect(got.bytes == Array(head.utf8) + coded[3...7])
        }
    }

    @Test func `any part of long content is right`() async throws {
        let reply = "{ status: 200, body: { pattern: offset, bytes: 10000000000 }, honours: [ ranges ] }"
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /", "Range: bytes=9999900000-9999999999"), with: run.base)
            let body = got.bytes.suffix(100_000)
            #expect(got.text.contains("Content-Range: bytes 9999900000-9999999999/10000000000\r\n"))
            let isRight = body.enumerated().allSatisfy { index, byte in
                byte == UInt8(truncatingIfNeeded: (UInt64(9_999_900_000 + index) &* 0x9E37_79B9_7F4A_7C15) >> 56)
            }
            #expect(isRight)
        }
    }
}

/// The reply to ranges that are not there, as the fixture writes it.
struct UnsatisfiableTests {
    private func ask(_ own: String, _ fields: String...) async throws -> String {
        let reply = """
            { status: 200, honours: [ranges, conditions], headers: { ETag: '"v1"' }, body: 0123456789, unsatisfiable: \(own) }
            """
        return try await withRun(always(reply)) { run in
            let head = (["GET / HTTP/1.1", "Host: a", "Connection: close"] + fields).joined(separator: "\r\n")
            return try await exchange(head + "\r\n\r\n", with: run.base).text
        }
    }

    @Test func `it is sent as it is written, with 416 where it says no status`() async throws {
        let text = try await ask("{ reason: Nothing, headers: { X: y }, body: no }", "Range: bytes=10-")
        #expect(text == "HTTP/1.1 416 Nothing\r\nX: y\r\nContent-Length: 2\r\n\r\nno")
    }

    @Test func `it can be raw, or another status`() async throws {
        #expect(try await ask(#"{ raw: "HTTP/1.1 416\r\n\r\n" }"#, "Range: bytes=10-") == "HTTP/1.1 416\r\n\r\n")
        #expect(try await ask("{ status: 200, body: all }", "Range: bytes=10-").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `ranges that are there, conditions and whole contents are answered as ever`() async throws {
        let own = "{ body: no }"
        #expect(try await ask(own, "Range: bytes=8-").hasSuffix("\r\n\r\n89"))
        #expect(try await ask(own).hasSuffix("\r\n\r\n0123456789"))
        #expect(try await ask(own, "Range: bytes=10-", "If-None-Match: \"v1\"").hasPrefix("HTTP/1.1 304 "))
        #expect(try await ask(own, "Range: bytes=10-", "If-Range: \"v0\"").hasPrefix("HTTP/1.1 200 "))
    }
}
