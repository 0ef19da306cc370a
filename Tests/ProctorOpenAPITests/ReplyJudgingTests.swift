import ProctorBase
import Testing

@testable import ProctorOpenAPI

@Suite struct ReplyJudgingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let status: Int
        let fields: [(String, String)]
        let body: String?
        let faults: [String]

        init(
            _ line: String, _ status: Int, _ fields: [(String, String)] = [], _ body: String? = nil,
            faults: [String] = []
        ) {
            (self.line, self.status, self.fields, self.body, self.faults) = (line, status, fields, body, faults)
        }

        var testDescription: String { "\(line) \(status) \(fields) \(body ?? "")" }
    }

    private static let json = ("Content-Type", "application/json")

    static let rows = [
        Row("GET /v1/orders", 200, [json, ("X-Total", "1")], "[{\"count\":1}]"),
        Row("GET /v1/orders", 200, [json, ("X-Total", "1")], "[{}]", faults: ["body /0/count: wanted this member"]),
        Row("GET /v1/orders", 200, [json], "[]", faults: ["field X-Total: wanted a value, got none"]),
        Row("GET /v1/orders", 200, [json, ("X-Total", "many")], "[]", faults: ["field X-Total: wanted an integer"]),
        Row("GET /v1/orders", 200, [("X-Total", "1")], nil, faults: ["body: wanted content, got none"]),
        Row("GET /v1/orders", 404, [("Content-Type", "application/problem+json")], "{}"),
        Row("GET /v1/orders", 404, [json], "{}", faults: ["field content-type: wanted application/problem+json"]),
        Row("GET /v1/orders", 500, faults: ["status: 500 is none of the replies, which are 200, 4XX"]),
        Row(
            "POST /v1/orders", 503, [("Content-Type", "application/problem+json")], "[]",
            faults: ["body: wanted an object"]),
        Row("GET /v1/orders/mine", 204),
        // What the description does not know has no reply in it.
        Row("GET /v1/nothing", 200, [json], "[]"),
    ]

    @Test(arguments: rows) func `a reply is held against its operation`(_ row: Row) throws {
        let description = try #require(DescriptionText.read(DescriptionText.orders).description)
        let parts = row.line.split(separator: " ").map(String.init)
        let line = APIDescription.RequestLine(method: parts[0], target: Array(parts[1].utf8))
        let verdict = description.judge(
            replyTo: line, status: row.status, DescriptionText.message(row.fields, row.body))
        let faults = verdict.faults.map(\.description)
        #expect(
            faults.count == row.faults.count && zip(faults, row.faults).allSatisfy { $0.hasPrefix($1) }, "\(faults)")
    }

    @Test func `what only one side sends is not required of the other`() throws {
        let text = """
            openapi: 3.0.3
            paths:
              /a:
                post:
                  requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } }
                  responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } }
            components:
              schemas:
                A:
                  type: object
                  required: [id, password]
                  properties: { id: { type: integer, readOnly: true }, password: { type: string, writeOnly: true, nullable: true } }
            """
        let description = try #require(DescriptionText.read(text).description)
        let line = APIDescription.RequestLine(method: "POST", target: Array("/a".utf8))
        let request = DescriptionText.message([Self.json], "{\"password\":null}")
        let reply = DescriptionText.message([Self.json], "{\"id\":1}")
        #expect(description.judge(line, request).isClean)
        #expect(description.judge(line, reply).faults.map(\.pointer) == ["/password"])
        #expect(description.judge(replyTo: line, status: 200, reply).isClean)
        #expect(description.judge(replyTo: line, status: 200, request).faults.map(\.pointer) == ["/id"])
    }
}
