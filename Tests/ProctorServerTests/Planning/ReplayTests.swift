import ProctorScenario
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Which plans may be played again, for other requests.
struct ReplayTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let reply: String
        var request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
        let isKept: Bool
        var testDescription: String { "\(reply) to \(request.debugDescription)" }
    }

    private static let range = "GET /a HTTP/1.1\r\nHost: h\r\nRange: bytes=0-1\r\n\r\n"
    private static let whole = "{ status: 200, honours: [ranges], body: abc }"

    @Test(arguments: [
        Row(reply: "{ status: 200, body: abc }", isKept: true),
        Row(reply: "{ status: 200, body: abc }", request: range, isKept: true),
        Row(reply: "{ status: 200, body: \"at {{base}}\" }", isKept: true),
        Row(reply: "{ status: 200, body: \"for {{path.name}}\" }", isKept: false),
        Row(reply: "{ status: 200, headers: { Date: \"{{now}}\" } }", isKept: false),
        Row(reply: "{ raw: \"HTTP/1.1 200 OK\\r\\nDate: {{now}}\\r\\n\\r\\n\" }", isKept: false),
        Row(reply: "{ status: 200, body: \"{{request.method}}\" }", isKept: false),
        Row(reply: "{ status: 200, body: { json: { a: \"{{uuid}}\" } } }", isKept: false),
        Row(reply: "{ status: 200, body: { json: { a: [1, x] } } }", isKept: true),
        Row(reply: "{ status: 200, effects: [{ at: end, do: wait 1ms-2ms }] }", isKept: false),
        Row(reply: whole, isKept: true),
        Row(reply: whole, request: range, isKept: false),
    ])
    func `a plan that depends on the request or the time can't be kept`(_ row: Row) throws {
        let yaml = "summary: replies\nexchanges:\n  - { request: \"GET /{name}\", reply: \(row.reply) }"
        let exchange = CompiledScenario(try scenario(yaml)).exchanges[0].exchange
        let addresses = BoundAddresses(
            authorityKey: [], path: [], authorities: [Array("h:1".utf8)], schemes: [.http])
        let inputs = PlanInputs(
            PlayedPart(exchange: 0, reply: .turn(0), infos: []), for: try RequestView(parsing: row.request),
            RequestNumbers(seed: RunSeed(1), clock: RunClock(), connection: 0, request: 0), pattern: exchange.request,
            addresses: addresses, origin: 0)
        let replayable = try ReplyPlanner(inputs: inputs, omitsContent: false).reply(
            exchange.replies[0], as: .bytes
        ).replayable
        #expect((replayable != nil) == row.isKept)
        #expect((replayable?.namesAddresses ?? false) == row.reply.contains("{{base}}"))
    }
}
