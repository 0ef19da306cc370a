import ProctorScenario
import Testing

/// Whether a case is decided by its requests, so that a client may make of the replies what it likes.
struct RequestSubjectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reply: String
        let body: String
        let isWhole: Bool
        var testDescription: String { "\(body) with \(reply)" }
    }

    static let rows = [
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)", isWhole: true),
        Row(
            reply: "{ status: 204 }", body: "facts: { \"wire[0].headers.X\": null, \"wire[0].method\": GET }",
            isWhole: true),
        // Something that a client has to deal with.
        Row(
            reply: "{ status: 302, headers: { Location: \"{{base}}/b\" } }", body: "wire: request(GET /a)",
            isWhole: false),
        Row(reply: "{ status: 401 }", body: "wire: request(GET /a)", isWhole: false),
        Row(reply: "{ status: 200, body: [\"ok\", { do: reset }] }", body: "wire: request(GET /a)", isWhole: false),
        Row(reply: "{ status: 200, body: ok, framing: chunked }", body: "wire: request(GET /a)", isWhole: false),
        Row(reply: "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\n\" }", body: "wire: request(GET /a)", isWhole: false),
        // A second request can only follow from the reply.
        Row(
            reply: "{ status: 302, headers: { Location: \"{{base}}/b\" } }",
            body: "wire: request(GET /a) request(GET /b)",
            isWhole: true),
        Row(reply: "{ status: 401 }", body: "facts: { \"wire[1].target\": /a }", isWhole: true),
        // No request at all proves nothing.
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)?", isWhole: false),
        Row(reply: "{ status: 200 }", body: "facts: { wire.count: 0 }", isWhole: false),
        // More is asked.
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)\nfacts: { status: 200 }", isWhole: false),
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)\ntask: response(200) complete(ok)", isWhole: false),
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)\nfacts: { connections: 1 }", isWhole: false),
    ]

    @Test(arguments: rows) func `only what needs no reply is about requests alone`(row: Row) throws {
        let scenario = try load(
            "summary: s\nexchanges:\n  - request: GET /a\n    reply: \(row.reply)\n  - request: GET /b\n    reply: { status: 200 }\n"
                + "cases:\n  c:\n    client: { url: /a }\n"
                + row.body.split(separator: "\n").map { "    \($0)\n" }.joined())
        let item = try #require(scenario.cases.first)
        #expect(item.isAboutRequestsAlone == row.isWhole)
        #expect(item.claims.contains { $0.saying == .end(step: 0) } == !row.isWhole)
    }

    @Test func `a client that is cancelled has more than a request to it`() throws {
        let scenario = try load(
            "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\ncases:\n  c:\n"
                + "    client: { url: /a, cancelAt: response }\n    wire: request(GET /a)\n")
        #expect(try #require(scenario.cases.first).subjectText == "request, reply")
    }
}
