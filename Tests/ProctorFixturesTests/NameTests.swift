import ProctorBase
import ProctorProgram
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What is read of names, proxies and cookies, and what a client is then told.
struct NameReadingTests {
    private func origins(_ text: String) throws -> [Origin] {
        try load(
            "summary: s\norigins: { \(text) }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
        ).origins
    }

    @Test func `hosts, ports and transports are read`() throws {
        let origins = try origins(
            """
            main: { host: HOME.Example.org }, alt: { host: home.example.org, port: 8080 },
            secure: { scheme: https, host: home.example.org }, second: { host: other-address }, six: { host: ipv6 },
            near: { host: localhost }, plain: { host: address }, socket: { host: s.test, transport: unix }, p: { role: proxy }
            """)
        #expect(
            origins.map(\.host) == [
                .name("home.example.org"), .name("home.example.org"), .name("home.example.org"), .otherAddress, .ipv6,
                .localhost, .address, .name("s.test"), .address,
            ])
        #expect(origins.map(\.port) == [nil, 8080, nil, nil, nil, nil, nil, nil, nil])
        #expect(origins.map(\.namedPort).prefix(3) == [80, 8080, 443])
        #expect(origins.map(\.transport).filter { $0 == .unix }.count == 1 && origins[7].transport == .unix)
        #expect(
            origins.map { $0.authority(at: "127.0.0.1:4711") } == [
                "home.example.org", "home.example.org:8080", "home.example.org", "127.0.0.1:4711", "127.0.0.1:4711",
                "localhost:4711", "127.0.0.1:4711", "s.test", "127.0.0.1:4711",
            ])
    }

    @Test(arguments: [
        "example.org", "example.com", "example.net", "a.b.example.net", "a.test", "x.example", "y.invalid",
        "z.localhost", "xn--bcher-kva.example.org", "1.2.3.test", "a--b.test",
        String(repeating: "a", count: 63) + ".test", String(repeating: "abcdefgh.", count: 27) + "abcde.test",
    ])
    func `a reserved name is permitted`(name: String) throws {
        #expect(try origins("main: { host: \(name) }")[0].hostName == name)
    }

    @Test(arguments: [
        ("host: home.example.org", "its origin is called home.example.org"),
        ("host: other-address", "its origin has an address of its own"),
        ("host: ipv6", "its origin has an address of IPv6"),
        ("host: localhost", "its origin is called localhost"),
        ("scheme: https, host: home.example.org", "its origin speaks TLS"),
    ])
    func `another host needs a root`(origin: String, reason: String) throws {
        let scenario = try load(
            "summary: s\norigins: { main: { \(origin) } }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n")
        #expect(scenario.rootReason?.text == reason)
    }

    @Test(arguments: [
        (
            "main: { host: home.example.org }, alt: { host: home.example.org, port: 80x }",
            "expected a port as a whole number"
        ),
        ("main: { host: home.example.org }, alt: { host: home.example.org, port: 0 }", "port is 0; permitted is 1"),
        ("main: { host: home.example.org }, alt: { scheme: htps, host: home.example.org }", "unknown scheme"),
        ("main: { port: 99999 }", #""port" is what URLs say behind a name"#),
        ("main: { host: home_.example.org }", #"the label "home_" holds "_""#),
        ("main: { host: home.example.org, port: x }, alt: { host: home.example.org, port: y }", "expected a port"),
    ])
    func `one mistake in what an origin is called is told once`(origins: String, message: String) {
        let (_, diagnostics) = ScenarioLoader.parse(
            Array(
                """
                summary: s
                origins: { \(origins) }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { c: { client: { url: "http://home.example.org/a" }, facts: { wire.count: 1 } } }
                """.utf8), id: "test/one", file: "one.yaml", folder: nil)
        let texts = diagnostics.map { "\($0)" }
        #expect(texts.count == (origins.contains("port: y") ? 2 : 1), "\(texts)")
        #expect(texts.allSatisfy { $0.contains(message) }, "\(texts)")
    }

    @Test func `what a proxy replies is read`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { p: { role: proxy }, home: { host: home.example.org } }
            exchanges:
              - { request: "CONNECT *", origin: p, reply: { status: 200, headers: { Via: 1.1 p }, tunnel: home } }
              - { request: GET http://*, origin: p, reply: [{ status: 503 }, { forward: true }] }
            """)
        guard case .structured(let reply)? = scenario.exchanges[0].replies[0].message,
            case .structured(let other)? = scenario.exchanges[1].replies[0].message,
            case .forward? = scenario.exchanges[1].replies[1].message
        else {
            Issue.record("\(scenario.exchanges)")
            return
        }
        #expect(reply.tunnel == Tunnel(to: 2) && reply.headers.count == 1 && other.tunnel == nil)
    }

    @Test func `demands on cookies and own schemes are read`() throws {
        let cases = try load(
            """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a: { client: { url: /a, session: { scheme: app+1 } }, cookies: conforming }
              b: { client: { url: /a }, cookies: conforming-in-any-order }
              c: { client: { url: /a } }
            """
        ).cases
        #expect(cases.map(\.cookies) == [.conforming, .conformingInAnyOrder, nil])
        #expect(cases.map { $0.client[0].session?.ownScheme } == ["app+1", nil, nil])
    }

    // MARK: Facts

    @Test(arguments: [
        ("tunnels", FactName.tunnelCount), ("wire[2].cookies", .wire(index: 2, .cookieNames)),
        ("wire[0].cookies.a.b", .wire(index: 0, .cookie("a.b"))), ("wire[0].target-form", .wire(index: 0, .targetForm)),
        ("wire[0].authority", .wire(index: 0, .authority)),
    ])
    func `names of facts are read and written`(text: String, name: FactName) throws {
        #expect(try FactName(parsing: text) == name)
        #expect(name.text == text)
    }
}

/// Hosts that a client's URL may spell out, where an origin has a name.
struct NamedURLTests {
    private func mistakes(_ url: String, change: Bool) -> [String] {
        let quoted = url.replacing("\\", with: "\\\\").replacing("\t", with: "\\t")
        let client = change ? "{ url: /, onRedirect: { change: { url: \"\(quoted)\" } } }" : "{ url: \"\(quoted)\" }"
        return messages(
            """
            summary: s
            origins: { main: { host: home.example.org }, p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: \(client) } }
            """)
    }

    @Test(arguments: [
        "http://home.example.org", "http://HOME.Example.org:80/a", "https://home.example.org./",
        "HTTP://user:secret@home.example.org/?q#f", "http://bücher.example.org/", "http://BÜCHER.example.org/",
        "http://nobody.example.com/", "http://a.test?q", "http://a.example#f", "http://a.invalid/",
        "http://a.localhost/",
        "http://home.example.org:/", "http://home.example.org:99999/", "http://home.example.org:0x50/",
        "http://home.example.org\\a", "http://home.example.org/@apple.com", "http://home.example.org?@apple.com",
        "http://h%6Fme.example.org/", "http://home%2Eexample%2eorg/", "http://home。example。org/",
        "http://.example.org/", "http://_a.example.org/", "http://home.example.org/{{now}}",
        "http://home.example.org/\t/a", "http://@home.example.org/", "http://{{authority}}/", "/",
    ])
    func `reserved names are permitted, declared or not`(url: String) {
        #expect(mistakes(url, change: false) == [])
        #expect(mistakes(url, change: true) == [])
    }

    @Test(arguments: [
        "http://apple.com/", "http://org/", "http://test/", "http://localhost/", "http://127.0.0.1/", "http://[::1]/",
        "http://home.example.org.apple.com/", "http://home.example.orgs/", "http://example.org@apple.com/",
        "http://a@b@home.example.org/", "http://home.example.org\\@apple.com/", "http://home.example.org:80@apple.com/",
        "http://apple.com\\.example.org/", "http://apple.com%2F.example.org/", "http://apple.com%00.example.org/",
        "http://apple.com%23.example.org/", "http://apple.com%.example.org/", "http://apple.com%zz.example.org/",
        "http://ho\tme.example.org/", "http://ho me.example.org/", "http://home.example.org{{authority}}/",
        "http://home.example.org\\{{authority}}/", "http://home.example.org:{{now}}/", "http://home.example.org:1.2/",
        "http://apple.com:80:home.example.org/", "//home.example.org/", "http://home.example.org\u{2028}.test/",
        "http://", "http://%FF.example.org/", "{{base}}.example.org/",
    ])
    func `a host that may exist is refused, in whatever way it is read`(url: String) {
        #expect(mistakes(url, change: false).count == 1)
        #expect(mistakes(url, change: true).count == 1)
    }
}

/// URLs of clients that are put together of a host and a port.
struct HostURLTests {
    private func yaml(_ url: String) -> String {
        """
        summary: s
        origins: { other: {} }
        exchanges: [{ request: GET /a, reply: { status: 200 } }, { request: GET /a, origin: other, reply: { status: 200 } }]
        cases:
          get: { client: { url: "\(url)" }, wire: request(GET /a) }
        """
    }

    @Test(arguments: [
        "http://{{host}}:{{port}}/a", "http://{{host.other}}:{{port.other}}", "http://{{host}}:80/a",
        "http://{{host}}/a",
        "http://user@{{host.other}}:{{port.other}}/a",
    ])
    func `one that leads to this machine is taken`(_ url: String) {
        #expect(messages(yaml(url)) == [])
    }

    @Test(arguments: [
        "http://{{host}}.example.com/a", "http://{{host}}:{{port}}@example.com/a", "http://{{host}}:80@example.com/a",
        "http://{{host}}:{{port}}.example.com/", "http://{{host}}:{{host}}/a", "http://{{port}}/a",
    ])
    func `one that may lead elsewhere is not`(_ url: String) {
        #expect(messages(yaml(url)).count == 1)
    }
}

/// RFC 3492 §7.1, as far as the samples are labels in lower case, and IDNs that are known.
struct ALabelTests {
    @Test(arguments: [
        ("bücher", "xn--bcher-kva"), ("Bücher", "xn--bcher-kva"), ("münchen", "xn--mnchen-3ya"),
        ("faß", "xn--fa-hia"), ("例え", "xn--r8jz45g"), ("中文", "xn--fiq228c"), ("правда", "xn--80aafi6cg"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("αβγ", "xn--mxacd"), ("ü", "xn--tda"), ("a-ü", "xn--a--yka"),
    ])
    func `a label has its A-label`(label: String, aLabel: String) {
        #expect(ALabel.encode(label) == aLabel)
    }

    @Test(arguments: ["bu\u{308}cher", "a b", "☃", "ａ", "a.ü", String(repeating: "ü", count: 64)])
    func `what needs more than lower case has none`(label: String) {
        #expect(ALabel.encode(label) == nil)
    }
}

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
