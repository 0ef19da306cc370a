import ProctorBase
import ProctorHTTP
import ProctorScenario
import Testing

struct GuardReadingTests {
    /// The only guard of a scenario with one exchange.
    private func readGuard(_ yaml: String) throws -> Guard {
        let scenario = try load(
            """
            summary: s
            guards: { lab: \(yaml) }
            exchanges: [{ request: GET /a, auth: lab, reply: { status: 200 } }]
            """)
        return try #require(scenario.guards.first)
    }

    @Test func `a guard of one scheme has a default for everything else`() throws {
        let lab = try readGuard("{ users: { user: pass }, schemes: [basic] }")
        #expect(lab.index == 0 && lab.name == "lab" && lab.realms == ["lab"])
        #expect(!lab.isProxy && lab.layout == .lines && lab.refusals.isEmpty && lab.end == nil)
        #expect(lab.accounts == [Guard.Account(user: "user", password: "pass")] && lab.tokens == [])
        #expect(lab.schemes.count == 1 && lab.schemes[0].basic == Guard.BasicOffer())
        #expect(lab.location.line == 2 && lab.location.column == 16)
    }

    @Test func `every key of a guard is read`() throws {
        let lab = try readGuard(
            """
            { realm: [one, "", 'th"ree'], proxy: true, layout: one-line, schemes: [bearer, basic],
              users: { "": "", "Jäsøn Doe": "Secret, or not?", 12: "a:b:c" },
              tokens: [abc, { token: a-._~+/1==, scope: "read write", expired: true }, { token: d, scope: [read, x y] }],
              refuse: [{}, { status: 418, headers: { A: "{{base}}" }, body: no }, { effects: [{ at: end, do: close }] }],
              gives-up: { after: 3, reply: { body: enough } } }
            """)
        #expect(lab.realms == ["one", "", #"th"ree"#])
        #expect(lab.isProxy && lab.layout == .oneLine)
        #expect(
            lab.accounts == [
                Guard.Account(user: "", password: ""),
                Guard.Account(user: "Jäsøn Doe", password: "Secret, or not?"),
                Guard.Account(user: "12", password: "a:b:c"),
            ])
        #expect(
            lab.tokens == [
                Guard.Token(text: "abc"),
                Guard.Token(text: "a-._~+/1==", scopes: ["read", "write"], isExpired: true),
                Guard.Token(text: "d", scopes: ["read", "x", "y"]),
            ])
        #expect(try lab.refusals.map { try $0.structured.status } == [407, 418, 407])
        #expect(try lab.refusals[1].structured.headers.count == 1 && lab.refusals[1].structured.text == "no")
        #expect(lab.refusals[2].effects.count == 1)
        #expect(lab.end?.failureCount == 3)
        #expect(try lab.end?.reply?.structured.status == 403 && lab.end?.reply?.structured.text == "enough")
    }

    @Test func `a refusal of a server is a 401, and the end of all may be raw`() throws {
        let lab = try readGuard(
            "{ users: { u: p }, schemes: [basic], refuse: { body: no }, gives-up: { after: 0, reply: { raw: x } } }")
        #expect(try lab.refusals.map { try $0.structured.status } == [401])
        guard case .raw(let pieces)? = lab.end?.reply?.message, case .bytes(let bytes)? = pieces.first else {
            Issue.record("the end is not raw")
            return
        }
        #expect(pieces.count == 1 && bytes.literalBytes == "x".bytes && lab.end?.failureCount == 0)
        #expect(try readGuard("{ users: { u: p }, schemes: [basic], gives-up: { after: 2 } }").end?.reply == nil)
    }

    @Test func `every scheme is read, in the order of the offer`() throws {
        let lab = try readGuard(
            """
            { users: { u: p }, tokens: { token: T, scope: a b },
              schemes: [{ verbatim: "" }, { ntlm: { offer-only: [TlRM, AA==] } },
              { negotiate: { offer-only: [] } }, bearer, { bearer: { scope: "a b", in: [query, form], says: { realm: null } } },
              { basic: }, { basic: { charset: UTF-8, says: { realm: null, REALM: '"x"', new: 5 } } },
              { verbatim: 'Unheard a="b", {{c' }, digest] }
            """)
        let schemes = lab.schemes
        #expect(schemes.map(\.verbatim) == ["", nil, nil, nil, nil, nil, nil, #"Unheard a="b", {{c"#, nil])
        #expect(
            schemes.compactMap(\.messages) == [
                Guard.MessageOffer(scheme: "NTLM", tokens: ["TlRM", "AA=="]),
                Guard.MessageOffer(scheme: "Negotiate", tokens: []),
            ])
        #expect(
            schemes.compactMap(\.bearer) == [
                Guard.BearerOffer(),
                Guard.BearerOffer(
                    scopes: ["a", "b"], places: [.query, .form], overrides: [.init(name: "realm", raw: nil)]),
            ])
        #expect(
            schemes.compactMap(\.basic) == [
                Guard.BasicOffer(),
                Guard.BasicOffer(
                    charset: "UTF-8",
                    overrides: [
                        .init(name: "realm", raw: nil), .init(name: "REALM", raw: #""x""#),
                        .init(name: "new", raw: "5"),
                    ]),
            ])
        #expect(schemes.compactMap(\.digest) == [Guard.DigestOffer()])
    }

    @Test func `one scheme needs no list`() throws {
        #expect(try readGuard("{ users: { u: p }, schemes: basic }").schemes.compactMap(\.basic).count == 1)
        let digest = try readGuard("{ users: { u: p }, schemes: { digest: { qop: none } } }").schemes.first?.digest
        #expect(digest?.qops == [])
    }
}

extension Guard.Scheme {
    var basic: Guard.BasicOffer? { if case .basic(let offer) = self { offer } else { nil } }
    var digest: Guard.DigestOffer? { if case .digest(let offer) = self { offer } else { nil } }
    var bearer: Guard.BearerOffer? { if case .bearer(let offer) = self { offer } else { nil } }
    var messages: Guard.MessageOffer? { if case .messages(let offer) = self { offer } else { nil } }
    var verbatim: String? { if case .verbatim(let text) = self { text } else { nil } }
}
