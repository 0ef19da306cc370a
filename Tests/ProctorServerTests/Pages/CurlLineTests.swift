import ProctorServer
import ProctorTestWire
import Testing

/// The lines to copy of cases that answer challenges.
struct CurlCredentialTests {
    private func lines(_ rules: String, _ client: String, origins: String = "{ main: {} }") async throws -> [String] {
        let text = """
            summary: guarded
            origins: \(origins)
            \(rules)
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { one: { client: { url: /a, \(client) }, wire: any } }
            """.replacing("wire: any", with: "wire: request(GET /a)")
        return try await page(text) { $0.contains("curl -i") }
    }

    private func page(_ text: String, _ isWanted: @Sendable (String) -> Bool) async throws -> [String] {
        try await pageLines(of: "auth/one", text, isWanted)
    }

    private static let use = "onChallenge: { use: { user: user, password: \"it's\" } }"

    @Test(arguments: [
        ("basic", "--anyauth"), ("digest", "--digest"), ("basic, digest: {}", "--anyauth"),
        ("basic, verbatim: Other", "--anyauth"),
    ])
    func `a line says the scheme that the guard takes`(schemes: String, option: String) async throws {
        let rules = "guards: { lab: { users: { user: pass }, schemes: [\(schemes)] } }\nauth: lab"
        let found = try await lines(rules, Self.use)
        #expect(found == ["curl -i -L \(option) --user 'user:it'\\''s' http://a/auth/one/a"])
    }

    @Test func `a token is a field, and a case that answers nothing says nothing`() async throws {
        let rules = "guards: { lab: { tokens: [T], schemes: [bearer: {}] } }\nauth: lab"
        let found = try await lines(rules, "onChallenge: { use: { token: T } }")
        #expect(found == ["curl -i -L -H 'Authorization: Bearer T' http://a/auth/one/a"])
        let silent = try await lines(rules, "onChallenge: cancel")
        #expect(silent == ["curl -i -L http://a/auth/one/a"])
    }

    @Test func `two guards of one place take one answer, those of two places take two`() async throws {
        let rules = """
            guards:
              gate: { proxy: true, users: { p: q }, schemes: [digest] }
              lab: { users: { user: pass }, schemes: [basic] }
            auth: [gate, lab]
            """
        let found = try await lines(
            rules, "onChallenge: [{ use: { user: p, password: q } }, { use: { user: user, password: pass } }]")
        #expect(found == ["curl -i -L --proxy-digest --proxy-user p:q --anyauth --user user:pass http://a/auth/one/a"])
    }

    @Test func `a proxy of the scenario is named where it stands`() async throws {
        let rules = "guards: { gate: { proxy: true, users: { p: q }, schemes: [basic] } }\nauth: gate"
        let found = try await lines(
            rules, "session: { proxy: p }, onChallenge: { use: { user: p, password: q } }",
            origins: "{ main: {}, p: { role: proxy } }")
        let line = try #require(found.first)
        let pattern =
            /curl -i -L --proxy http:\/\/([0-9.]+:[0-9]+) --proxy-anyauth --proxy-user p:q http:\/\/([0-9.]+:[0-9]+)\/a/
        let match = try #require(line.wholeMatch(of: pattern), "\(line)")
        #expect(match.1 != match.2)
    }

    private func notes(_ rules: String, _ client: String) async throws -> [String] {
        let text = """
            summary: guarded
            \(rules)
            exchanges: [{ request: "GET|POST /a", reply: { status: 200 } }]
            cases: { one: { client: \(client) } }
            """
        return try await page(text) { $0.contains("(not quite") }
    }

    private static let digest =
        "guards: { lab: { users: { \"a:b\": c }, schemes: [digest: { qop: auth-int }] } }\nauth: lab"

    @Test(arguments: [
        (
            "{ url: /a, method: POST, body: x, onChallenge: { use: { user: u, password: p } } }",
            "curl hashes an empty content for auth-int"
        ),
        (
            "{ url: /a, onChallenge: { use: { user: \"a:b\", password: c } } }",
            "curl parts user and password at the first colon"
        ),
        ("{ url: /a, onChallenge: { use: \"u:p\" }, answerAfter: 10ms }", "curl answers at once"),
        ("{ url: /a, onChallenge: [{ use: \"u:p\" }, { use: \"u:q\" }] }", "curl gives one answer to every challenge"),
        ("{ url: /a, onChallenge: cancel }", "curl can't cancel at a challenge, and takes its response"),
        ("{ url: /a, onChallenge: reject }", "curl can't reject a challenge, and takes its response"),
        ("{ url: /a, onChallenge: use-none }", "curl isn't asked, and takes the response of the challenge"),
        (
            "[{ url: /a, onChallenge: { use: \"u:p\", persistence: session } }, { url: /a, onChallenge: cancel }]",
            "curl has to be asked again in each step"
        ),
    ])
    func `what curl can't do is said`(client: String, reason: String) async throws {
        let found = try await notes(Self.digest, client)
        #expect(found == ["(not quite: \(reason))"])
    }

    @Test func `a credential of the URL waits to be asked, by the scheme of the guard`() async throws {
        let text = """
            summary: guarded
            guards: { lab: { users: { u: p }, schemes: [digest] } }
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { one: { client: { url: "http://u:p@{{authority}}/a", onChallenge: default } } }
            """
        let found = try await page(text) { $0.contains("curl -i") }
        #expect(found.count == 1 && found[0].hasPrefix("curl -i -L --digest http://u:p@"))
    }

    @Test func `a step says the proxy and what is remembered again, in the same curl`() async throws {
        let rules = "guards: { gate: { proxy: true, users: { p: q }, schemes: [basic] } }\nauth: gate"
        let text = """
            summary: guarded
            origins: { main: { role: proxy } }
            \(rules)
            exchanges: [{ request: "GET http://one.test/a", reply: { status: 200 } }]
            cases:
              one:
                client:
                  - url: http://one.test/a
                    session: { proxy: main }
                    onChallenge: { use: "p:q", persistence: session }
                  - { url: http://one.test/a, onChallenge: cancel }
            """
        let found = try await page(text) { $0.contains("curl -i") || $0.contains("not quite") }
        let pattern =
            /curl -i -L --proxy (\S+) --proxy-anyauth --proxy-user p:q http:\/\/one.test\/a --next -i -L --proxy (\S+) --proxy-basic --proxy-user p:q http:\/\/one.test\/a/
        let match = try #require(found.first?.wholeMatch(of: pattern), "\(found)")
        #expect(match.1 == match.2 && found.count == 1)
    }

    @Test func `a redirect to another origin that asks takes the credential along`() async throws {
        let text = """
            summary: guarded
            origins: { other: {} }
            guards: { lab: { users: { u: p }, schemes: [basic] } }
            exchanges:
              - { request: GET /a, reply: { status: 302, headers: { Location: "{{origin.other}}/b" } } }
              - { request: GET /b, origin: other, auth: lab, reply: { status: 200 } }
            cases: { one: { client: { url: /a, onChallenge: { use: "u:p" } } } }
            """
        let found = try await page(text) { $0.contains("curl -i") }
        #expect(found.count == 1 && found[0].hasPrefix("curl -i --location-trusted --anyauth --user u:p http://"))
    }
}

/// The lines to copy of cases whose hosts have names, and of those that keep cookies.
struct CurlNameTests {
    private func lines(_ text: String) async throws -> [String] {
        try await pageLines(of: "host/one", text) { $0.contains("curl -i") }
    }

    @Test func `a name is reached through the front door, as a proxy`() async throws {
        let found = try await lines(
            """
            summary: named
            origins: { main: { host: home.example.org } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { one: { client: { url: /a }, wire: request(GET /a) } }
            """)
        let line = try #require(found.first)
        #expect(line.hasPrefix("curl -i -L --proxy http://127."), "\(line)")
        #expect(line.hasSuffix(" http://home.example.org/a"))
    }

    @Test func `steps that keep cookies say so, and those of a session without cookies don't`() async throws {
        let text = """
            summary: cookies
            exchanges:
              - { request: GET /set, reply: { status: 200, headers: { Set-Cookie: a=b } } }
              - { request: GET /ask, reply: { status: 200 } }
            cases:
              one: { client: [{ url: /set SESSION }, { url: /ask }], wire: request(GET /set) request(GET /ask) }
            """
        let keeping = try await lines(text.replacing(" SESSION", with: ""))
        #expect(
            keeping == ["curl -i -L --cookie '' http://a/host/one/set --next -i -L --cookie '' http://a/host/one/ask"])
        let never = try await lines(text.replacing(" SESSION", with: ", session: { cookies: never }"))
        #expect(never == ["curl -i -L http://a/host/one/set --next -i -L http://a/host/one/ask"])
    }

    @Test func `blanks before a path stand before the whole URL`() async throws {
        let found = try await lines(
            """
            summary: blanks
            exchanges: [{ request: "GET /*", reply: { status: 200 } }]
            cases: { one: { client: { url: "  /a" } } }
            """)
        #expect(found == ["curl -i -L '  http://a/host/one/a'"])
    }

    @Test func `a text in the place of a URL is no path of the scenario`() async throws {
        let found = try await lines(
            """
            summary: verbatim
            exchanges: [{ request: "GET /*", reply: { status: 200 } }]
            cases: { one: { client: { url: { verbatim: /a } }, task: complete(error) } }
            """)
        #expect(found == ["curl -i -L /a"])
    }

    @Test func `brackets in a URL are no pattern`() async throws {
        let found = try await lines(
            """
            summary: brackets
            exchanges: [{ request: "GET /a?b[]=c", reply: { status: 200 } }]
            cases: { one: { client: { url: "/a?b[]=c" }, wire: "request(GET /a?b[]=c)" } }
            """)
        #expect(found == ["curl -i -L --globoff 'http://a/host/one/a?b[]=c'"])
    }
}

/// Lines of the page of a scenario, without their indentation.
private func pageLines(
    of id: String, _ text: String, _ isWanted: @Sendable (String) -> Bool
) async throws -> [String] {
    try await withServer([try scenario(text, id: id)]) { server in
        let page = try await exchange(.request("GET /\(id)", "Connection: close"), with: server.base).text
        return page.split(whereSeparator: \.isNewline).map(String.init).filter(isWanted)
            .map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
    }
}
