import ProctorBase
import Testing

@testable import ProctorOpenAPI

@Suite struct RequestJudgingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let target: String
        let fields: [(String, String)]
        let body: String?
        /// What each fault begins with.
        let faults: [String]
        let open: Int

        init(
            _ line: String, _ fields: [(String, String)] = [], _ body: String? = nil, faults: [String] = [],
            open: Int = 0
        ) {
            let parts = line.split(separator: " ")
            (method, target) = (String(parts[0]), String(parts[1]))
            (self.fields, self.body, self.faults, self.open) = (fields, body, faults, open)
        }

        var testDescription: String { "\(method) \(target) \(fields) \(body ?? "")" }
    }

    private static let trace = ("X-Trace", "2eb8aa08-aa98-11ea-b4aa-73b441d16380")
    private static let token = ("Authorization", "Bearer abc")
    private static let json = ("Content-Type", "application/json; charset=utf-8")

    static let rows = [
        Row("GET /v1/orders", [trace]), Row("GET /v1/orders?unknown=1", [trace]),
        Row("GET /v1/orders?page=2&tag=a&tag=b&ids=1,2&pipes=1%7C2&filter[min]=3", [trace]),
        // Paths and methods.
        Row("GET /orders", faults: ["path: \"/orders\" is none of the paths, which begin with /v1"]),
        Row("GET /v1/order", faults: ["path: \"/v1/order\" is none of the paths"]),
        Row("PATCH /v1/orders", faults: ["method: /orders has no PATCH; it has GET, POST"]),
        Row("GET /v1/orders/mine", [token]),
        // Parameters.
        Row("GET /v1/orders?page=0", [trace], faults: ["query parameter page: wanted a number from 1, got 0"]),
        Row("GET /v1/orders?page=x", [trace], faults: ["query parameter page: wanted an integer, got \"x\""]),
        Row("GET /v1/orders?tag=abcd&tag=a", [trace], faults: ["query parameter tag /0: wanted at most 3 characters"]),
        Row("GET /v1/orders?ids=1,x", [trace], faults: ["query parameter ids /1: wanted an integer, got \"x\""]),
        Row("GET /v1/orders?pipes=1%7Cx", [trace], faults: ["query parameter pipes /1: wanted an integer"]),
        Row("GET /v1/orders?filter[max]=3", [trace], faults: ["query parameter filter /max: wanted nothing here"]),
        Row("GET /v1/orders?filter%5Bmin%5D=x", [trace], faults: ["query parameter filter /min: wanted an integer"]),
        Row("GET /v1/orders?where=%7B%7D", [trace], faults: ["query parameter where /a: wanted this member"]),
        Row("GET /v1/orders?where=%7B", [trace], faults: ["query parameter where: wanted JSON"]),
        Row("GET /v1/orders", faults: ["field X-Trace: wanted a value, got none"]),
        Row("GET /v1/orders", [("x-trace", "1")], faults: ["field X-Trace: wanted a UUID"]),
        Row("GET /v1/orders", [trace, ("X-List", "1, 2"), ("X-List", "3")]),
        Row("GET /v1/orders", [trace, ("X-List", "1, x")], faults: ["field X-List /1: wanted an integer"]),
        Row(
            "GET /v1/orders", [trace, ("Cookie", "a=1; session=x")],
            faults: ["cookie parameter session: wanted at least 2"]),
        Row("GET /v1/points/x,1"), Row("GET /v1/points/x,a", faults: ["path parameter p /x: wanted an integer"]),
        Row("GET /v1/points/y,1", faults: ["path parameter p /x: wanted this member"]),
        // Security.
        Row("GET /v1/orders/7?api_key=1"),
        Row("GET /v1/orders/7", [("Authorization", "Bearer a"), ("Authorization", "basic b")]),
        Row("GET /v1/orders/7", [token], faults: ["security: wanted key, the query api_key, or "]),
        Row("GET /v1/orders/x?api_key=1", faults: ["path parameter id: wanted an integer, got \"x\""]),
        Row("POST /v1/orders", [json], "{\"count\":1}", faults: ["security: wanted token, Authorization: bearer"]),
        // Content.
        Row("POST /v1/orders", [token, json], "{\"count\":1}"),
        Row(
            "POST /v1/orders", [token, json], "{\"count\":\"1\"}", faults: ["body /count: wanted an integer, got \"1\""]
        ),
        Row("POST /v1/orders", [token, json], "{", faults: ["body: wanted JSON, got what is none"]),
        Row("POST /v1/orders", [token], nil, faults: ["body: wanted content, got none"]),
        Row("POST /v1/orders", [token], "{}", faults: ["field content-type: wanted application/json or "]),
        Row(
            "POST /v1/orders", [token, ("Content-Type", "image/png")], "x",
            faults: ["field content-type: wanted application/json or"]),
        Row("POST /v1/orders", [token, ("Content-Type", "application/x-www-form-urlencoded")], "count=1&tags=a"),
        Row(
            "POST /v1/orders", [token, ("Content-Type", "application/x-www-form-urlencoded")], "count=a",
            faults: ["body /count: wanted an integer"]),
        Row(
            "POST /v1/orders", [token, ("Content-Type", "multipart/form-data; boundary=b")],
            "--b\r\nContent-Disposition: form-data; name=\"count\"\r\n\r\nx\r\n--b--\r\n",
            faults: ["body /count: wanted an integer"]),
        Row(
            "POST /v1/orders", [token, ("Content-Type", "text/plain")], "abcd",
            faults: ["body: wanted at most 3 characters"]),
        Row("POST /v1/orders", [token, json, ("Content-Encoding", "gzip")], "\u{1f}", open: 1),
        Row("GET /v1/orders", [trace, json], "{}", open: 1),
    ]

    @Test(arguments: rows) func `a request is held against its operation`(_ row: Row) throws {
        let (read, messages) = DescriptionText.read(DescriptionText.orders)
        let description = try #require(read, "\(messages)")
        let line = APIDescription.RequestLine(method: row.method, target: Array(row.target.utf8))
        let verdict = description.judge(line, DescriptionText.message(row.fields, row.body))
        let faults = verdict.faults.map(\.description)
        #expect(
            faults.count == row.faults.count && zip(faults, row.faults).allSatisfy { $0.hasPrefix($1) }, "\(faults)")
        #expect(verdict.open.count == row.open, "\(verdict.open)")
        for fault in verdict.faults { #expect(fault.location.file == "api.yaml" && fault.location.line > 0) }
    }

    @Test func `a fault names the places in the message and in the description`() throws {
        let description = try #require(DescriptionText.read(DescriptionText.orders).description)
        let line = APIDescription.RequestLine(method: "POST", target: Array("/v1/orders".utf8))
        let message = DescriptionText.message([Self.token, Self.json], "{\"count\":1,\"tags\":[1]}")
        #expect(
            description.judge(line, message).faults.map(\.description) == [
                "body /tags/0: wanted a string, got 1 (api.yaml:52:39 #/components/schemas/Order/properties/tags/items/type)"
            ])
    }
}
