import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// The script of a negotiation: turns of refusals and realms, two guards, the end, starting over.
struct GuardFlowTests {
    private static let right = "Authorization: Basic dXNlcjpwYXNz"
    private static let wrong = "Authorization: Basic dXNlcjpmYWxzZQ=="

    private func yaml(_ rules: String, more: String = "") -> String {
        """
        summary: guarded
        guards:
          lab: { users: { user: pass }, schemes: [basic], \(rules) }
        auth: lab
        exchanges:
          - { request: "* /a", reply: { status: 200, body: content } }
        \(more)
        """
    }

    @Test func `refusals and realms go by turn, and the last ones stay`() async throws {
        let refuse = """
            refuse: [ { headers: { Set-Cookie: a=1 }, body: first }, { status: 499, body: then } ], realm: [one, two]
            """
        try await withRun(yaml(refuse)) { run in
            let got = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a"), try wire.ask("GET /a", Self.wrong), try wire.ask("GET /a"),
                    try wire.ask("GET /a", Self.right), try wire.ask("GET /a"),
                ]
            }
            #expect(got.map(\.status) == [401, 499, 499, 200, 499])
            let realms = got.map { $0.values("WWW-Authenticate").first }
            #expect(
                realms == [
                    "Basic realm=\"one\"", "Basic realm=\"two\"", "Basic realm=\"two\"", nil, "Basic realm=\"two\"",
                ])
            #expect(
                got[0].contains("Set-Cookie: a=1\r\nWWW-Authenticate: Basic realm=\"one\"\r\nContent-Length: 5\r\n"))
            #expect(got[0].hasSuffix("first"))
        }
    }

    @Test func `the realm of a nonce's own challenge is right whatever came after it`() async throws {
        let text = """
            summary: guarded
            guards: { lab: { users: { user: pass }, schemes: [digest], realm: [one, two, three] } }
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
            """
        try await withRun(text) { run in
            let statuses = try await talk(to: run.base) { wire in
                let replies = try (0..<3).map { _ in try wire.ask("GET /a") }
                let right = try replies.map { try wire.ask("GET /a", try DigestClient().answer($0, "GET /a")).status }
                let other = try DigestClient().answer(replies[0], "GET /a", count: 2, realm: "two")
                let unheard = try DigestClient().answer(replies[0], "GET /a", count: 3, realm: "four")
                return right + [try wire.ask("GET /a", other).status, try wire.ask("GET /a", unheard).status]
            }
            #expect(statuses == [200, 200, 200, 401, 401])
            let kinds = run.journal.verdicts.suffix(2).map { $0.faults.map(\.kind) }
            #expect(kinds[0].contains(.nonceOfAnotherRealm), "\(kinds)")
            #expect(kinds[1].contains(.wrongRealm), "\(kinds)")
        }
    }

    @Test func `the server gives up after so many wrong ones and takes a right one still`() async throws {
        try await withRun(yaml("gives-up: { after: 2, reply: { body: enough } }")) { run in
            let got = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a"), try wire.ask("GET /a", Self.wrong), try wire.ask("GET /a", Self.wrong),
                    try wire.ask("GET /a", Self.wrong), try wire.ask("GET /a", Self.wrong),
                    try wire.ask("GET /a", Self.right), try wire.ask("GET /a"),
                ]
            }
            #expect(got.map(\.status) == [401, 401, 401, 403, 403, 200, 401])
            #expect(got[3].hasSuffix("\r\n\r\nenough"))
            #expect(got[3].values("WWW-Authenticate").isEmpty)
            #expect(
                run.journal.verdicts.map(\.outcome) == [
                    .challenged, .refused, .refused, .gaveUp, .gaveUp, .admitted, .challenged,
                ])
        }
    }

    @Test func `a refusal of ours says what is wrong, and puts a name that is none in quotes`() async throws {
        let text = """
            summary: guarded
            auth: { users: { user: pass }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
            """
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in
                let fields = ["X: y", Self.wrong, "Authorization: Basic bm9ib2R5OnBhc3M=", "Authorization: Unheard x"]
                return try fields.map { try wire.ask("GET /a", $0) }
            }
            #expect(got.map(\.status) == [401, 401, 401, 401])
            #expect(
                got.map { $0.components(separatedBy: "\r\n\r\n")[1] } == [
                    "the guard \"all exchanges\" asks for credentials\n",
                    "the guard \"all exchanges\" refuses this credential: wrong-password\n",
                    "the guard \"all exchanges\" refuses this credential: unknown-user\n",
                    "the guard \"all exchanges\" refuses this credential: wrong-scheme\n",
                ])
            let timeline = "\(WireTimeline(run.journal.snapshot().entries))"
            #expect(timeline.contains("guard \"all exchanges\" asks for Authorization"), "\(timeline)")
        }
    }

    @Test func `two guards ask one after the other`() async throws {
        let text = """
            summary: a proxy and an origin ask
            guards:
              gate: { proxy: true, users: { p: q }, schemes: [basic] }
              lab: { users: { user: pass }, schemes: [digest: { info: rspauth }] }
            auth: [gate, lab]
            exchanges: [{ request: GET /a, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }]
            """
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in
                let gate = "Proxy-Authorization: Basic cDpx"
                let first = try wire.ask("GET /a")
                let second = try wire.ask("GET /a", gate)
                let answer = try DigestClient().answer(second, "GET /a")
                return [first, second, try wire.ask("GET /a", answer), try wire.ask("GET /a", gate, answer)]
            }
            #expect(got.map(\.status) == [407, 401, 407, 200])
            #expect(got[0].values("Proxy-Authenticate") == ["Basic realm=\"gate\""])
            #expect(got[0].values("WWW-Authenticate").isEmpty)
            #expect(got[1].values("Proxy-Authenticate").isEmpty)
            #expect(got[3].values("Authentication-Info").count == 1)
            #expect(got[3].hasSuffix("one"))
            #expect(
                run.journal.verdicts.map { "\($0.guardName) \($0.outcome)" } == [
                    "gate challenged", "gate admitted", "lab challenged", "gate challenged", "gate admitted",
                    "lab admitted",
                ])
        }
    }

    @Test(arguments: ["lines", "one-line"])
    func `schemes are offered in their order, in one field or several`(layout: String) async throws {
        let schemes = """
            [ verbatim: 'Unheard a="b"', digest: { nonce: { fixed: "q\\"n" }, domain: ["/a", "{{base}}/b"], opaque: o,
              says: { qop: auth, nonce: null, extra: '"x"' } }, basic: { says: { realm: null } }, verbatim: "" ]
            """
        let text = """
            summary: guarded
            guards: { lab: { users: { user: pass }, layout: \(layout), schemes: \(schemes) } }
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in [try wire.ask("GET /a"), try wire.ask("GET /a")] }
            let wanted = [
                "Unheard a=\"b\"",
                "Digest realm=\"lab\", domain=\"/a \(run.base)/b\", opaque=\"o\", algorithm=MD5, qop=auth, extra=\"x\"",
                "Basic", "",
            ]
            for reply in got {
                #expect(
                    reply.values("WWW-Authenticate")
                        == (layout == "lines" ? wanted : [wanted.joined(separator: ", ")]))
            }
        }
    }

    @Test func `a strict sequence waits while a guard refuses`() async throws {
        let text = """
            summary: guarded
            sequence: strict
            guards: { lab: { users: { user: pass }, schemes: [basic] } }
            exchanges:
              - { request: GET /a, auth: lab, reply: { status: 200, body: one } }
              - { request: GET /b, reply: { status: 200, body: two } }
            """
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a"), try wire.ask("GET /b"), try wire.ask("GET /a", Self.right),
                    try wire.ask("GET /b"), try wire.ask("GET /a"),
                ]
            }
            #expect(got.map(\.status) == [401, 404, 200, 200, 404])
        }
    }

    @Test func `a reset gives back turns, failures and nonces`() async throws {
        try await withRun(yaml("gives-up: { after: 1 }, realm: [one, two]")) { run in
            let rounds = try await talk(to: run.base) { wire in
                try (0..<2).map { _ in
                    run.reset()
                    return [
                        try wire.ask("GET /a"), try wire.ask("GET /a", Self.wrong), try wire.ask("GET /a", Self.wrong),
                    ]
                }
            }
            #expect(rounds[0] == rounds[1])
            #expect(rounds[0].map(\.status) == [401, 401, 403])
            #expect(run.journal.verdicts.map(\.attempt) == [0, 1, 2])
        }
    }

    @Test func `a standing mount begins anew when a negotiation has ended`() async throws {
        let scenario = try scenario(yaml("gives-up: { after: 1 }, realm: [one, two]"), id: "auth/one")
        try await withServer([scenario]) { server in
            let rounds = try await talk(to: server.base) { wire in
                try (0..<2).map { _ in
                    [
                        try wire.ask("GET /auth/one/a"), try wire.ask("GET /auth/one/a", Self.wrong),
                        try wire.ask("GET /auth/one/a", Self.right),
                        try wire.ask("GET /auth/one/a", Self.wrong), try wire.ask("GET /auth/one/a", Self.wrong),
                    ]
                }
            }
            #expect(rounds[0] == rounds[1])
            #expect(rounds[0].map(\.status) == [401, 401, 200, 401, 403])
        }
    }

    @Test func `below a mount the uri of Digest is the whole target`() async throws {
        let text = """
            summary: guarded
            guards: { lab: { users: { user: pass }, schemes: [digest] } }
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """
        try await withServer([try scenario(text, id: "auth/one")]) { server in
            let statuses = try await talk(to: server.base) { wire in
                let first = try wire.ask("GET /auth/one/a")
                let short = try DigestClient().answer(first, "GET /a", count: 2)
                let whole = try DigestClient().answer(first, "GET /auth/one/a")
                return [
                    try wire.ask("GET /auth/one/a", short).status, try wire.ask("GET /auth/one/a", whole).status,
                ]
            }
            #expect(statuses == [401, 200])
        }
    }
}
