import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Schemas and descriptions of fixtures: where they stand, and what is wrong with them.
struct SchemaReadingTests {
    private func messages(_ yaml: String, _ files: [String: String] = [:]) throws -> [String] {
        let folder = try TestFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return ScenarioLoader.parse(yaml.bytes, id: "s", file: "s.yaml", folder: folder.path).diagnostics.map {
            $0.description.replacing(folder.path + "/", with: "")
        }
    }

    private static func posting(_ body: String) -> String {
        """
        summary: s
        exchanges:
          - { request: { method: POST, path: /a, body: \(body) }, reply: { status: 200 } }
        """
    }

    @Test func `a schema stands inline, in YAML or in JSON`() throws {
        let files = ["_s.yaml": "type: string", "s.json": #"{ "type": "string", "pattern": "\ud83d\ude00" }"#]
        for body in [
            "{ schema: { type: string } }", "{ schema: true }", "{ schema: _s.yaml }",
            "{ schema: s.json, formats: [uuid] }",
        ] {
            #expect(try messages(Self.posting(body), files) == [], "\(body)")
        }
    }

    struct Row: Sendable {
        let body: String
        let messages: [String]
    }

    static let rows = [
        Row(
            body: "{ schema: none.json }",
            messages: [
                "s.yaml:3:58: error: the file \"none.json\" cannot be used: No such file or directory; looked for none.json"
            ]),
        Row(
            body: "{ schema: s.json }",
            messages: [
                "s.json:2:11: error: expected a type, found the text \"x\"; permitted: null, boolean, object, array, number, string, integer"
            ]),
        Row(
            body: "{ schema: torn.json }",
            messages: ["torn.json:2:1: error: this is no JSON: the line ends where ',' or '}' is expected"]),
        Row(body: "{ schema: twice.json }", messages: ["twice.json:1:11: error: the key \"a\" stands here twice"]),
        Row(
            body: "{ schema: {}, matches: a }",
            messages: ["s.yaml:3:48: error: a body has exactly one of matches, contains and schema"]),
        Row(
            body: "{ matches: a, formats: [uuid] }",
            messages: ["s.yaml:3:62: error: \"formats\" goes with \"schema\" alone"]),
        Row(
            body: "{ schema: {}, formats: [uid] }",
            messages: ["s.yaml:3:72: error: unknown format \"uid\"; did you mean \"uuid\"?"]),
        Row(
            body: "{ schema: ../s.json }",
            messages: [
                "s.yaml:3:58: error: the file \"../s.json\" escapes the folder of the fixture; name a file beside the fixture or below, without .."
            ]),
    ]

    @Test(arguments: rows) func `a wrong schema is told with its place`(_ row: Row) throws {
        let files = [
            "s.json": "{\n  \"type\": \"x\"\n}", "torn.json": "{ \"a\": 1\n", "twice.json": #"{ "a": 1, "a": 2 }"#,
        ]
        #expect(try messages(Self.posting(row.body), files) == row.messages)
    }

    // MARK: Descriptions

    private static let api = """
        openapi: 3.0.3
        paths:
          /a:
            get: { responses: { "200": { description: x, content: { application/json: { schema: { type: integer } } } } } }
        """

    private static func service(_ expect: String, _ exchange: String) -> String {
        "summary: s\nexpect: \(expect)\nexchanges:\n  - \(exchange)\n"
    }

    private static let json = "headers: { Content-Type: application/json }"

    @Test func `a reply that is known when it is loaded is held against the description`() throws {
        let files = ["_api.yaml": Self.api]
        func messages(_ reply: String, request: String = "GET /a", expect: String = "{ openapi: _api.yaml }") throws
            -> [String]
        {
            try self.messages(Self.service(expect, "{ request: \(request), reply: { \(reply) } }"), files)
        }
        #expect(try messages("status: 200, \(Self.json), body: \"1\"") == [])
        let wrong = try messages("status: 200, \(Self.json), body: \"x\"")
        #expect(
            wrong.count == 1 && wrong[0].contains("this reply is not as _api.yaml says of GET /a: body: wanted JSON"))
        #expect(wrong[0].contains("(_api.yaml:4:89 #/paths/~1a/get/responses/200/content/application~1json/schema)"))
        #expect(
            try messages("status: 404").first?.contains(
                "status: 404 is none of the replies, which are 200 (_api.yaml:4:23") == true)
        #expect(try messages("status: 404", expect: "{ openapi: _api.yaml, replies: false }") == [])
        // Late-bound text is judged when it is sent.
        #expect(try messages("status: 200, \(Self.json), body: \"{{now}}\"") == [])
        let unknown = try messages("status: 200", request: "GET /b")
        #expect(
            unknown.count == 1
                && unknown[0].hasPrefix(
                    "s.yaml:4:5: error: no request of this exchange is as _api.yaml says: path: \"/b\" is none of the paths"
                ))
        #expect(try messages("status: 200", request: "\"GET /{any}\"").count == 0)
        #expect(
            try messages(
                "status: 200, \(Self.json), body: \"1\"", request: "GET /v2/a",
                expect: "{ openapi: _api.yaml, base: /v2 }") == [])
    }

    @Test func `what is wrong under expect is told with its place`() throws {
        let files = ["_api.yaml": Self.api, "_old.yaml": "swagger: '2.0'"]
        func messages(_ expect: String) throws -> [String] {
            try self.messages(
                Self.service(expect, "{ request: GET /a, reply: { status: 200, \(Self.json), body: \"1\" } }"), files)
        }
        #expect(
            try messages("{ openapi: _old.yaml }") == [
                "_old.yaml:1:1: error: this is no description of OpenAPI 3: it has no key \"openapi\"; bring it from Swagger 2 to OpenAPI 3"
            ])
        #expect(try messages("{}") == ["s.yaml:2:9: error: expect needs the key \"openapi\""])
        #expect(
            try messages("{ openapi: _api.yaml, base: v1 }") == [
                "s.yaml:2:37: error: a path begins with / and has no / at its end, found \"v1\""
            ])
        #expect(
            try messages("{ openapi: _api.yaml, origin: man }") == [
                "s.yaml:2:39: error: unknown origin \"man\"; did you mean \"main\"?"
            ])
    }

    @Test func `another description makes another scenario`() throws {
        let folder = try TestFolder()
        let yaml = Self.service(
            "{ openapi: _api.yaml }", "{ request: GET /a, reply: { status: 200, \(Self.json), body: \"1\" } }")
        var prints: [UInt64] = []
        for text in [Self.api, Self.api + "\n"] {
            try folder.write(text, to: "_api.yaml")
            prints.append(
                try #require(ScenarioLoader.parse(yaml.bytes, id: "s", file: "s.yaml", folder: folder.path).scenario)
                    .fingerprint)
        }
        #expect(prints[0] != prints[1])
    }
}
