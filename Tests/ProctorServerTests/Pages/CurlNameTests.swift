import ProctorServer
import Testing

/// The lines to copy of cases whose hosts have names, and of those that keep cookies.
struct CurlNameTests {
    private func lines(_ text: String) async throws -> [String] {
        try await withServer([try scenario(text, id: "host/one")]) { server in
            let page = try await exchange(.request("GET /host/one", "Connection: close"), with: server.base).text
            return page.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains("curl -i") }
                .map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
        }
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
