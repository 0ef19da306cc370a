import ProctorScenario
import Testing

/// What is too much is refused, and how much would not be.
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
            testDescription: "users", limit: 100,
            yaml: { count in
                "auth: { users: { \(list(count) { "u\($0): p" }) }, schemes: [basic] }"
            }, message: "2:16 there are 101 users; at most 100 are permitted"),
        Row(
            testDescription: "tokens", limit: 100,
            yaml: { count in
                "auth: { tokens: [\(list(count) { "t\($0)" })], schemes: [bearer] }"
            }, message: "2:17 tokens has 101 items; at most 100 are permitted"),
        Row(
            testDescription: "schemes", limit: 16,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [\(list(count) { "{ basic: { says: { a: \($0) } } }" })] }"
            }, message: "2:35 schemes has 17 items; at most 16 are permitted"),
        Row(
            testDescription: "messages", limit: 100,
            yaml: { count in
                "auth: { schemes: [{ ntlm: { offer-only: [\(list(count) { _ in "TlRM" })] } }] }"
            }, message: "2:41 messages has 101 items; at most 100 are permitted"),
        Row(
            testDescription: "refusals", limit: 1000,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [basic], refuse: [\(list(count) { _ in "{}" })] }"
            }, message: "2:52 there are 1001 replies; at most 1000 are permitted"),
        Row(
            testDescription: "realms", limit: 1000,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [basic], realm: [\(list(count) { _ in "a" })] }"
            }, message: "2:51 a realm has 1001 items; at most 1000 are permitted"),
        Row(
            testDescription: "URIs of a domain", limit: 100,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [{ digest: { domain: [\(list(count) { _ in "/a" })] } }] }"
            }, message: "2:56 a URI has 101 items; at most 100 are permitted"),
        Row(
            testDescription: "scopes", limit: 100,
            yaml: { count in
                let scope = (0..<count).map { "s\($0)" }.joined(separator: " ")
                return "auth: { schemes: [{ bearer: { scope: \(scope) } }], tokens: { token: T, scope: \(scope) } }"
            }, message: "2:38 there are 101 scopes; at most 100 are permitted"),
        Row(
            testDescription: "words of a challenge", limit: 100,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [{ basic: { says: { \(list(count) { "p\($0): x" }) } } }] }"
            }, message: "2:53 there are 101 parameters; at most 100 are permitted"),
        Row(
            testDescription: "bytes of a realm", limit: 16_384,
            yaml: { count in
                "auth: { users: { u: p }, schemes: [basic], realm: \(String(repeating: "a", count: count)) }"
            }, message: "2:51 a realm has 16385 bytes; at most 16384 are permitted"),
        Row(
            testDescription: "bytes of a password", limit: 16_384,
            yaml: { count in
                "auth: { users: { u: \(String(repeating: "a", count: count)) }, schemes: [basic] }"
            }, message: "2:21 a password has 16385 bytes; at most 16384 are permitted"),
        Row(
            testDescription: "bytes of a challenge", limit: 16_384,
            yaml: { count in
                "auth: { schemes: [{ verbatim: \(String(repeating: "a", count: count)) }] }"
            }, message: "2:31 a challenge has 16385 bytes; at most 16384 are permitted"),
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
