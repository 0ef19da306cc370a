import ProctorBase
import ProctorScenario
import ProctorTrace
import Testing

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
