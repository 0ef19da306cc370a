import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// What the journal of a run says of messages that an OpenAPI description speaks of, from outside.
struct DescribedServiceTests {
    private static let description = """
        openapi: 3.1.0
        paths:
          /orders:
            post:
              parameters: [{ name: dry, in: query, schema: { type: boolean } }]
              requestBody:
                required: true
                content: { application/json: { schema: { type: object, required: [count] } } }
              responses: { "201": { description: made }, "409": { description: no } }
          /orders/{id}:
            get:
              parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
              responses:
                "200": { content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } }
        """

    private static let yaml = """
        summary: a described service
        expect: { openapi: _api.yaml }
        origins: { other: {} }
        exchanges:
          - { request: POST /orders, reply: [{ status: 201 }, { status: 409 }] }
          - request: "GET /orders/{id}"
            reply:
              status: 200
              headers: { Content-Type: application/json }
              body: { json: { id: "{{path.id}}" } }
        """

    private func withService(_ yaml: String = yaml, _ body: (Run) async throws -> Void) async throws {
        let folder = try TestFolder()
        try folder.write(Self.description, to: "_api.yaml")
        try await withRun(yaml, folder: folder.path, body)
    }

    private static func described(_ run: Run) async throws -> [String] {
        try await run.journal.lines(untilClosed: 1).filter { $0.contains(" described ") }
    }

    @Test func `a request that is as described leaves no entry`() async throws {
        try await withService { run in
            _ = try await talk(to: run.base) { wire in
                [
                    try wire.ask(
                        "POST /orders?dry=true", "Content-Type: application/json", "Content-Length: 11",
                        body: #"{"count":1}"#)
                ]
            }
            #expect(try await Self.described(run) == [])
        }
    }

    @Test func `content, parameters, paths and methods are judged, answered or not`() async throws {
        try await withService { run in
            _ = try await talk(to: run.base) { wire in
                [
                    try wire.ask(
                        "POST /orders?dry=perhaps", "Content-Type: application/json", "Content-Length: 2", body: "{}"),
                    try wire.ask("GET /nothing"), try wire.ask("DELETE /orders"),
                ]
            }
            #expect(
                try await Self.described(run) == [
                    "c0 r0 described request query parameter dry |body /count", "c0 r1 described request path ",
                    "c0 r2 described request method ",
                ])
        }
    }

    @Test func `content that came in chunks is judged whole, behind its end`() async throws {
        try await withService { run in
            try await onWire(
                run.base,
                "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
            let lines = try await run.journal.lines(untilClosed: 1)
            let body = try #require(lines.firstIndex { $0.contains(" body 2 complete") })
            let judged = try #require(lines.firstIndex { $0.contains(" described request body /count") })
            #expect(body < judged)
        }
    }

    @Test func `a reply whose text is late-bound is judged when it is sent`() async throws {
        try await withService { run in
            _ = try await exchange(.request("GET /orders/7"), with: run.base)
            #expect(try await Self.described(run) == ["c0 r0 described reply body /id"])
        }
    }

    @Test func `replies false leaves replies alone`() async throws {
        let yaml = Self.yaml.replacing("_api.yaml }", with: "_api.yaml, replies: false }")
        try await withService(yaml) { run in
            _ = try await exchange(.request("GET /orders/7"), with: run.base)
            #expect(try await Self.described(run) == [])
        }
    }

    @Test func `only the origin that is described is judged`() async throws {
        let yaml = Self.yaml.replacing("_api.yaml }", with: "_api.yaml, origin: other }")
            .replacing("  - { request: POST", with: "  - { origin: other, request: POST")
        try await withService(yaml) { run in
            _ = try await exchange(.request("GET /nothing"), with: run.base)
            #expect(try await Self.described(run) == [])
            _ = try await exchange(.request("GET /nothing"), with: run.origins[1].url)
            let lines = try await run.journal.lines(untilClosed: 2).filter { $0.contains(" described ") }
            #expect(lines == ["c1 r1 described request path "])
        }
    }

    @Test func `content that is not read to its end is left open`() async throws {
        let yaml = Self.yaml.replacing(
            "{ request: POST /orders, reply", with: "{ request: POST /orders, reads: none, reply")
        try await withService(yaml) { run in
            try await onWire(
                run.base,
                "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
            #expect(try await Self.described(run) == ["c0 r0 described request open 1"])
        }
    }

    @Test func `a miss names the value and the keyword of a schema`() async throws {
        let yaml = """
            summary: a schema
            exchanges:
              - request:
                  method: POST
                  path: /a
                  body: { schema: { properties: { n: { type: integer } }, required: [n] } }
                reply: { status: 201 }
            """
        try await withRun(yaml) { run in
            let base = run.base
            let replies = try await talk(to: base) { wire in
                [
                    try wire.ask("POST /a", "Content-Length: 7", body: #"{"n":1}"#),
                    try wire.ask("POST /a", "Content-Length: 9", body: #"{"n":"x"}"#),
                    try wire.ask("POST /a", "Content-Length: 1", body: "{"),
                ]
            }
            #expect(replies[0].contains("201"))
            #expect(
                replies[1].contains(#"body: /n: wanted an integer, got "x" (test/one.yaml:6:44 #/properties/n/type)"#))
            #expect(
                replies[2].contains(
                    "body: wanted JSON of the schema at test/one.yaml:6:23, got content that is no JSON"))
        }
    }
}
