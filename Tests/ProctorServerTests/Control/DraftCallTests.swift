import ProctorScenario
import ProctorTestWire
import Testing

@testable import ProctorServer

/// A scenario made of what was seen: it loads without a mistake, and answers as the first one did.
struct DraftCallTests {
    /// A scenario, the requests to make, and words that the draft must have.
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let exchanges: String
        let requests: [String]
        var says: [String] = []
        var remarks: [String] = []
        var testDescription: String { name }
    }

    private static func post(_ target: String, _ body: String) -> String {
        "POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func get(_ target: String, _ method: String = "GET", _ fields: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    }

    static let rows = [
        Row(
            name: "text and fields",
            exchanges: """
                  - { request: GET /a, reply: { status: 200, headers: [ X-One: 1, x-one: "a: b #c", Set-Cookie: a=1, Set-Cookie: b=2 ], body: "one\\ntwo\\r\\n\\t" } }
                """,
            requests: [get("/a")], says: [#"request: "GET /a""#, #""Set-Cookie": "b=2""#]),
        Row(
            name: "turns",
            exchanges: """
                  - { request: GET /t, reply: [ { status: 503 }, { status: 200, body: later }, { status: 200, body: later } ] }
                """,
            requests: [get("/t"), get("/t"), get("/t")], says: ["- status: 503", "- status: 200"]),
        Row(
            name: "URLs of the run",
            exchanges: """
                  - { request: GET /r, reply: { status: 302, headers: { Location: "{{base}}/there" } } }
                  - { request: GET /there, reply: { status: 200, body: "you are at {{base}}/there" } }
                """,
            requests: [get("/r"), get("/there")], says: [#""{{base}}/there""#, "you are at {{base}}/there"]),
        Row(
            name: "braces that are no template",
            exchanges: """
                  - { request: GET /b, reply: { status: 200, headers: { X-B: "{{{{a" }, body: { text: "{{base}}" } } }
                """,
            requests: [get("/b")], says: [#"{ text: "{{base}}" }"#, #""X-B": { text: "{{a" }"#]),
        Row(
            name: "bytes",
            exchanges: """
                  - { request: { method: POST, path: /up, body: "\\x01\\x02" }, reply: { status: 201, headers: { X-H: { hex: e4 } }, body: { hex: 00 ff 0a } } }
                """,
            requests: [post("/up", "\u{01}\u{02}")],
            says: [#"body: { base64: "AQI=" }"#, #"{ base64: "AP8K" }"#, #""X-H": { base64: "5A==" }"#]),
        Row(
            name: "framings",
            exchanges: """
                  - { request: GET /c, reply: { status: 200, framing: chunked, body: [ab, cd] } }
                  - { request: GET /e, reply: { status: 200, framing: close, body: to the end } }
                  - { request: GET /n, reply: { status: 204 } }
                  - { request: GET /m, reply: { status: 304, headers: { ETag: '"x"' } } }
                  - { request: HEAD /h, reply: { status: 200, headers: { Content-Length: 7 } } }
                """,
            requests: [get("/e"), get("/n"), get("/m"), get("/h", "HEAD")], says: ["framing: close"]),
        Row(
            name: "chunks",
            exchanges: "  - { request: GET /c, reply: { status: 200, framing: chunked, body: abcd } }\n",
            requests: [get("/c")], says: ["framing: chunked"]),
        Row(
            name: "a coding",
            exchanges: "  - { request: GET /z, reply: { status: 200, coding: gzip, body: hello hello hello } }\n",
            requests: [get("/z")], says: [#""Content-Encoding": "gzip""#, "base64"]),
        Row(
            name: "interim replies",
            exchanges: """
                  - { request: GET /i, reply: { interim: [102, { status: 103, headers: { Link: "<{{base}}/s>; rel=preload" } }], status: 200, body: x } }
                """,
            requests: [get("/i")], says: ["- status: 102", "- status: 103", #"<{{base}}/s>; rel=preload"#]),
        Row(
            name: "targets",
            exchanges: #"  - { request: "* /*", reply: { status: 200, body: any } }"# + "\n",
            requests: [
                get("/a*b"), get("/%7Bx%7D?q={1}&p=%5C"), get("/\\"), get("*", "OPTIONS"), get("/x", "M-SEARCH"),
            ],
            says: [#"GET /a\\*b"#, #"GET /%7Bx%7D?q=\\{1\\}&p=%5C"#, #"GET /\\\\"#]),
        Row(
            name: "content that differs",
            exchanges: #"  - { request: POST /p, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }"#
                + "\n",
            requests: [post("/p", "a: b\n"), post("/p", "{\"c\": [1]}")],
            says: [#"body: "a: b\n""#, #"body: "{\"c\": [1]}""#]),
    ]

    /// Asks in order, each on a connection of its own; the run's address is left out of the answers.
    private func ask(_ requests: [String], at base: String) async throws -> [String] {
        var replies: [String] = []
        for request in requests {
            let reply = try await exchange(request, with: base).text.replacing(base, with: "BASE")
            // The length of a body with the address depends on the port.
            let isLate = reply.contains("you are at BASE")
            replies.append(isLate ? reply.replacing(#/Content-Length: \d+/#, with: "") : reply)
        }
        return replies
    }

    @Test(arguments: rows) func `a draft answers as its source did`(row: Row) async throws {
        let source = try scenario("summary: A source\nexchanges:\n\(row.exchanges)", id: "source")
        try await withServer([source]) { server in
            let (id, base) = try await makeRun("source", on: server)
            let first = try await ask(row.requests, at: base)
            let draft = try await call("POST /runs/\(id)/scenario", on: server)
            #expect(draft.status == 200, "\(draft.body)")
            let yaml = try draft.text("yaml")
            for words in row.says { #expect(yaml.contains(words), "\(words) in:\n\(yaml)") }
            #expect(try draft.json["requests"] as? Int == row.requests.count)
            #expect(try draft.json["remarks"] as? [String] == row.remarks)
            let run = try await call("POST /inline", on: server, body: yaml)
            #expect(run.status == 201, "\(run.body)\n\(yaml)")
            #expect(try await ask(row.requests, at: try run.text("base")) == first, "\(yaml)")
        }
    }

    @Test func `only what was chosen is taken, by any entry about it`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /"), with: base)
            _ = try await exchange(.request("GET /missing"), with: base)
            let journal = try await call("GET /runs/\(id)/journal", on: server).entries
            let sent = try #require(journal.first { $0["ev"] as? String == "replySent" }?["seq"] as? Int)
            let one = try await call("POST /runs/\(id)/scenario", on: server, body: #"{"entries": [\#(sent)]}"#)
            let yaml = try one.text("yaml")
            #expect(yaml.contains("GET /\"") && !yaml.contains("/missing"), "\(yaml)")
            let all = try await call("POST /runs/\(id)/scenario", on: server, body: "{}").text("yaml")
            #expect(all.contains("GET /missing"))
        }
    }

    @Test func `origins that were asked, or that URLs name, are declared`() async throws {
        let source = try scenario(
            """
            summary: Two origins
            origins: { other: { host: localhost }, third: {}, dead: { role: closed } }
            exchanges:
              - { request: GET /, reply: { status: 302, headers: { Location: "{{origin.other}}/b" } } }
              - { request: GET /b, origin: other, reply: { status: 200, body: "{{origin.dead}}/" } }
              - { request: GET /c, origin: third, reply: { status: 200 } }
            """, id: "source")
        try await withServer([source]) { server in
            let made = try await call("POST /runs", on: server, body: #"{"scenario": "source"}"#)
            let origins = try #require(try made.json["origins"] as? [String: String])
            _ = try await exchange(.request("GET /"), with: try made.text("base"))
            let other = try #require(origins["other"]).replacing("localhost", with: "127.0.0.1")
            _ = try await exchange(.request("GET /b"), with: other)
            let yaml = try await call("POST /runs/\(try made.text("run"))/scenario", on: server).text("yaml")
            #expect(yaml.contains("  \"other\": { host: localhost }\n  \"dead\": { role: closed }\n"), "\(yaml)")
            #expect(!yaml.contains("third") && yaml.contains("{{origin.dead}}/") && yaml.contains("origin: \"other\""))
            #expect(try await call("POST /inline", on: server, body: yaml).status == 201, "\(yaml)")
        }
    }

    @Test func `what can't be taken over is said`() async throws {
        let source = try scenario(
            """
            summary: What no draft can have
            exchanges:
              - { request: GET /raw, reply: { raw: "nonsense\\r\\n" } }
              - { request: GET /long, reply: { status: 200, body: { repeat: x, bytes: 70000 } } }
              - { request: GET /cut, reply: { status: 200, body: abcdef, effects: [ { at: body 3, do: close } ] } }
            """, id: "source")
        try await withServer([source]) { server in
            let (id, base) = try await makeRun("source", on: server)
            for target in ["/raw", "/long", "/cut"] { _ = try await exchange(.request("GET \(target)"), with: base) }
            let draft = try await call("POST /runs/\(id)/scenario", on: server)
            let remarks = try #require(try draft.json["remarks"] as? [String])
            #expect(remarks.count == 3, "\(remarks)")
            for words in [
                "raw bytes", "of the 70000 bytes of content of the reply stand the first 65536", "effects cut",
            ] {
                #expect(remarks.contains { $0.contains(words) }, "\(words) in \(remarks)")
            }
            let yaml = try draft.text("yaml")
            #expect(remarks.allSatisfy { yaml.contains("# - \($0)\n") })
            #expect(try await call("POST /inline", on: server, body: yaml).status == 201, "\(yaml)")
        }
    }

    @Test func `where nothing was asked there is nothing to make`() async throws {
        try await withControl { server in
            let (id, _) = try await makeRun("plain/turns", on: server)
            let empty = try await call("POST /runs/\(id)/scenario", on: server)
            #expect(try empty.status == 409 && empty.error.code == "no-requests")
            for body in [#"{"entries": 3}"#, #"{"entries": ["x"]}"#, #"{"entry": []}"#] {
                #expect(try await call("POST /runs/\(id)/scenario", on: server, body: body).status == 400)
            }
            let shared = try await call("POST /shared/scenario", on: server, body: #"{"entries": [999999]}"#)
            #expect(shared.status == 409)
        }
    }
}
