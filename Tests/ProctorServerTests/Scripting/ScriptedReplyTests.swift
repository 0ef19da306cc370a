import Foundation
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Replies that a script makes, as bytes of the wire.
struct ScriptedReplyTests {
    /// A scenario whose one exchange is answered by a script.
    private func scripted(_ lua: String, request: String = "\"* /{rest}*\"") -> String {
        let lines = lua.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
        return """
            summary: is computed
            exchanges:
              - request: \(request)
                reply:
                  script: |
            \(lines)
            """
    }

    private func body(of lua: String, to request: String, _ content: String = "") async throws -> String {
        try await withRun(scripted(lua)) { run in
            let got = try await exchange(request + content, with: run.base)
            return got.text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        }
    }

    @Test func `a small reply has its fields by name, its length and its body`() async throws {
        let lua = "return { status = 201, headers = { ['X-B'] = 2, ['Content-Type'] = 'text/plain' }, body = 'hi' }"
        try await withRun(scripted(lua)) { run in
            let got = try await exchange(.request("GET /a") + .request("HEAD /a"), with: run.base)
            let head = "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nX-B: 2\r\nContent-Length: 2\r\n\r\n"
            #expect(got.text == head + "hi" + head)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.contains("replied 201") || $0.contains("sent 201") })
        }
    }

    @Test(arguments: [
        ("request.method .. request.target .. request.path", "PUT/a?x=1&x=2&y=a+b/a"),
        ("request.query.x .. request.query.y .. #request.query_list", "1a b3"),
        ("request.header['x-TEST'] .. #request.fields .. request.fields[1].name", "one, two5Host"),
        ("request.cookie.b .. tostring(request.cookie.c)", "2nil"), ("request.captures.rest", "a"),
        ("request.body", "{\"n\":[1,{\"m\":true}]}"), ("tostring(request.json.n[2].m)", "true"),
        ("request.connection .. request.number", "00"), ("request.version .. request.scheme", "HTTP/1.1http"),
        ("request.peer", "127.0.0.1"),
        ("hash.hex(hash.sha1('abc'))", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("hash.hex(hash.md5(''))", "d41d8cd98f00b204e9800998ecf8427e"),
        (
            "hash.hex(hash.hmac('sha256', 'key', 'The quick brown fox jumps over the lazy dog'))",
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
        ),
        ("#hash.sha512('') .. time.http(784111777)", "64Sun, 06 Nov 1994 08:49:37 GMT"),
        ("tostring(time.now() > 1.7e9) .. tostring(request.tls)", "truenil"),
    ])
    func `a script sees the request`(_ row: (expression: String, wanted: String)) async throws {
        let content = "{\"n\":[1,{\"m\":true}]}"
        let request = String.request(
            "PUT /a?x=1&x=2&y=a+b", "X-Test: one", "x-test: two", "Cookie: a=1; b=2",
            "Content-Length: \(content.utf8.count)")
        let got = try await body(of: "return { status = 200, body = \(row.expression) }", to: request, content)
        #expect(got == row.wanted)
    }

    @Test func `every word of the fixture format is a key of the table`() async throws {
        let lua = """
            return {
              status = 200, framing = { chunked = { 2 } }, headers = { { A = "1" }, { A = "{{now}}" } },
              body = { "abc", { ["do"] = "wait 1ms" }, { hex = "64" } }, trailers = { T = "x" },
            }
            """
        try await withRun(scripted(lua)) { run in
            let got = try await exchange(.request("GET /a"), with: run.base)
            #expect(
                got.text == "HTTP/1.1 200 OK\r\nA: 1\r\nA: {{now}}\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nab\r\n2\r\ncd\r\n0\r\nT: x\r\n\r\n")
        }
    }

    @Test(arguments: [
        ("local x\nreturn x.y", "one.yaml:7: attempt to index a nil value (local 'x')"),
        ("return { stauts = 200 }", "one.yaml: unknown key \"stauts\" in a reply; did you mean \"status\"?"),
        ("return { status = 204, body = 'x' }", "one.yaml: a 204 reply never has a body (RFC 9112 §6.3); say framing:"),
        ("return { status = 99 }", "one.yaml: "), ("return 5", "one.yaml: the script returns a number"),
        // Counted by the functions of the library, so that the bound of time is far.
        (
            "while true do local x = ('x'):rep(100000) end",
            "one.yaml:6: the script runs more than 20000000 instructions"
        ),
        ("return nil", "one.yaml: the script returns nothing and has sent nothing"),
        ("return { status = 200, sets = { a = 'b' } }", "one.yaml: \"sets\" has no place in the table of a script"),
    ])
    func `an error is a 500 with file and line, in the journal too`(_ row: (lua: String, wanted: String)) async throws {
        try await withRun(scripted(row.lua)) { run in
            let got = try await exchange(.request("GET /a"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 500 ") && got.text.contains(row.wanted), "\(got.text)")
            let failures = run.journal.snapshot().entries.compactMap { entry in
                if case .replyFailed(let failure) = entry.event { failure.reason } else { nil }
            }
            #expect(failures.count == 1 && failures[0].contains(row.wanted))
        }
    }

    @Test func `steps are played one after the other, and a table may end them`() async throws {
        let lua = """
            send("HTTP/1.1 103 Early Hints\\r\\n\\r\\n")
            wait(0.001)
            return { status = 200, body = "done" }
            """
        try await withRun(scripted(lua)) { run in
            let got = try await exchange(.request("GET /a") + .request("GET /b"), with: run.base)
            let one = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone"
            #expect(got.text == one + one)
        }
    }

    struct Steps: Sendable, CustomTestStringConvertible {
        let lua: String
        let statuses: [Int?]
        /// What is known of the content of the last reply.
        let content: String?
        var testDescription: String { lua }

        init(_ lua: String, _ statuses: [Int?], content: String? = nil) {
            self.lua = lua
            self.statuses = statuses
            self.content = content
        }
    }

    @Test(arguments: [
        Steps("send('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nab') close()", [200], content: "ab"),
        Steps("send('HTTP/1.1 2') send('00 OK\\r\\n\\r\\n') send('HTTP/1.1 500 No\\r\\n\\r\\n') close()", [200]),
        Steps("send('HTTP/1.1 103 Hints\\r\\n\\r\\n') return { status = 201, body = 'a' }", [103, 201], content: "a"),
        Steps("send('HTTP/1.1 103 Hints\\r\\n\\r\\n') reset()", [103], content: ""),
        Steps("send('what is this') close()", [nil]), Steps("for _ = 1, 200 do send('x') end close()", [nil]),
        Steps("close()", []),
    ])
    func `the journal has the replies that steps send`(_ steps: Steps) async throws {
        try await withRun(scripted(steps.lua)) { run in
            _ = try? await exchange(.request("GET /a"), with: run.base)
            _ = try await run.journal.lines(untilClosed: 1)
            let replies = run.journal.begunReplies
            #expect(replies.map(\.status) == steps.statuses)
            #expect(replies.last?.content.map { String(decoding: $0.kept, as: UTF8.self) } == steps.content)
        }
    }

    @Test(arguments: [("close()", "closed"), ("reset()", "reset")])
    func `a step ends the connection`(_ row: (step: String, how: String)) async throws {
        try await withRun(scripted("send('HTTP/1.1 200 OK\\r\\n\\r\\nab') \(row.step) send('never')")) { run in
            _ = try? await exchange(.request("GET /a"), with: run.base)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == "c0 closed by server: \(row.how)")
        }
    }

    @Test func `an error behind sent bytes ends the connection, and is noted`() async throws {
        try await withRun(scripted("send('HTTP/1.1 200 OK\\r\\n')\nerror('no')")) { run in
            let got = try await exchange(.request("GET /a"), with: run.base)
            #expect(got.text == "HTTP/1.1 200 OK\r\n")
            _ = try await run.journal.lines(untilClosed: 1)
            #expect(run.journal.snapshot().entries.contains { if case .replyFailed = $0.event { true } else { false } })
        }
    }

    @Test func `state is the run's, or the connection's`() async throws {
        let lua = """
            return { status = 200, body = state.add("all") .. connection.add("own") .. (state.get("first") or "-") .. ";" }
            """
        let yaml = scripted(lua).replacingOccurrences(of: "exchanges:", with: "state: { first: \"1\" }\nexchanges:")
        try await withRun(yaml) { run in
            func bodies() async throws -> String {
                try await exchange(.request("GET /a") + .request("GET /a"), with: run.base).text
                    .components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != ";" } + "" }
                    .joined(separator: " ")
            }
            let (first, second) = (try await bodies(), try await bodies())
            #expect(first == "111 221")
            #expect(second == "311 421")
        }
    }

    @Test func `a value that is taken is taken once, and the journal has the one change`() async throws {
        let lua = "return { status = 200, body = (state.take('ticket') or 'none') .. ';' }"
        let yaml = scripted(lua).replacingOccurrences(of: "exchanges:", with: "state: { ticket: \"7\" }\nexchanges:")
        try await withRun(yaml) { run in
            let got = try await exchange(.request("GET /a") + .request("GET /a"), with: run.base).text
            #expect(got.contains("\r\n\r\n7;") && got.contains("\r\n\r\nnone;"), "\(got)")
            let changes = run.journal.snapshot().entries.filter {
                if case .stateChanged = $0.event { true } else { false }
            }
            #expect(changes.count == 1)
        }
    }

    @Test func `hostile scripts of one run leave the others whole`() async throws {
        let scenarios = [
            try scenario(scripted("while true do local s = ('x'):rep(1000) end"), id: "test/hostile"),
            try scenario(scripted("return { status = 200, body = 'fine' }"), id: "test/good"),
        ]
        try await withServer(scenarios) { server in
            let hostile = try await server.run("test/hostile")
            let good = try await server.run("test/good")
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 { group.addTask { try await exchange(.request("GET /a"), with: hostile.base).text } }
                for _ in 0..<8 {
                    let text = try await exchange(.request("GET /a"), with: good.base).text
                    #expect(text.hasSuffix("fine"))
                }
                for try await text in group { #expect(text.hasPrefix("HTTP/1.1 500 ")) }
            }
        }
    }

    @Test func `what is random is the run's, by its seed`() async throws {
        let lua = "return { status = 200, body = math.random(1, 1000000000) .. '' }"
        let first = try await withRun(scripted(lua), configure: { $0.seed = 7 }) { run in
            try await exchange(.request("GET /a"), with: run.base).text
        }
        let second = try await withRun(scripted(lua), configure: { $0.seed = 7 }) { run in
            try await exchange(.request("GET /a"), with: run.base).text
        }
        #expect(first == second)
    }
}

/// Lua that the scripts of a scenario share.
struct SharedScriptTests {
    private func yaml(_ library: String) -> String {
        let lines = library.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        return """
            summary: Two scripts of one library
            library: |
            \(lines)
            exchanges:
              - request: { method: GET, path: "/{n}", script: return isEven(request) }
                reply: { script: "return page('even')" }
              - request: GET /{n}
                reply: { script: "return page(request.captures.n)" }
            """
    }

    @Test func `all scripts of a scenario call its functions, those of requests too`() async throws {
        let library = """
            function isEven(request) return tonumber(request.captures.n) % 2 == 0 end
            function page(text) return { status = 200, headers = { ["Set-Cookie"] = "a=b" }, body = text } end
            """
        try await withRun(yaml(library)) { run in
            for (path, wanted) in [("/2", "even"), ("/3", "3"), ("/4", "even")] {
                let text = try await exchange(.request("GET \(path)"), with: run.base).text
                #expect(text.hasSuffix("\r\n\r\n\(wanted)") && text.contains("Set-Cookie: a=b\r\n"), "\(text)")
            }
            // A field that only the library names is watched as one of the fixture is.
            #expect(
                run.journal.snapshot().entries.contains { if case .cookiesSet = $0.event { true } else { false } })
        }
    }

    @Test func `an error of a library is the answer of each script, with its place`() async throws {
        try await withRun(yaml("page = nil + 1")) { run in
            for _ in 0..<2 {
                let text = try await exchange(.request("GET /3"), with: run.base).text
                #expect(text.hasPrefix("HTTP/1.1 500 ") && text.contains("one.yaml:3: attempt to perform"), "\(text)")
            }
        }
    }
}

/// Requests that a script is asked about.
struct ScriptedRequestTests {
    private static let yaml = """
        summary: An even number
        exchanges:
          - request:
              method: GET
              path: "/{n}"
              script: return tonumber(request.captures.n) % 2 == 0
            reply: { status: 200, body: even }
          - request: GET /{n}
            reply: { status: 200, body: odd }
        """

    @Test(arguments: [("/2", "even"), ("/3", "odd")])
    func `a request is the exchange's where the script says so`(_ row: (path: String, wanted: String)) async throws {
        try await withRun(Self.yaml) { run in
            let text = try await exchange(.request("GET \(row.path)"), with: run.base).text
            #expect(text.hasSuffix("\r\n\r\n\(row.wanted)"))
        }
    }

    @Test func `an error of the script is a 500 with its line`() async throws {
        try await withRun(Self.yaml) { run in
            let got = try await exchange(.request("GET /word"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 500 ") && got.text.contains("one.yaml:6: attempt to"), "\(got.text)")
        }
    }
}
