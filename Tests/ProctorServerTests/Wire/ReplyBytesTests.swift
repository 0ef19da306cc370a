import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// The exact bytes of a fixture's reply.
struct ReplyBytesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: String
        let request: String
        let wanted: String

        init(_ name: String, _ reply: String, request: String = .request("GET /"), wanted: String) {
            testDescription = name
            self.reply = reply
            self.request = request
            self.wanted = wanted
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    static let heads: [Row] = [
        Row(
            "the short form has a length and nothing else", "{ status: 200 }", wanted: "\(ok)Content-Length: 0\r\n\r\n"),
        Row(
            "the registered phrase is the reason", "{ status: 404 }",
            wanted: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "an unregistered status keeps the space before its empty reason", "{ status: 799 }",
            wanted: "HTTP/1.1 799 \r\nContent-Length: 0\r\n\r\n"),
        Row(
            "a reason of one's own", "{ status: 200, reason: \"Fine, thanks\" }",
            wanted: "HTTP/1.1 200 Fine, thanks\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "an empty reason", "{ status: 200, reason: \"\" }", wanted: "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
        Row(
            "a version that does not exist", "{ status: 200, version: HTCPCP/1.0 }",
            wanted: "HTCPCP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "an older version", "{ status: 200, version: HTTP/1.0, body: old }",
            wanted: "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold"),
        Row(
            "headers keep order, case and duplicates",
            "{ status: 200, headers: [ x-B: one, X-A: two, x-b: three, X-a: \"\" ] }",
            wanted: "\(ok)x-B: one\r\nX-A: two\r\nx-b: three\r\nX-a: \r\nContent-Length: 0\r\n\r\n"),
        Row(
            "a list of values makes a line of each", "{ status: 200, headers: { Set-Cookie: [ a=1, b=2 ] } }",
            wanted: "\(ok)Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "a length of one's own is the only one", "{ status: 200, headers: { content-LENGTH: 99 }, body: four }",
            wanted: "\(ok)content-LENGTH: 99\r\n\r\nfour"),
        Row(
            "a transfer coding of one's own has no length beside it",
            "{ status: 200, headers: { Transfer-Encoding: gzip }, body: four }",
            wanted: "\(ok)Transfer-Encoding: gzip\r\n\r\nfour"),
        Row("a 204 has no length", "{ status: 204 }", wanted: "HTTP/1.1 204 No Content\r\n\r\n"),
        Row("a 304 has no length", "{ status: 304 }", wanted: "HTTP/1.1 304 Not Modified\r\n\r\n"),
        Row(
            "a 204 with a length, when the fixture says so", "{ status: 204, framing: length }",
            wanted: "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "a 304 with a body, when the fixture says so", "{ status: 304, framing: none, body: x }",
            wanted: "HTTP/1.1 304 Not Modified\r\n\r\nx"),
        Row(
            "interim replies come before the head",
            "{ status: 200, interim: [ 100, { status: 103, headers: { Link: \"</a>\" } }, { status: 199, reason: Hm } ] }",
            wanted: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 199 Hm\r\n\r\n"
                + "\(ok)Content-Length: 0\r\n\r\n"),
        Row(
            "HEAD gets the head of the content alone", "{ status: 200, body: twelve bytes }",
            request: .request("HEAD /"), wanted: "\(ok)Content-Length: 12\r\n\r\n"),
        Row(
            "HEAD of a chunked reply", "{ status: 200, framing: chunked, trailers: { T: 1 }, body: abc }",
            request: .request("HEAD /"), wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\n"),
        Row(
            "a raw reply to HEAD is sent verbatim", "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\nbody\" }",
            request: .request("HEAD /"), wanted: "\(ok)\r\nbody"),
    ]

    static let bodies: [Row] = [
        Row("text", "{ status: 200, body: \"ok\\n\" }", wanted: "\(ok)Content-Length: 3\r\n\r\nok\n"),
        Row("framing length", "{ status: 200, framing: length, body: ok }", wanted: "\(ok)Content-Length: 2\r\n\r\nok"),
        Row("framing close", "{ status: 200, framing: close, body: ok }", wanted: "\(ok)\r\nok"),
        Row("framing none", "{ status: 200, framing: none, body: ok }", wanted: "\(ok)\r\nok"),
        Row(
            "framing chunked", "{ status: 200, framing: chunked, body: twelve bytes }",
            wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\nc\r\ntwelve bytes\r\n0\r\n\r\n"),
        Row(
            "a chunk for each piece", "{ status: 200, framing: chunked, body: [ one, \"\", three ] }",
            wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n5\r\nthree\r\n0\r\n\r\n"),
        Row(
            "chunk sizes, the last one repeated",
            "{ status: 200, framing: { chunked: [ 1, 4 ] }, body: [ abc, defghij, k ] }",
            wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n4\r\nbcde\r\n4\r\nfghi\r\n2\r\njk\r\n0\r\n\r\n"),
        Row(
            "an empty chunked body", "{ status: 200, framing: chunked }",
            wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Row(
            "trailers", "{ status: 200, framing: chunked, body: a, trailers: [ T: 1, t: \"\" ] }",
            wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nT: 1\r\nt: \r\n\r\n"),
        Row(
            "hexadecimal", "{ status: 200, body: { hex: \"00 ff 0D0a\" } }",
            wanted: "\(ok)Content-Length: 4\r\n\r\n\u{0}\u{FF}\r\n"),
        Row(
            "base64", "{ status: 200, body: { base64: aGVsbG8= } }", wanted: "\(ok)Content-Length: 5\r\n\r\nhello"),
        Row(
            "text that is no template", "{ status: 200, body: { text: \"{{base}}\" } }",
            wanted: "\(ok)Content-Length: 8\r\n\r\n{{base}}"),
        Row(
            "braces by doubling", "{ status: 200, body: \"{{{{base}}\" }",
            wanted: "\(ok)Content-Length: 8\r\n\r\n{{base}}"),
        Row(
            "repeated a number of times", "{ status: 200, body: { repeat: ab, times: 3 } }",
            wanted: "\(ok)Content-Length: 6\r\n\r\nababab"),
        Row(
            "repeated to a number of bytes", "{ status: 200, body: { repeat: abc, bytes: 7 } }",
            wanted: "\(ok)Content-Length: 7\r\n\r\nabcabca"),
        Row(
            "pieces of all kinds, cut by chunks",
            "{ status: 200, framing: { chunked: [ 5 ] }, body: [ abc, { hex: \"2d\" }, { repeat: xy, bytes: 5 } ] }",
            wanted: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nabc-x\r\n4\r\nyxyx\r\n0\r\n\r\n"),
        Row("raw bytes", "{ raw: \"no HTTP at all\\n\" }", wanted: "no HTTP at all\n"),
        Row("raw bytes that are none", "{ raw: { hex: \"00\" } }", wanted: "\u{0}"),
    ]

    @Test(arguments: heads + bodies)
    func `a reply is sent exactly as its fixture says`(_ row: Row) async throws {
        let got = try await withRun(always(row.reply)) { run in
            try await exchange(row.request, with: run.base)
        }
        #expect(got.ending == .closed)
        #expect(latin1(got.bytes) == row.wanted)
    }

    /// Bytes as characters of the same number, so that any bytes can be compared with a literal.
    private func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    @Test func `late-bound text in headers, body, interim replies and trailers is filled in`() async throws {
        let yaml = """
            summary: templates
            origins: { other: {} }
            exchanges:
              - request: GET /a/{first}/b/{second}
                reply:
                  status: 200
                  framing: chunked
                  interim: [ { status: 103, headers: { A: "{{base}}" } } ]
                  headers: { B: "{{origin}}", C: "{{authority}}", D: "{{origin.other}}", E: "{{authority.other}}" }
                  body: "{{path.second}}-{{path.first}}-{{base}}/x"
                  trailers: { F: "{{path.first}}" }
              - request: GET /
                origin: other
                reply: { status: 200, headers: { Location: "{{origin}}/" }, body: "{{base}}" }
            """
        try await withRun(yaml) { run in
            let base = run.base
            let other = try #require(run.origin("other"))
            let authority = base.dropFirst("http://".count)
            let body = "two-one-\(base)/x"
            let wanted =
                "HTTP/1.1 103 Early Hints\r\nA: \(base)\r\n\r\nHTTP/1.1 200 OK\r\nB: \(base)\r\nC: \(authority)\r\n"
                + "D: \(other)\r\nE: \(other.dropFirst("http://".count))\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\nF: one\r\n\r\n"
            #expect(try await exchange(.request("GET /a/one/b/two"), with: base).text == wanted)
            // `{{origin}}` is the one that serves, `{{base}}` the first.
            #expect(
                try await exchange(.request("GET /"), with: other).text
                    == "HTTP/1.1 200 OK\r\nLocation: \(other)/\r\nContent-Length: \(base.utf8.count)\r\n\r\n\(base)")
        }
    }

    @Test func `what query and headers captured is late-bound too, in either form of the target`() async throws {
        let yaml = """
            summary: captures
            exchanges:
              - request: { method: GET, path: "/{p}", query: { a: "{q}", b: "1" }, headers: { X-Id: "id-{h}" } }
                reply: { status: 200, body: "{{path.p}} {{path.q}} {{path.h}}" }
              - request: GET http://h/{p}
                reply: { status: 200, body: "{{path.p}}" }
            """
        try await withRun(yaml) { run in
            let query = try await exchange(.request("GET /x?b=1&a=7", "X-Id: id-9"), with: run.base)
            #expect(query.text.hasSuffix("\r\n\r\nx 7 9"))
            let absolute = try await exchange("GET http://h/y HTTP/1.1\r\nHost: h\r\n\r\n", with: run.base)
            #expect(absolute.text.hasSuffix("\r\n\r\ny"))
        }
    }

    @Test func `now is an HTTP-date of the moment of the reply, shifted as the fixture says`() async throws {
        let reply = "{ status: 200, headers: [ A: \"{{now}}\", B: \"{{now + 1h}}\", C: \"{{now - 30s}}\" ] }"
        let before = Int(time(nil))
        let (first, after) = try await withRun(always(reply)) { run in
            (try await exchange(.request("GET /"), with: run.base).text, Int(time(nil)))
        }
        let candidates = (before...after).map { seconds in
            "HTTP/1.1 200 OK\r\nA: \(date(seconds))\r\nB: \(date(seconds + 3600))\r\nC: \(date(seconds - 30))\r\n"
                + "Content-Length: 0\r\n\r\n"
        }
        #expect(candidates.contains(first))
    }

    private func date(_ seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
