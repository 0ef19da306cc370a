import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What is too much is refused, and how much would not be; more of it is in Tests/Data/diagnostics.
struct GuardBoundTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let limit: Int
        /// The `guards:` or `auth:` line with so many of them.
        let yaml: @Sendable (Int) -> String
        let message: String
    }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ", ")
    }

    static let rows: [Row] = [
        Row(
            testDescription: "refusals", limit: 1000,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [basic], refuse: [\(list(count) { _ in "{}" })] }"
            }, message: "2:52 there are 1001 replies; at most 1000 are permitted"),
        Row(
            testDescription: "guards by name", limit: 64,
            yaml: { count in
                "guards: { \(list(count) { "g\($0): { users: { u: p }, proxy: \($0 == 0), schemes: [basic] }" }) }"
            }, message: "2:9 there are 65 guards; at most 64 are permitted"),
    ]

    private func text(_ row: Row, _ count: Int) -> String {
        let isNamed = row.testDescription == "guards by name"
        let exchanges = (0..<(isNamed ? 64 : 1)).map { index in
            "  - { request: GET /\(index), \(isNamed ? "auth: g\(index), " : "")reply: { status: 200 } }\n"
        }
        return "summary: s\n\(row.yaml(count))\nexchanges:\n\(exchanges.joined())"
    }

    @Test(arguments: rows)
    func `as many as are permitted are taken, and one more is refused`(row: Row) {
        #expect(messages(text(row, row.limit)) == [])
        let found = messages(text(row, row.limit + 1))
        #expect(found.first == row.message)
    }

    @Test func `guards at exchanges count like those with names`() {
        let item = "auth: { users: { u: p }, schemes: [basic] }"
        let exchanges = (0..<65).map { "  - { request: GET /\($0), \(item), reply: { status: 200 } }\n" }
        let yaml = "summary: s\nexchanges:\n" + exchanges.dropLast().joined()
        #expect(messages(yaml) == [])
        #expect(
            messages(yaml + (exchanges.last ?? "")) == [
                "67:31 there are more than 64 guards, those at exchanges counted in"
            ])
    }
}
