import Foundation
import ProctorDocument
import ProctorFixtures
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Scenarios whose text comes in a control call.
struct GivenScenarioTests {
    private static let hello = """
        summary: Hello
        exchanges:
          - { request: GET /hello, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        cases:
          both: { client: { url: /hello }, wire: request(GET /hello) }
        """
    private static let rooted = """
        summary: Needs a root
        exchanges:
          - { request: GET /a, reply: { status: 302, headers: { Location: /b } } }
        """

    private func body(_ target: String, _ base: String) async throws -> String {
        let text = try await exchange(.request("GET \(target)", "Connection: close"), with: base).text
        return text.components(separatedBy: "\r\n\r\n").last ?? ""
    }

    // MARK: One run

    @Test func `a run is made of the text in the call, as YAML or as JSON`() async throws {
        let json =
            #"{"summary": "\ud83d\ude00", "exchanges": [{"request": "GET /hello", "reply": {"status": 200, "body": "\ud83d\ude00"}}]}"#
        try await withControl { server in
            let made = try await call("POST /inline?lifeSeconds=60&id=my/test", on: server, body: Self.hello)
            #expect(made.status == 201)
            #expect(try made.text("scenario") == "my/test" && made.json["lifeSeconds"] as? Int == 60)
            #expect(try await body("/hello", try made.text("base")) == "one")
            let id = try made.text("run")
            #expect(try await call("GET /runs/\(id)/verdict", on: server).text("verdict") != "fail")
            let other = try await call("POST /inline", on: server, body: json)
            #expect(try other.text("scenario") == "inline")
            #expect(try await body("/hello", try other.text("base")) == "😀")
            #expect(try await call("DELETE /runs/\(id)", on: server).status == 200)
        }
    }

    @Test func `a scenario in a call needs no summary, where one in a file does`() async throws {
        let text = "exchanges: [{ request: GET /hello, reply: { status: 200, body: one } }]"
        try await withControl { server in
            let made = try await call("POST /inline", on: server, body: text)
            #expect(made.status == 201)
            #expect(try await body("/hello", try made.text("base")) == "one")
            #expect(try await call("PUT /sets/mine/a", on: server, body: text).status < 300)
            let listed = try await call("GET /scenarios/mine/a", on: server)
            #expect(try listed.text("summary") == "A scenario that was given to the server")
        }
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "a", file: "a.yaml")
        #expect(scenario == nil && diagnostics.contains { $0.description.contains("needs the key \"summary\"") })
    }

    @Test func `mistakes come back with line and column, in the words of check`() async throws {
        let text = """
            sumary: s
            exchanges:
              - { request: GET /a, reply: { status: 20, body: { file: a.bin } } }
            """
        try await withControl { server in
            for line in ["POST /inline", "PUT /sets/mine/a"] {
                let refused = try await call(line, on: server, body: text)
                #expect(try refused.status == 400 && refused.error.code == "broken-scenario")
                #expect(
                    try refused.error.message == """
                        body:1:1: error: unknown key "sumary" in a scenario; did you mean "summary"?
                        body:3:41: error: status is 20; permitted is 100 ... 999
                        body:3:59: error: a scenario that is not in a file cannot name files
                        """)
            }
        }
    }

    @Test(arguments: [
        ("POST /inline?id=../x", "bad-request", "'../x' can't be the id of a scenario"),
        ("POST /inline?id=a//b", "bad-request", "'a//b' can't be"),
        ("POST /inline?id=__proctor", "bad-request", "'__proctor' can't be"),
        ("POST /inline?lifeSeconds=0", "bad-request", "'lifeSeconds' is a whole number from 1 to 86400, not '0'"),
        (
            "POST /inline?life=1", "bad-request",
            "unknown query item 'life'; there are id, lifeSeconds, reslice, seed, protocol"
        ),
        ("PUT /sets/mine", "bad-request", "a scenario's name is expected behind the set's: sets/mine/NAME"),
        ("PUT /sets/plain/turns", "id-taken", "'plain/turns' is the id of a scenario that is served already"),
        ("PUT /sets/plain/turns/x", "id-taken", "'plain/turns/x' can't be served beside the scenario 'plain/turns'"),
        ("PUT /sets/plain/deep", "id-taken", "'plain/deep' can't be served beside the scenario 'plain/deep/origins'"),
    ]) func `what can't be served is refused`(row: (call: String, code: String, message: String)) async throws {
        try await withControl { server in
            let refused = try await call(row.call, on: server, body: Self.hello)
            #expect(try refused.error.code == row.code)
            #expect(try refused.error.message.hasPrefix(row.message))
        }
    }

    @Test func `a text that is too long, or makes too much, is refused with the bound`() async throws {
        let long = Self.hello + "\n# " + String(repeating: "x", count: 1 << 20)
        let makes = """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: { repeat: a, bytes: 300000 } } } }]
            """
        try await withControl { server in
            for line in ["POST /inline", "PUT /sets/mine/a"] {
                let refused = try await call(line, on: server, body: long)
                #expect(try refused.status == 413 && refused.error.message == "a call's body has at most 1048576 bytes")
                let made = try await call(line, on: server, body: makes)
                #expect(try made.error.message.contains("has more than 262144 bytes"))
            }
        }
    }

    // MARK: Sets

    @Test func `a scenario of a set is served, replaced and removed like one of a file`() async throws {
        try await withControl { server in
            let put = try await call("PUT /sets/mine/hello", on: server, body: Self.hello)
            #expect(try put.status == 201 && put.text("base") == "http://127.0.0.1/mine/hello")
            #expect(try await body("/mine/hello/hello", server.base) == "one")
            #expect(try await body("/mine/hello/hello", server.base) == "two")
            #expect(try await body("/mine/hello", server.base).contains("Hello"))
            #expect(try await call("GET /scenarios/mine/hello", on: server).text("summary") == "Hello")
            let all = try await call("GET /scenarios?family=mine", on: server).list("scenarios")
            #expect(all.compactMap { $0["id"] as? String } == ["mine/hello"])
            let run = try await call("GET /standing/mine/hello", on: server).text("run")
            #expect(try await call("GET /runs/\(run)/journal", on: server).entries.count > 5)
            let own = try await makeRun("mine/hello", on: server)
            #expect(try await body("/hello", own.base) == "one")

            let replaced = try await call(
                "PUT /sets/mine/hello", on: server, body: Self.hello.replacing("one", with: "other"))
            #expect(replaced.status == 200)
            #expect(try await body("/mine/hello/hello", server.base) == "other")
            // A run keeps the scenario that it was made of.
            #expect(try await body("/hello", own.base) == "two")

            #expect(try await call("PUT /sets/mine/rooted", on: server, body: Self.rooted).status == 201)
            #expect(try await call("PUT /sets/yours/a", on: server, body: Self.hello).status == 201)
            let set = try await call("GET /sets/mine", on: server).list("scenarios")
            #expect(set.compactMap { $0["id"] as? String } == ["mine/hello", "mine/rooted"])
            #expect(set.map { $0["base"] != nil } == [true, false])
            let gone = try await call("DELETE /sets/mine", on: server)
            #expect(try gone.json["deleted"] as? [String] == ["mine/hello", "mine/rooted"])
            #expect(try await call("GET /sets", on: server).list("scenarios").count == 1)
            #expect(try await call("GET /sets/mine", on: server).error.code == "unknown-set")
            #expect(
                try await exchange(.request("GET /mine/hello/hello"), with: server.base).text.hasPrefix("HTTP/1.1 404 ")
            )
        }
    }

    @Test func `one that needs a root gets ports of its own, which end when it is replaced`() async throws {
        try await withControl { server in
            #expect(
                try await call("PUT /sets/mine/rooted?lifeSeconds=100", on: server, body: Self.rooted).status == 201)
            let run = try await call("GET /standing/mine/rooted", on: server)
            let base = try run.text("base")
            #expect(try run.json["lifeSeconds"] as? Int == 100)
            let text = try await exchange(.request("GET /a", "Connection: close"), with: base).text
            #expect(text.hasPrefix("HTTP/1.1 302 "))
            let elsewhere = try await exchange(.request("GET /mine/rooted/a"), with: server.base).text
            #expect(elsewhere.hasPrefix("HTTP/1.1 421 "))
            #expect(try await call("PUT /sets/mine/rooted", on: server, body: Self.rooted).status == 200)
            let next = try await call("GET /standing/mine/rooted", on: server)
            #expect(try next.text("run") != run.text("run"))
        }
    }

    @Test func `scenarios are forgotten after a life without a request or a call`() async throws {
        try await withControl { server in
            #expect(try await call("PUT /sets/mine/short?lifeSeconds=1", on: server, body: Self.hello).status == 201)
            #expect(try await call("PUT /sets/mine/long", on: server, body: Self.hello).status == 201)
            var count = 2
            let end = ContinuousClock.now + Patience.whole
            while count > 1, ContinuousClock.now < end {
                count = try await call("GET /sets/mine", on: server).list("scenarios").count
            }
            #expect(count == 1)
            #expect(
                try await exchange(.request("GET /mine/short/hello"), with: server.base).text.hasPrefix("HTTP/1.1 404 ")
            )
            #expect(try await body("/mine/long/hello", server.base) == "one")
        }
    }

    @Test func `sets have at most 256 scenarios`() async throws {
        try await withControl { server in
            for number in 0..<256 {
                #expect(try await call("PUT /sets/many/s\(number)", on: server, body: Self.hello).status == 201)
            }
            let refused = try await call("PUT /sets/more/s", on: server, body: Self.hello)
            #expect(try refused.status == 503 && refused.error.code == "too-many-scenarios")
            #expect(try refused.error.message.hasPrefix("the sets have 256 scenarios, which is the limit"))
            #expect(try await call("PUT /sets/many/s0", on: server, body: Self.hello).status == 200)
        }
    }
}
