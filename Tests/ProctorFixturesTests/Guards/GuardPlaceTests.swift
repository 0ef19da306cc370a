import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Where guards stand, and what follows from it for the whole scenario.
struct GuardPlaceTests {
    private static let basic = "{ users: { u: p }, schemes: [basic] }"
    private static let gate = "{ proxy: true, users: { u: p }, schemes: [basic] }"

    @Test func `named guards come first, then those that are written out, in the order of the file`() throws {
        let scenario = try load(
            """
            summary: s
            guards: { lab: \(Self.basic), gate: \(Self.gate) }
            auth: [gate, \(Self.basic)]
            exchanges:
              - { request: GET /a, reply: { status: 200 } }
              - { request: GET /b, auth: none, reply: { status: 200 } }
              - { request: GET /c, auth: [lab, gate], reply: { status: 200 } }
              - { request: GET /d, auth: \(Self.basic), reply: { status: 200 } }
              - { request: GET /e, auth: [\(Self.gate), \(Self.basic)], reply: { status: 200 } }
            cases:
              c:
                client: { url: /a }
                facts: { "auth[all exchanges].attempts": 1, "auth[exchange 4.1].attempts": 0, "auth[lab].attempts": 0 }
            """)
        #expect(
            scenario.guards.map(\.name) == ["lab", "gate", "all exchanges", "exchange 3", "exchange 4", "exchange 4.1"])
        #expect(scenario.guards.map(\.index) == Array(0..<6))
        #expect(scenario.exchanges.map(\.guards) == [[1, 2], [], [0, 1], [3], [4, 5]])
        #expect(scenario.guards.map(\.realms) == [["lab"], ["gate"]] + Array(repeating: ["proctor"], count: 4))
        #expect(scenario.guards.map(\.isProxy) == [false, true, false, false, true, false])
        #expect(scenario.guards[3].location.line == 8)
    }

    @Test func `auth: none of the scenario is what goes without saying`() throws {
        let yaml = "summary: s\nauth: none\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
        let scenario = try load(yaml)
        #expect(scenario.guards.isEmpty && scenario.exchanges[0].guards == [])
    }

    @Test func `a guard lets an exchange hide another, since it takes the request either way`() {
        let found = messages(
            """
            summary: s
            exchanges:
              - { request: GET /a, auth: \(Self.basic), reply: { status: 200 } }
              - { request: GET /a, reply: { status: 404 } }
            """)
        #expect(
            found == [
                #"4:5 "GET /a" can never match: "GET /a" at line 3 takes every such request; put it before, or give the other one times:"#
            ])
    }

    @Test func `what a guard plays counts as what is played`() throws {
        let scenario = try load(
            """
            summary: s
            auth:
              users: { u: p }
              schemes: [basic]
              refuse:
                - { body: [a, { do: wait 2s }, b] }
                - { body: c, effects: [{ at: end, do: await response }] }
              gives-up: { after: 1, reply: { body: { repeat: x, bytes: 3000000 }, pace: { bytes: 1000000, every: 1s } } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a } } }
            """)
        #expect(scenario.awaitedEvents == ["response"])
        #expect(scenario.heldMilliseconds == 4_000)
        #expect(scenario.transferMilliseconds(of: scenario.cases[0]) == 3_000)
    }

    struct Root: CustomTestStringConvertible {
        let yaml: String
        /// nil: it stays below the base.
        let reason: String?
        var testDescription: String { yaml }
    }

    static let roots: [Root] = [
        Root(yaml: "schemes: [digest]", reason: nil),
        Root(yaml: "schemes: [{ digest: { domain: '{{base}}/a' } }]", reason: nil),
        Root(yaml: "schemes: [{ digest: { domain: [http://other.test/, b] } }]", reason: nil),
        Root(
            yaml: "schemes: [digest, { digest: { domain: ['{{base}}/a', /b] } }]",
            reason: #"the domain of the guard "all exchanges" "/b" is an absolute path"#),
        Root(
            yaml: "schemes: [{ digest: { domain: '{{origin}}/b' } }]",
            reason: #"the domain of the guard "all exchanges" contains {{origin}}"#),
        Root(yaml: "schemes: [{ digest: { domain: /b, says: { Domain: null } } }]", reason: nil),
        Root(
            yaml: #"schemes: [{ digest: { says: { domain: '"http://a.test/ /b"' } } }]"#,
            reason: #"the domain of the guard "all exchanges" "/b" is an absolute path"#),
        Root(
            yaml: "schemes: [digest], refuse: [{}, { headers: { Location: /c } }]",
            reason: #"the Location "/c" is an absolute path"#),
        Root(
            yaml: "schemes: [digest], refuse: { headers: { Set-Cookie: a=b; path=/ } }",
            reason: #"the Set-Cookie has the absolute path "/""#),
        Root(
            yaml: "schemes: [digest], gives-up: { after: 1, reply: { headers: { Location: ../../c } } }",
            reason: #"the Location "../../c" climbs above {{base}}"#),
        Root(yaml: "schemes: [digest], gives-up: { after: 1, reply: { headers: { Location: ../c } } }", reason: nil),
    ]

    @Test(arguments: roots)
    func `a guard that leaves the base needs a root`(row: Root) throws {
        let scenario = try load(
            """
            summary: s
            auth: { users: { u: p }, \(row.yaml) }
            exchanges:
              - { request: GET /a/b, reply: { status: 200 } }
              - { request: GET /b, auth: none, reply: { status: 200 } }
            """)
        #expect(scenario.rootReason?.text == row.reason)
        if row.reason != nil { #expect(scenario.rootReason?.location.line == 2) }
    }

    @Test func `the first reason of the file is told, of a guard or of an exchange`() throws {
        let guarded = "{ users: { u: p }, schemes: [{ digest: { domain: /d } }] }"
        let scenario = try load(
            """
            summary: s
            exchanges:
              - { request: GET /a, reply: { status: 302, headers: { Location: /b } } }
              - { request: GET /b, auth: \(guarded), reply: { status: 200 } }
            """)
        #expect(scenario.rootReason?.text == #"the Location "/b" is an absolute path"#)
        let turned = try load(
            """
            summary: s
            auth: \(guarded)
            exchanges:
              - { request: GET /a, reply: { status: 302, headers: { Location: /b } } }
            """)
        #expect(turned.rootReason?.text == #"the domain of the guard "all exchanges" "/d" is an absolute path"#)
    }
}

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
