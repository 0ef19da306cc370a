import ProctorBase
import ProctorHTTP
import ProctorJournal
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct GuardReadingTests {
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

    @Test func `NTLM is verified unless it is offered only`() throws {
        let lab = try readGuard(
            """
            { users: { u: p }, schemes: [ntlm, { ntlm: { offer-only: [] } }, { ntlm: { target: "Süd" } },
              { ntlm: { challenge: 0123456789abcdEF, time: true, spelled: nTlM } }] }
            """)
        #expect(lab.schemes.compactMap(\.messages) == [Guard.MessageOffer(scheme: "NTLM", tokens: [])])
        #expect(
            lab.schemes.compactMap(\.ntlm) == [
                Guard.NTLMOffer(), Guard.NTLMOffer(target: "Süd"),
                Guard.NTLMOffer(
                    nonce: [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF], namesTime: true, spelling: "nTlM"),
            ])
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
    var ntlm: Guard.NTLMOffer? { if case .ntlm(let offer) = self { offer } else { nil } }
    var verbatim: String? { if case .verbatim(let text) = self { text } else { nil } }
}

struct DigestReadingTests {
    private func offer(_ yaml: String) throws -> Guard.DigestOffer {
        let scenario = try load(
            """
            summary: s
            auth: { users: { u: p }, schemes: [{ digest: \(yaml) }] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """)
        return try #require(scenario.guards.first?.schemes.first?.digest)
    }

    @Test func `every algorithm has its registered name, and null names none`() throws {
        for algorithm in DigestAlgorithm.allCases {
            #expect(try offer("{ algorithm: \(algorithm.rawValue) }").algorithm == algorithm)
        }
        #expect(try offer("{ algorithm: null }").algorithm == nil)
        #expect(try offer("{ algorithm: }").algorithm == nil)
        #expect(try offer("{}").algorithm == .md5)
    }

    @Test func `qop is one, both in their order, or none`() throws {
        #expect(try offer("{}").qops == [.authentication])
        #expect(try offer("{ qop: auth-int }").qops == [.integrity])
        #expect(try offer("{ qop: [auth-int, auth] }").qops == [.integrity, .authentication])
        #expect(try offer("{ qop: none }").qops == [])
    }

    @Test func `the parameters of the challenge are read`() throws {
        let offer = try offer(
            """
            { opaque: "", userhash: false, charset: UTF-8, domain: ["{{base}}/a", http://other.test/],
              says: { qop: auth, algorithm: '"MD5"', nonce: null, extra: '"x"' } }
            """)
        #expect(offer.opaque == "" && offer.userhash == false && offer.charset == "UTF-8")
        #expect(
            offer.domain == [
                Template(parts: [.base, .literal("/a".bytes)]), Template(parts: [.literal("http://other.test/".bytes)]),
            ])
        #expect(
            offer.overrides == [
                .init(name: "qop", raw: "auth"), .init(name: "algorithm", raw: #""MD5""#),
                .init(name: "nonce", raw: nil), .init(name: "extra", raw: #""x""#),
            ])
        let plain = try self.offer("{}")
        #expect(plain.opaque == nil && plain.userhash == nil && plain.charset == nil && plain.domain == [])
        #expect(try self.offer("{ domain: '{{base}}/a' }").domain.count == 1)
    }

    @Test func `nonces are random, fixed or of a seed`() throws {
        #expect(try offer("{}").nonces == .init())
        #expect(try offer("{ nonce: random, nonce-count: any }").nonces == .init())
        #expect(try offer("{ nonce: fixed }").nonces.source == .fixed("proctor-fixed-nonce"))
        #expect(try offer("{ nonce: { fixed: 'a b' } }").nonces.source == .fixed("a b"))
        #expect(
            try offer("{ nonce: { seed: 9223372036854775807 }, uses: 1, lifetime: 1.5s, nonce-count: gapless }").nonces
                == .init(
                    source: .seed(9_223_372_036_854_775_807), uses: [1], lifetime: .milliseconds(1500), isGapless: true)
        )
    }

    @Test func `info is a proof, a wrong one, the next nonce, or several`() throws {
        #expect(try offer("{}").info == .init())
        #expect(try offer("{ info: rspauth }").info == .init(proof: .right))
        #expect(try offer("{ info: [wrong-rspauth] }").info == .init(proof: .wrong))
        #expect(try offer("{ info: nextnonce }").info == .init(givesNextNonce: true))
        #expect(try offer("{ info: [nextnonce, rspauth] }").info == .init(proof: .right, givesNextNonce: true))
    }
}

struct GuardFactTests {
    private func facts(_ yaml: String) throws -> [Fact] {
        let scenario = try load(
            """
            summary: s
            guards: { lab: { users: { u: p }, schemes: [basic] } }
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: \(yaml) } }
            """)
        return try #require(scenario.cases.first).facts
    }

    @Test func `every name of a fact about guards reads back as it prints`() throws {
        let names: [FactName] =
            FactName.GuardFact.allCases.flatMap { fact -> [FactName] in
                [.guarding(guardName: nil, fact), .guarding(guardName: "exchange 3", fact)]
            } + [
                .wire(index: 0, .guardOutcome), .wire(index: 7, .guardFaults),
                .wire(index: 1, .credentials("scheme", isProxy: false)),
                .wire(index: 2, .credentials("nc", isProxy: true)),
            ]
        for name in names { #expect(try FactName(parsing: name.text) == name) }
        #expect(names.map(\.text).contains("auth[exchange 3].nc"))
        #expect(
            names.suffix(4).map(\.text) == [
                "wire[0].auth", "wire[7].auth.faults", "wire[1].credentials.scheme", "wire[2].proxy-credentials.nc",
            ])
    }

    @Test func `every outcome and every fault is a value`() throws {
        for outcome in GuardVerdict.Outcome.allCases {
            #expect(try facts("{ 'wire[0].auth': \(outcome.rawValue) }").count == 1)
        }
        let kinds = CredentialFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let read = try facts("{ 'wire[0].auth.faults': [\(kinds)], auth.faults: [\(kinds)], 'auth[lab].faults': [] }")
        #expect(
            read.map(\.name) == [
                .wire(index: 0, .guardFaults), .guarding(guardName: nil, .faults), .guarding(guardName: "lab", .faults),
            ])
        for fact in read.dropLast() {
            guard case .list(let items) = fact.expected else {
                Issue.record("\(fact.name.text) is no list")
                continue
            }
            #expect(items.count == CredentialFault.Kind.allCases.count)
        }
    }

    @Test func `counts have bounds, nonce counts are a list, and any parameter may be asked for`() throws {
        let read = try facts(
            """
            { auth.attempts: { min: 1, max: 3 }, auth.failures: 0, auth.challenges: 1, auth.nc: [1, 2], auth.user: "",
              auth.scheme: digest, 'wire[0].auth': null, 'wire[0].auth.faults': wrong-password,
              'wire[1].credentials.username*': null, 'wire[1].proxy-credentials.token68': { same: 'wire[0].credentials.x' } }
            """)
        #expect(read.count == 10)
        #expect(read[0].expected == .range(minimum: 1, maximum: 3))
        #expect(read[9].expected == .same(.wire(index: 0, .credentials("x", isProxy: false))))
    }
}
