import ProctorDocument
import ProctorModules
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Schemas and descriptions of fixtures: where they stand, and what is wrong with them.
struct SchemaReadingTests {
    init() { ServerModules.register() }

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
