import Foundation
import ProctorCoding
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorTestWire
import Testing

@testable import ProctorServer

/// Replies made of values of their request, as a client gets them.
struct LateValueWireTests {
    private func body(_ reply: String, to request: String, path: String = "* /*") async throws -> String {
        let yaml = "summary: s\nexchanges:\n  - request: \"\(path)\"\n    reply: \(reply)\n"
        return try await withRun(yaml) { run in
            let text = try await exchange(request, with: run.base).text
            return text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? text
        }
    }

    private func post(_ target: String, type: String = "text/plain", _ content: String, _ fields: String...) -> String {
        ([
            "POST \(target) HTTP/1.1", "Host: h", "Content-Type: \(type)", "Content-Length: \(content.utf8.count)",
        ] + fields).joined(separator: "\r\n") + "\r\n\r\n" + content
    }

    @Test func `values of the head`() async throws {
        let reply = """
            { status: 200, body: "{{request.method}} {{request.target}} {{request.path}} {{request.query.b}} \
            {{request.header.x-a}} {{request.cookie.c}} {{request.header.none}}{{request.query.none}}. \
            {{connection.number}} {{request.number}}" }
            """
        let request =
            "PUT /a%20b?a=1&b=x+%C3%A4&b=2 HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a:  2 \r\nCookie: a=b; c=d\r\n\r\n"
        #expect(try await body(reply, to: request) == "PUT /a%20b?a=1&b=x+%C3%A4&b=2 /a%20b x ä 1, 2 d . 0 0")
    }

    @Test func `values of forms`() async throws {
        let reply = #"{ status: 200, body: "<{{request.form.a}}> <{{request.form.b c}}> <{{request.form.none}}>" }"#
        let form = post("/", type: "application/x-www-form-urlencoded", "a=%3C&b+c=2&a=3")
        #expect(try await body(reply, to: form) == "<<> <2> <>")
        let parts = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\ntwo\r\n--x--\r\n"
        #expect(
            try await body(reply, to: post("/", type: "multipart/form-data; boundary=x", parts)) == "<one\r\ntwo> <> <>"
        )
        #expect(try await body(reply, to: post("/", "a=1")) == "<> <> <>")
    }

    @Test func `values of JSON`() async throws {
        let reply = """
            { status: 200, headers: { Content-Type: application/json }, body: \
            '{"s": "{{request.json/s}}", "n": {{request.json/n}}, "l": "{{request.json/l}}", "none": {{request.json/x}}, \
            "empty": "{{request.json/x}}", "deep": {{request.json/l/1/~1}}, "q": "{{request.query.q}}"}' }
            """
        let content = #"{"s": "a\"b\u00e4\n", "n": 1.50e+300, "l": [1, {"/": [ null ]}], "n2": 0}"#
        #expect(
            try await body(reply, to: post("/?q=%22,%22x%22:%221%00%FF", type: "text/any", content))
                == #"{"s": "a\"bä\n", "n": 1.50e+300, "l": "[1, {\"/\": [ null ]}]", "none": null, "empty": "", "#
                + #""deep": [ null ], "q": "\",\"x\":\"1\u0000\#u{FFFD}"}"#)
    }

    @Test(arguments: ["", "{", "[1,]", "{\"a\":1}x", String(repeating: "[", count: 300), "nul", "\u{FEFF}1"])
    func `content that is no JSON has no values`(_ content: String) async throws {
        let reply =
            #"{ status: 200, headers: { Content-Type: application/json }, body: '[{{request.json}}, "{{request.json}}"]' }"#
        #expect(try await body(reply, to: post("/", content)) == #"[null, ""]"#)
    }

    @Test func `a value can't end a field`() async throws {
        let yaml = always("{ status: 200, headers: { A: \"[{{request.body}}]\" } }")
        try await withRun(yaml) { run in
            let text = try await exchange(post("/", "a\r\nSet-Cookie: b\0c"), with: run.base).text
            #expect(text.contains("\r\nA: [a  Set-Cookie: b c]\r\n"))
        }
    }

    @Test func `raw bytes and effects have values too`() async throws {
        let reply =
            #"{ raw: ["HTTP/1.1 200 OK\r\nX: {{request.query.a}}\r\n\r\n", "{{request.body}}", { do: "send [{{request.method}}]" }] }"#
        let yaml = always(reply)
        try await withRun(yaml) { run in
            let text = try await exchange(post("/?a=1%0D%0AY:2", "x"), with: run.base).text
            #expect(text == "HTTP/1.1 200 OK\r\nX: 1\r\nY:2\r\n\r\nx[POST]")
        }
    }

    // MARK: Echoes

    @Test func `a body comes back with its bytes, however it came`() async throws {
        #expect(try await body("{ status: 200, body: { echo: body } }", to: post("/", "a\0\r\nb")) == "a\0\r\nb")
        let chunked =
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n03;x=y\r\nabc\r\n1\r\nd\r\n0\r\nT: 1\r\n\r\n"
        #expect(try await body("{ status: 200, body: { echo: body } }", to: chunked) == "abcd")
        #expect(try await body("{ status: 200, body: { echo: request } }", to: chunked) == chunked)
        #expect(try await body("{ status: 200, body: { echo: body } }", to: .request("GET /")) == "")
        let get = "GET /a HTTP/1.1\r\nhost:h\r\nX:  y\r\n\r\n"
        #expect(try await body("{ status: 200, body: { echo: request } }", to: get) == get)
        #expect(try await body("{ status: 200, body: { echo: request } }", to: post("/", "abc")) == post("/", "abc"))
    }

    @Test func `a description of the request`() async throws {
        let yaml = always("{ status: 200, headers: { Content-Type: application/json }, body: { echo: json } }")
        try await withRun(yaml) { run in
            let text = try await exchange(post("/a?x=%20&y", "caf\u{E9}", "X-A: 1"), with: run.base).text
            let json = try #require(text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) })
            #expect(
                json.hasPrefix(
                    #"{"method":"POST","target":"/a?x=%20&y","path":"/a","query":[["x"," "],["y",""]],"version":"HTTP/1.1","fields":[["Host","h"],["Content-Type","text/plain"],["Content-Length","5"],["X-A","1"]],"body":"café","request":0,"connection":{"number":0,"scheme":"http","peer":"127."#
                ))
            let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            #expect(object?["tls"] == nil && object?["connection"] != nil)
        }
    }

    // MARK: Content

    @Test func `content is read before the reply, also with Expect`() async throws {
        let yaml = always("{ status: 200, body: { echo: body } }")
        try await withRun(yaml) { run in
            let text = try await talk(to: run.base) { wire in
                try wire.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
                var text = try wire.readHead()
                try wire.send("abc")
                text += try wire.readReply()
                return text
            }
            #expect(text == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        }
    }

    @Test func `content that is not kept as a whole is a 500, and fails the run`() async throws {
        let yaml = always(
            "{ status: 200, body: \"{{request.form.a}}\" }",
            more: "cases: { one: { client: { url: / }, facts: { wire.count: { min: 1 } } } }")
        try await withRun(yaml, configure: { $0.limits.keptBodyByteCount = 10 }) { run in
            let text = try await exchange(post("/", "0123456789a"), with: run.base).text
            let reason = "it needs all content of its request, which is 11 bytes, of which only the first 10 are kept"
            #expect(text.hasPrefix("HTTP/1.1 500 ") && text.contains("the reply could not be made: \(reason)\n"))
            #expect(run.journal.lines.contains("c0 r0 failed: \(reason)"))
            #expect(try await exchange(post("/", "0123456789"), with: run.base).text.hasPrefix("HTTP/1.1 200 "))
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.findings.contains { $0.sentence.contains(reason) })
        }
    }

    @Test func `texts of one reply are bounded`() async throws {
        let long = String(repeating: "{{request.body}}", count: 17)
        try await withRun(always("{ status: 200, body: \"\(long)\" }")) { run in
            let text = try await exchange(post("/", String(repeating: "a", count: 1 << 20)), with: run.base).text
            #expect(text.hasPrefix("HTTP/1.1 500 ") && text.contains("more than 16777216 bytes"))
        }
    }

    // MARK: Codings, framings, HEAD

    @Test(arguments: [10, 100_000])
    func `a body of one request is coded for it`(_ byteCount: Int) async throws {
        let yaml = always(
            "{ status: 200, coding: gzip, framing: { chunked: [7] }, body: [\"<{{request.number}}>\", \"{{request.body}}\"] }"
        )
        try await withRun(yaml) { run in
            for number in 0..<2 {
                let content = String(repeating: "\(number)x", count: byteCount)
                let got = try await exchange(post("/", content), with: run.base)
                let head = try #require(
                    got.bytes.indices.first { got.bytes[..<$0].suffix(4).elementsEqual([13, 10, 13, 10]) })
                var coded: [UInt8] = []
                var rest = got.bytes[head...]
                while let end = rest.firstIndex(of: 0x0D),
                    let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0
                {
                    coded += rest[(end + 2)..<(end + 2 + size)]
                    rest = rest[(end + 4 + size)...]
                }
                let text = try CodingDecoder.decode(coded, codings: [.gzip], limit: 1 << 20)
                #expect(String(decoding: text, as: UTF8.self) == "<\(number)>\(content)")
            }
        }
    }

    @Test func `HEAD has the length of what GET gets`() async throws {
        let yaml = always("{ status: 200, body: \"{{request.query.a}}\" }")
        try await withRun(yaml) { run in
            let text = try await exchange(.request("HEAD /?a=12345"), with: run.base).text
            #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        }
    }

    @Test func `ranges are of what the request made`() async throws {
        let yaml = always("{ status: 200, honours: ranges, body: \"{{request.query.a}}\" }")
        try await withRun(yaml) { run in
            let text = try await exchange(.request("GET /?a=12345", "Range: bytes=1-2"), with: run.base).text
            #expect(text.hasPrefix("HTTP/1.1 206 ") && text.hasSuffix("\r\n\r\n23"))
        }
    }
}
