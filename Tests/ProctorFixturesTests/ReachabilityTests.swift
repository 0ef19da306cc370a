import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct ReachabilityTests {
    struct Row: CustomTestStringConvertible {
        let first: String
        let second: String
        /// Whether the second can never match.
        let isHidden: Bool
        var testDescription: String { "\(first) before \(second)" }
    }

    static let rows: [Row] = [
        Row(first: "GET /a", second: "GET /a", isHidden: true),
        Row(first: "GET /a", second: "HEAD /a", isHidden: false),
        Row(first: "GET|HEAD /a", second: "HEAD /a", isHidden: true),
        Row(first: "HEAD /a", second: "GET|HEAD /a", isHidden: false),
        Row(first: "* /a", second: "GET /a", isHidden: true),
        Row(first: "GET /a", second: "* /a", isHidden: false),
        Row(first: "GET /{x}", second: "GET /a", isHidden: true),
        Row(first: "GET /{x}", second: "GET /a/b", isHidden: false),
        Row(first: "GET /{x}", second: "GET /a?b", isHidden: false),
        Row(first: "GET /{x}", second: "GET /{y}", isHidden: true),
        Row(first: "GET /{x}", second: "GET /a{y}", isHidden: true),
        Row(first: "GET /a{x}", second: "GET /{y}", isHidden: false),
        Row(first: "GET /*", second: "GET /{y}/*?b", isHidden: true),
        Row(first: "GET /{x}", second: "GET /*", isHidden: false),
        Row(first: "GET /*b", second: "GET /a*b", isHidden: true),
        Row(first: "{ method: GET, path: /a, headers: { X: null } }", second: "GET /a", isHidden: false),
        Row(first: "GET /a", second: "{ method: GET, path: /a, headers: { X: y } }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, headers: { X: '*' } }",
            second: "{ method: GET, path: /a, headers: { x: y } }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, headers: { X: y } }",
            second: "{ method: GET, path: /a, headers: { x: null } }", isHidden: false),
        Row(first: "{ method: GET, path: /a, body: x }", second: "{ method: GET, path: /a, body: x }", isHidden: true),
        Row(first: "{ method: GET, path: /a, body: x }", second: "{ method: GET, path: /a, body: y }", isHidden: false),
        Row(first: "GET /a*", second: "{ method: GET, path: /a, query: { b: c } }", isHidden: true),
        Row(first: "GET /a", second: "{ method: GET, path: /a, query: { b: c } }", isHidden: false),
        Row(first: "GET /a", second: "{ method: GET, path: /a, query: {} }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, query: { b: '*' } }",
            second: "{ method: GET, path: /a, query: { b: c } }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, query: { b: c } }",
            second: "{ method: GET, path: /a, query: { b: c, d: e } }", isHidden: false),
    ]

    /// With conditions: equal ones hide, and others only where that is certain.
    static let conditionRows: [Row] = [
        Row(first: "GET /a", second: "{ method: GET, path: /a, json: 1 }", isHidden: true),
        Row(first: "{ method: GET, path: /a, json: 1 }", second: "GET /a", isHidden: false),
        Row(
            first: "{ method: GET, path: /a, json: { a: 1 } }", second: "{ method: GET, path: /a, json: { a: 1 } }",
            isHidden: true),
        Row(
            first: "{ method: GET, path: /a, json: { a: 1 } }", second: "{ method: GET, path: /a, json: { a: 2 } }",
            isHidden: false),
        Row(
            first: "{ method: GET, path: { matches: '/[0-9]+' } }", second: "{ method: GET, path: /12 }",
            isHidden: true),
        Row(
            first: "{ method: GET, path: { matches: '/[0-9]+' } }", second: "{ method: GET, path: /x }",
            isHidden: false),
        Row(
            first: "{ method: GET, path: { matches: '/[0-9]+' } }",
            second: "{ method: GET, path: { matches: '/[0-9]+' } }", isHidden: true),
        Row(
            first: "{ method: GET, path: { matches: '/.*' } }",
            second: "{ method: GET, path: { matches: '/[0-9]+' } }", isHidden: false),
        Row(
            first: "{ method: GET, path: /a, query: { b: { any of: [c, d] } } }",
            second: "{ method: GET, path: /a, query: { b: c } }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, headers: { X: { not: c } } }",
            second: "{ method: GET, path: /a, headers: { X: { not: 'c*' } } }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, headers: { X: { not: 'c*' } } }",
            second: "{ method: GET, path: /a, headers: { X: { not: c } } }", isHidden: false),
        Row(
            first: "{ method: GET, path: /a, cookies: { s: '*' } }",
            second: "{ method: GET, path: /a, cookies: { s: a, t: b } }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, not: { headers: { X: a } } }",
            second: "{ method: GET, path: /a, not: { headers: { X: a } }, body: x }", isHidden: true),
        Row(
            first: "{ method: GET, path: /a, not: { headers: { X: a } } }",
            second: "{ method: GET, path: /a, not: { headers: { X: b } } }", isHidden: false),
        Row(
            first: "{ method: GET, path: /a, body: { contains: b } }", second: "{ method: GET, path: /a, body: abc }",
            isHidden: true),
    ]

    private func yaml(_ row: Row, extra: String = "", sequence: String = "free") -> String {
        """
        summary: s
        sequence: \(sequence)
        origins: { other: {} }
        exchanges:
          - { request: \(row.first.quotedIfText), reply: { status: 200 } \(extra) }
          - { request: \(row.second.quotedIfText), reply: { status: 200 } }
        """
    }

    @Test(arguments: rows + conditionRows)
    func `an exchange that an earlier one hides is an error`(row: Row) {
        let found = messages(yaml(row))
        #expect(found.count == (row.isHidden ? 1 : 0), "\(found)")
        if row.isHidden { #expect(found.first?.hasPrefix("6:5 ") == true && found.first?.contains("line 5") == true) }
    }

    @Test(arguments: rows.filter(\.isHidden))
    func `an earlier exchange that is used up, of another origin or in a strict sequence hides nothing`(row: Row) {
        #expect(messages(yaml(row, extra: ", times: 3")).isEmpty)
        #expect(messages(yaml(row, extra: ", origin: other")).isEmpty)
        #expect(messages(yaml(row, sequence: "strict")).isEmpty)
    }

    @Test(.limit(minutes: 1)) func `expressions against many long targets are compared within a budget`() throws {
        let long = String(repeating: "a", count: 1_000)
        let exchanges = (0..<500).map { number in
            """
              - { request: { method: GET, path: { matches: "/(a+)+b\(number)" } }, reply: { status: 200 } }
              - { request: GET /\(long)\(number), reply: { status: 200 } }
            """
        }
        // What is hidden stands behind the bound, so nothing is said.
        let last = "  - { request: GET /\(long)0, reply: { status: 200 } }"
        #expect(
            messages("summary: many\nexchanges:\n" + exchanges.dropLast().joined(separator: "\n") + "\n" + last).isEmpty
        )
    }

    @Test func `a pattern that covers another matches everything the other does`() {
        let parts: [BytePattern.Part] = [.literal([0x61]), .literal([0x2F]), .capture("x"), .wildcard]
        var patterns: [[BytePattern.Part]] = [[]]
        for length in 1...3 {
            patterns += patterns.filter { $0.count == length - 1 }.flatMap { pattern in parts.map { pattern + [$0] } }
        }
        var texts: [[UInt8]] = [[]]
        for length in 1...4 {
            texts += texts.filter { $0.count == length - 1 }.flatMap { text in [0x61, 0x62, 0x2F].map { text + [$0] } }
        }
        let matches = patterns.map { parts in texts.map { BytePattern(parts: parts).matches($0) } }
        var coveredCount = 0
        for (wide, wideMatches) in zip(patterns, matches) {
            for (narrow, narrowMatches) in zip(patterns, matches) {
                guard BytePattern(parts: wide).covers(BytePattern(parts: narrow)) else { continue }
                coveredCount += 1
                #expect(zip(wideMatches, narrowMatches).allSatisfy { $0 || !$1 }, "\(wide) over \(narrow)")
            }
        }
        #expect(coveredCount > patterns.count)
    }
}

extension String {
    fileprivate var quotedIfText: String { hasPrefix("{") ? self : "\"\(self)\"" }
}
