import Foundation
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// The state of a run: conditions, changes, what replies show of it, and its bounds.
struct StateTests {
    private func ask(_ line: String, _ base: String, body: String? = nil) async throws -> (status: String, body: String)
    {
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        let head = (["\(line) HTTP/1.1", "Host: a", "Connection: close"] + length).joined(separator: "\r\n")
        let text = try await exchange("\(head)\r\n\r\n\(body ?? "")", with: base).text
        let parts = text.components(separatedBy: "\r\n\r\n")
        return (
            String(text.split(separator: " ").dropFirst().first ?? ""), parts.dropFirst().joined(separator: "\r\n\r\n")
        )
    }

    private func changes(_ run: Run) -> [String] {
        run.journal.snapshot().entries.compactMap { entry in
            guard case .stateChanged(let change) = entry.event else { return nil }
            let value = change.value.map { String(decoding: $0, as: UTF8.self) } ?? "-"
            return "\(String(decoding: change.name, as: UTF8.self))=\(value) by \(change.cause.rawValue)"
        }
    }

    private static let cart = """
        summary: A cart
        state: { cart: empty, left: 3 }
        exchanges:
          - { request: GET /cart, when: { cart: empty }, reply: { status: 204 } }
          - { request: GET /cart, when: { cart: full }, reply: { status: 200, body: "full, {{state.left}} left" } }
          - request: POST /cart
            reply: { status: 201, body: "{{state.cart}} {{state.left}} {{state.old}}", sets: { old: "{{state.left}}", left: { add: -1 }, cart: full } }
          - { request: DELETE /cart, reply: { status: 200, body: "<{{state.cart}}>", sets: { cart: null } } }
        """

    @Test func `an exchange answers while its condition holds, and replies show what they have set`() async throws {
        try await withRun(Self.cart) { run in
            #expect(try await ask("GET /cart", run.base).status == "204")
            #expect(try await ask("POST /cart", run.base).body == "full 2 3")
            #expect(try await ask("GET /cart", run.base).body == "full, 2 left")
            #expect(try await ask("DELETE /cart", run.base).body == "<>")
            #expect(
                changes(run) == ["old=3 by reply", "left=2 by reply", "cart=full by reply", "cart=- by reply"])
            let missed = try await ask("GET /cart", run.base)
            #expect(missed.status == "404" && missed.body.contains(#"state cart: wanted "empty", it is not set"#))
            run.reset()
            #expect(changes(run).isEmpty)
            #expect(try await ask("GET /cart", run.base).status == "204")
            #expect(try await ask("POST /cart", run.base).body == "full 2 3")
        }
    }

    private static let versions = """
        summary: A change needs the version that it is made to
        state: { version: 1, page: first, bytes: 0 }
        exchanges:
          - request: { method: PUT, path: /page, headers: { If-Match: '"{version}"' } }
            when: { version: "{{path.version}}" }
            reply:
              status: 200
              body: "{{state.page}} {{state.bytes}} {{state.old/1}}"
              sets:
                - { "old/{{state.version}}": "{{state.page}}" }
                - { version: { add: 1 }, page: "{{request.body}}" }
                - { bytes: { add: "{{request.header.Content-Length}}" } }
          - request: { method: PUT, path: /page, headers: { If-Match: '"{version}"' } }
            when: { version: { not: { any of: ["{{path.version}}", "9"] } } }
            reply: { status: 412 }
          - { request: POST /add, reply: { status: 204, sets: { version: { add: "{{request.body}}" } } } }
        """

    @Test func `a condition compares with text of the request, and changes stand in a list`() async throws {
        try await withRun(Self.versions) { run in
            func put(_ version: String, _ content: String) async throws -> (status: String, body: String) {
                try await ask("PUT /page HTTP/1.1\r\nIf-Match: \"\(version)\"\r\nX:", run.base, body: content)
            }
            #expect(try await put("1", "second").body == "second 6 first")
            #expect(try await put("1", "third").status == "412")
            #expect(try await put("2", "third").body == "third 11 first")
            let refused = try await ask("POST /add", run.base, body: "much")
            #expect(
                refused.status == "500" && refused.body.contains(#""much" is no whole number, so it can't be added"#))
            #expect(try await ask("POST /add", run.base, body: "6").status == "204")
            let missed = try await put("8", "fourth")
            #expect(missed.status == "404" && missed.body.contains(#"state version: wanted "8", it is "9""#))
        }
    }

    private static let guarded = """
        summary: A change needs the version that it is made to
        state: { v: 1 }
        exchanges:
          - request: "PUT|GET /page"
            reply:
              status: 200
              honours: conditions
              headers: { ETag: '"v{{state.v}}"' }
              body: "{{state.v}}"
              sets: { v: { add: 1 } }
        """

    @Test func `conditions are judged before the change, and a 304 or 412 changes nothing`() async throws {
        try await withRun(Self.guarded) { run in
            func ask(_ method: String, _ condition: String) async throws -> String {
                let text = try await exchange(
                    .request("\(method) /page", condition, "Content-Length: 0", "Connection: close"), with: run.base
                ).text
                let status = text.split(separator: " ").dropFirst().first ?? ""
                let tag = text.components(separatedBy: "ETag: ").dropFirst().first?.prefix { $0 != "\r" } ?? "none"
                return "\(status) \(tag)"
            }
            let rows = [
                ("PUT", "If-Match: \"v1\"", "200 \"v2\""), ("PUT", "If-Match: \"v1\"", "412 "),
                ("PUT", "If-Match: \"v3\"", "412 "), ("GET", "If-None-Match: \"v2\"", "304 \"v2\""),
                ("GET", "If-None-Match: \"v3\"", "200 \"v3\""), ("PUT", "If-Match: *", "200 \"v4\""),
                ("PUT", "X-None: 1", "200 \"v5\""),
            ]
            for (method, condition, wanted) in rows {
                let got = try await ask(method, condition)
                #expect(got.hasPrefix(wanted), "\(method) with \(condition)")
            }
            #expect(changes(run) == ["v=2", "v=3", "v=4", "v=5"].map { "\($0) by reply" })
        }
    }

    @Test func `two runs have a state each`() async throws {
        try await withServer([try scenario(Self.cart)]) { server in
            let (one, other) = (try await server.run("test/one"), try await server.run("test/one"))
            #expect(try await ask("POST /cart", one.base).status == "201")
            #expect(try await ask("GET /cart", one.base).status == "200")
            #expect(try await ask("GET /cart", other.base).status == "204")
        }
    }

    private static let resource = """
        summary: A resource
        state: { last: 0 }
        exchanges:
          - request: POST /items
            reply:
              status: 201
              headers: { Location: "{{base}}/items/{{state.last}}" }
              sets: { last: { add: 1 }, "item/{{state.last}}": "{{request.body}}" }
          - { request: "GET /items/{id}", when: { "item/{{path.id}}": null }, reply: { status: 404 } }
          - { request: "GET /items/{id}", reply: { status: 200, body: "{{state.item/{{path.id}}}}" } }
          - { request: "DELETE /items/{id}", reply: { status: 204, sets: { "item/{{path.id}}": null } } }
        """

    @Test func `a resource that was posted can be got, by a name with parts of the request`() async throws {
        try await withRun(Self.resource) { run async throws in
            #expect(try await ask("GET /items/1", run.base).status == "404")
            for number in 1...3 {
                #expect(try await ask("POST /items", run.base, body: "item \(number)").status == "201")
            }
            #expect(try await ask("GET /items/2", run.base).body == "item 2")
            #expect(try await ask("DELETE /items/2", run.base).status == "204")
            #expect(try await ask("GET /items/2", run.base).status == "404")
            #expect(try await ask("GET /items/3", run.base).body == "item 3")
        }
    }

    @Test func `in JSON a value is escaped in quotes, and stands as it is outside of them`() async throws {
        let yaml = """
            summary: JSON
            state: { note: null }
            exchanges:
              - request: POST /
                reply:
                  status: 200
                  headers: { Content-Type: application/json }
                  body: '[{{state.note}},"{{state.note}}"]'
                  sets: { note: "{{request.body}}" }
            """
        try await withRun(yaml) { run in
            let reply = try await ask("POST /", run.base, body: #"{"a":1}"#)
            #expect(reply.body == #"[{"a":1},"{\"a\":1}"]"#)
        }
    }

    @Test func `a hundred clients at once change a number a hundred times, and no two see the same`() async throws {
        let yaml = """
            summary: A counter
            state: { n: 0 }
            exchanges: [{ request: POST /, reply: { status: 200, body: "{{state.n}} {{state.copy}}", sets: { n: { add: 1 }, copy: "{{state.n}}" } } }]
            """
        for threadCount in [1, 2] {
            try await withServer([try scenario(yaml)], configure: { $0.threadCount = threadCount }) { server in
                let base = "\(server.base)/test/one"
                let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<100 { group.addTask { try await ask("POST /test/one/", base, body: "x").body } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(bodies) == Set((1...100).map { "\($0) \($0)" }))
            }
        }
    }

    @Test func `a change that is not possible is a 500, changes nothing and fails a case`() async throws {
        let yaml = """
            summary: Changes that are refused
            state: { word: x, n: 0 }
            exchanges:
              - { request: POST /add, reply: { status: 200, sets: { n: { add: 1 }, word: { add: 1 } } } }
              - { request: POST /long, reply: { status: 200, sets: { n: { add: 1 }, word: "{{request.body}}" } } }
              - { request: GET /n, reply: { status: 200, body: "{{state.n}}" } }
            cases:
              all: { client: { url: /n } }
            """
        try await withServer([try scenario(yaml)]) { server in
            let run = try await server.run("test/one")
            let added = try await ask("POST /add", run.base)
            #expect(added.status == "500")
            #expect(
                added.body.contains(
                    #"the state "word" can't be changed: "x" is no whole number, so nothing can be added"#))
            let long = try await ask("POST /long", run.base, body: String(repeating: "a", count: 65_537))
            #expect(
                long.status == "500" && long.body.contains("the value has 65537 bytes; at most 65536 are permitted"))
            #expect(try await ask("GET /n", run.base).body == "0")
            #expect(changes(run).isEmpty)
            let refusals = run.journal.snapshot().entries.compactMap { entry in
                if case .stateRefused(let refusal) = entry.event { refusal } else { nil }
            }
            #expect(refusals.count == 2)
            let verdict = try await call("GET /runs/\(run.id)/verdict", on: server)
            #expect(try verdict.text("verdict") == "fail")
            #expect(
                try verdict.list("findings").contains {
                    ($0["sentence"] as? String)?.contains("can't be changed") == true
                })
        }
    }

    @Test func `behind a guard the state is asked and changed only for a request that is admitted`() async throws {
        let yaml = """
            summary: Guarded
            state: { n: 0 }
            guards: { lab: { users: { user: secret }, schemes: [basic] } }
            exchanges:
              - { request: POST /n, auth: lab, when: { n: "0" }, reply: { status: 200, body: "{{state.n}}", sets: { n: { add: 1 } } } }
              - { request: POST /n, reply: { status: 409, body: "{{state.n}}" } }
            """
        try await withRun(yaml) { run in
            #expect(try await ask("POST /n", run.base).status == "401")
            #expect(changes(run).isEmpty)
            let admitted = try await exchange(
                .request("POST /n", "Connection: close", "Authorization: Basic dXNlcjpzZWNyZXQ="), with: run.base)
            #expect(admitted.text.hasPrefix("HTTP/1.1 200 ") && admitted.text.hasSuffix("1"))
            let other = try await ask("POST /n", run.base)
            #expect(other.status == "409" && other.body == "1")
        }
    }
}

/// What the state does where turns begin again, on the shared port.
struct StandingStateTests {
    private func statuses(_ yaml: String, _ targets: [String]) async throws -> [String] {
        try await withServer([try scenario(yaml)]) { server in
            var found: [String] = []
            for target in targets {
                let text = try await exchange(
                    .request("GET /test/one\(target)", "Connection: close"), with: server.base
                ).text
                found.append(String(text.split(separator: " ")[1]))
            }
            return found
        }
    }

    @Test func `a list of replies begins again and the state stays`() async throws {
        let yaml = """
            summary: s
            state: { n: 0 }
            exchanges:
              - { request: GET /a, when: { n: "3" }, reply: { status: 429 } }
              - { request: GET /a, reply: [ { status: 200, sets: { n: { add: 1 } } }, { status: 201, sets: { n: { add: 1 } } } ] }
            """
        #expect(try await statuses(yaml, ["/a", "/a", "/a", "/a", "/a"]) == ["200", "201", "200", "429", "429"])
    }

    @Test func `a strict sequence begins again with the first values`() async throws {
        let yaml = """
            summary: s
            sequence: strict
            state: { user: null }
            exchanges:
              - { request: GET /in, when: { user: null }, reply: { status: 200, sets: { user: me } } }
              - { request: GET /out, when: { user: me }, reply: { status: 204 } }
            """
        #expect(
            try await statuses(yaml, ["/in", "/x", "/out", "/in", "/out"]) == ["200", "404", "204", "200", "204"])
    }
}
