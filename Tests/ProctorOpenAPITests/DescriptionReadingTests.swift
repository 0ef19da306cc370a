import Testing

@testable import ProctorOpenAPI

@Suite struct DescriptionReadingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let message: String

        init(_ text: String, _ message: String) { (self.text, self.message) = (text, message) }

        var testDescription: String { text }
    }

    private static func operation(_ text: String) -> String { "openapi: 3.1.0\npaths: { /a: { get: { \(text) } } }" }

    static let rows = [
        Row(
            "swagger: '2.0'",
            "api.yaml:1:1: error: this is no description of OpenAPI 3: it has no key \"openapi\"; bring it from Swagger 2 to OpenAPI 3"
        ),
        Row("openapi: 3.2.0", "api.yaml:1:10: error: OpenAPI \"3.2.0\" is not read; 3.0 and 3.1 are"),
        Row(
            "openapi: 3.1.0",
            "api.yaml:1:1: error: the description has no paths, so that nothing can be held against it"),
        Row(
            "openapi: 3.1.0\npaths: { a: {} }",
            "api.yaml:2:10: error: \"a\" is no path; a path begins with /, and each { has its } before the next one"),
        Row(
            operation("description: x"),
            "api.yaml:2:21: error: the operation has no responses; describe its replies by status, or default"),
        Row(
            operation("responses: { 20: {} }"),
            "api.yaml:2:40: error: \"20\" is no status; like \"200\", 4XX or default"),
        Row(
            operation("responses: { '200': { $ref: 'b.yaml#/x' } }"),
            "api.yaml:2:51: error: the reference \"b.yaml#/x\" leads out of this document, which alone is read; bring the part into components"
        ),
        Row(
            operation("responses: { '200': {} }, parameters: [{ name: a, in: body }]"),
            "api.yaml:2:77: error: unknown place \"body\"; permitted: path, query, header, cookie"),
        Row(
            operation("responses: { '200': {} }, parameters: [{ name: a, in: query, style: matrix }]"),
            "api.yaml:2:91: error: values of the style \"matrix\" are not read; known: simple, form, spaceDelimited, pipeDelimited, deepObject"
        ),
        Row(
            operation("responses: { '200': {} }, security: [{ none: [] }]"),
            "api.yaml:2:62: error: no security scheme is called \"none\""),
        Row(
            operation("responses: { '200': { content: { json: {} } } }"),
            "api.yaml:2:56: error: \"json\" is no media type"),
        Row(
            operation("responses: { '200': { content: { application/json: { schema: { type: strang } } } } }"),
            "api.yaml:2:92: error: expected a type, found \"strang\"; did you mean \"string\"?"),
        Row(
            "openapi: 3.1.0\npaths: { '/a/{id}': { get: { responses: { default: {} } } } }",
            "api.yaml:2:28: error: the parameter {id} of \"/a/{id}\" is not described"),
    ]

    @Test(arguments: rows) func `what is wrong with a description is told with its place`(_ row: Row) {
        #expect(DescriptionText.read(row.text).messages == [row.message])
    }

    @Test func `references between parts lead to them, and not round and round`() {
        let round =
            Self.operation("responses: { '200': { $ref: '#/components/responses/A' } }")
            + "\ncomponents: { responses: { A: { $ref: '#/components/responses/A' } } }"
        #expect(DescriptionText.read(round).messages.first?.contains("more than ten references") == true)
    }

    @Test func `a base of the scenario stands in the place of the servers`() throws {
        let description = try #require(DescriptionText.read(DescriptionText.orders, base: "/api").description)
        #expect(description.refusal(of: .init(method: "POST", target: Array("/api/orders".utf8))) == nil)
        #expect(description.refusal(of: .init(method: "POST", target: Array("/v1/orders".utf8))) != nil)
    }
}
