import ProctorBase
import ProctorHTTP
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// What reading and asking the content of one request may cost, by the steps that its budget counts.
struct ContentReadingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The keys of the request that the exchange waits for.
        let keys: String
        var type = "application/json"
        let content: @Sendable (Int) -> String
    }

    private static func repeated(_ count: Int, _ joint: String, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: joint)
    }

    private static let oneName = { @Sendable count in "{\(repeated(count, ",") { _ in "\"id\":1" })}" }
    private static let names = { @Sendable count in "{\(repeated(count, ",") { "\"k\($0)\":1" })}" }
    private static let deep = { @Sendable count in
        "[\(repeated(count / 40, ",") { _ in String(repeating: "[", count: 40) + String(repeating: "]", count: 40) })]"
    }
    private static let elements = { @Sendable count in "<r>\(repeated(count, "") { "<a>\($0)</a>" })</r>" }
    private static let attributes = { @Sendable count in "<r \(repeated(count, " ") { "a\($0)=''" })/>" }
    private static let namespaces = { @Sendable count in
        "<r \(repeated(count, " ") { "xmlns:p\($0)='u\($0)' p\($0):a=''" })/>"
    }

    static let rows: [Row] = [
        Row(testDescription: "JSON, one name", keys: "json: { contains: { a: { b: 1 } } }", content: oneName),
        Row(testDescription: "JSON, depth", keys: "json: { contains: { a: { b: 1 } } }", content: deep),
        Row(testDescription: "JSONPath, one name", keys: "body: { jsonpath: { '$..id': '7' } }", content: oneName),
        Row(testDescription: "JSONPath, names", keys: "body: { jsonpath: { '$..id': '7' } }", content: names),
        Row(testDescription: "JSONPath, depth", keys: "body: { jsonpath: { '$..[?@.a == 1]': '7' } }", content: deep),
        Row(
            testDescription: "JSONPath, results by a filter", keys: "body: { jsonpath: { '$[?@ != $.k1]': '7' } }",
            content: names),
        Row(
            testDescription: "schema, names",
            keys: "body: { schema: { required: [a], additionalProperties: { type: string } } }", content: names),
        Row(testDescription: "XML, attributes", keys: "body: { xml: '<r/>' }", type: "text/xml", content: attributes),
        Row(
            testDescription: "XPath, namespaces", keys: "body: { xpath: { '//x': '7' } }", type: "text/xml",
            content: namespaces),
        Row(
            testDescription: "XPath, results", keys: "body: { xpath: { '//*': '-' } }", type: "text/xml",
            content: elements),
        Row(
            testDescription: "XPath, sets compared", keys: "body: { xpath: { '//a[1][//a = //a]': '-' } }",
            type: "text/xml", content: elements),
        Row(
            testDescription: "form, pairs", keys: "form: { a: b }", type: "application/x-www-form-urlencoded",
            content: { count in repeated(count, "&") { "k\($0)=v" } }),
    ]

    private func compiled(_ row: Row) throws -> CompiledScenario {
        CompiledScenario(
            try scenario(
                "summary: one\nexchanges: [{ request: { method: POST, path: /, \(row.keys) }, reply: { status: 200 } }]"
            ),
            checkHashes: { _ in })
    }

    private func view(_ row: Row, _ count: Int, _ comparison: Comparison) throws -> RequestView {
        let content = row.content(count)
        let parsed = try RequestView(
            parsing: .request("POST /", "Content-Type: \(row.type)\r\nContent-Length: \(content.utf8.count)") + content)
        let decoding = DecodedBody(parsed.head, body: parsed.body, gap: nil) { nil }
        return RequestView(
            head: parsed.head, target: parsed.head.target, body: parsed.body, decoding: decoding,
            comparison: comparison)
    }

    /// The steps of a comparison that has no bound.
    private func stepCount(_ row: Row, _ count: Int) throws -> Int {
        let comparison = Comparison(stepLimit: .max, timeLimit: .seconds(600))
        comparison.startBudget(endedBy: CancelFlag())
        #expect(try compiled(row).compare(try view(row, count, comparison), origin: 0, headsAlone: false))
        return comparison.budget.stepCount
    }

    @Test(arguments: rows)
    func `twice the content takes twice the steps, and no byte is read without one`(_ row: Row) throws {
        let (once, twice) = (try stepCount(row, 2_000), try stepCount(row, 4_000))
        #expect(once >= row.content(2_000).utf8.count / 32)
        #expect(twice <= once * 5 / 2, "\(once) steps, then \(twice)")
    }

    @Test(arguments: rows)
    func `a loop begins no work beyond its share, and a client that left ends the rest at once`(_ row: Row) throws {
        let compiled = try compiled(row)
        let comparison = Comparison(loopStepLimit: 100)
        let request = try view(row, 800, comparison)
        #expect(!compiled.compareWithinShare(request, origin: 0, headsAlone: false))
        // What goes beyond the share is counted and not begun, so the next look finds nothing done.
        #expect(comparison.spent == nil)
        #expect(compiled.exchanges[0].verdict(on: request) == .undecided)

        let flag = CancelFlag()
        flag.set()
        comparison.startBudget(endedBy: flag)
        compiled.compareRest(request, origin: 0, headsAlone: false)
        #expect(comparison.spent == .cancelled)
        #expect(comparison.budget.stepCount <= 1_024)
    }

    /// A thousand zeros in gzip.
    private static let zeros: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x63, 0x60, 0x18, 0x05, 0xA3, 0x60, 0x14, 0x0C,
        0x77, 0x00, 0x00, 0x80, 0x17, 0x0B, 0x06, 0xE8, 0x03, 0x00, 0x00,
    ]

    @Test func `content that is longer when it is decoded than its bound is refused, with the bound`() throws {
        let parsed = try RequestView(parsing: .request("POST /", "Content-Encoding: gzip"))
        for (bound, wanted) in [
            (1_000, "1000"), (999, "content of more than 999 bytes when it is decoded (gzip), which is the bound"),
        ] {
            let body = DecodedBody(parsed.head, body: Self.zeros, gap: nil, upTo: bound) { nil }
            switch try body.bytes(within: nil) {
            case .value(let bytes): #expect("\(bytes.count)" == wanted)
            case .other(let text): #expect(text == wanted)
            }
        }
    }

    @Test func `decoding counts its steps, and ends with its budget`() throws {
        let parsed = try RequestView(parsing: .request("POST /", "Content-Encoding: gzip"))
        let body = DecodedBody(parsed.head, body: Self.zeros, gap: nil) { nil }
        #expect(throws: SpentBudget.steps(limit: 50)) { try body.bytes(within: WorkBudget(stepLimit: 50)) }
        let budget = WorkBudget(stepLimit: 1_000)
        guard case .value = try body.bytes(within: budget) else { throw Refused() }
        #expect(budget.stepCount >= 1_000 / 8)
    }

    private struct Refused: Error {}
}
