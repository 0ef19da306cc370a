import ProctorBase
import ProctorProgram
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What a client is told of names and of a scheme of its own.
struct NameAssignmentTests {
    private func assignment(_ session: String?, context: TemplateContext) throws -> Assignment {
        let scenario = try load(
            """
            summary: s
            origins: { main: { host: home.example.org }, secure: { scheme: https, host: home.example.org }, p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c:
                client:
                  - url: /a?b
                    onRedirect: { change: { url: "HTTP://Other.example.org/x" } }
                    \(session.map { "session: { \($0) }" } ?? "timeout: 1s")
                  - { url: "{{origin.secure}}/", headers: { Referer: "{{base}}/" } }
            """)
        return try #require(scenario.cases.first).assignment(scenario: "s", in: context)
    }

    private static var context: TemplateContext {
        TemplateContext(
            base: "http://home.example.org".bytes,
            authorities: ["home.example.org", "home.example.org", "127.0.0.1:9"].map(\.bytes),
            schemes: [.http, .https, .http],
            names: [
                Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:1"),
                Assignment.NamedHost(name: "home.example.org", port: 443, address: "unix:/tmp/x"),
            ], namesProxy: "127.0.0.1:2")
    }

    @Test(arguments: [nil, "cookies: never", "proxy: p"])
    func `the client gets the names with every session set-up`(session: String?) throws {
        let told = try assignment(session, context: Self.context)
        #expect(told.session.names == Self.context.names && told.session.namesProxy == "127.0.0.1:2")
        #expect(told.session.proxy == (session == "proxy: p" ? "127.0.0.1:9" : nil))
        #expect(told.session.ownScheme == nil)
        #expect(told.steps.map(\.url) == ["http://home.example.org/a?b", "https://home.example.org/"])
    }

    @Test func `without names the assignment has none`() throws {
        let plain = TemplateContext(base: "http://127.0.0.1:1".bytes, authorities: ["127.0.0.1:1".bytes])
        let told = try assignment(nil, context: plain)
        #expect(told.session.names == nil && told.session.namesProxy == nil)
    }

    @Test func `a scheme of one's own stands in the URLs of steps and of changes, and nowhere else`() throws {
        let told = try assignment("scheme: app", context: Self.context)
        #expect(told.session.ownScheme == "app")
        #expect(told.steps.map(\.url) == ["app://home.example.org/a?b", "https://home.example.org/"])
        #expect(told.steps[0].onRedirect == [.change(method: nil, url: "app://Other.example.org/x", headers: [])])
        #expect(told.steps[1].headers == [["Referer", "http://home.example.org/"]])
        #expect(told.base == "http://home.example.org")
    }

    @Test func `a scripted redirect may spell out a name that is kept, and no other host`() throws {
        let text = """
            summary: s
            origins: { main: { host: home.example.org } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect HTTP://Home.example.org:80/b, finish] } } }
            """
        let made = try #require(try load(text).cases.first).assignment(scenario: "s", in: Self.context)
        #expect(made.steps[0].protocolScript?.first?.argument == "HTTP://Home.example.org:80/b")
        let found = try #require(messages(text.replacing("Home.example.org", with: "apple.com")).first)
        #expect(found.contains("is not on this machine"), "\(found)")
    }

    @Test func `names survive the way through JSON`() throws {
        let told = try assignment("scheme: app", context: Self.context)
        let line = String(decoding: told.json, as: UTF8.self)
        #expect(
            line.contains(
                #""names":[{"name":"home.example.org","port":80,"address":"127.0.0.1:1"},{"name":"home.example.org","port":443,"address":"unix:/tmp/x"}],"namesProxy":"127.0.0.1:2","ownScheme":"app""#
            ))
    }
}
