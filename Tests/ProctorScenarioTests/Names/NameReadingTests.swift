import ProctorBase
import ProctorScenario
import Testing

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
    func `a name that nobody has is permitted`(name: String) throws {
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
        #expect(reply.tunnel == 2 && reply.headers.count == 1 && other.tunnel == nil)
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
        #expect(cases.map { $0.client[0].session?.scheme } == ["app+1", nil, nil])
    }

    @Test func `a demand on cookies pins an edition and says what the order weighs`() throws {
        let rows: [(String, Case.CookieDemand)] = [
            ("conforming: any", Case.CookieDemand()), ("conforming: rfc6265", Case.CookieDemand(edition: .rfc6265)),
            ("conforming: rfc6265bis", Case.CookieDemand(edition: .rfc6265bis)),
            ("conforming: any, order: required", Case.CookieDemand(order: .required)),
            ("order: recommended, conforming: any", .conforming),
            ("conforming: any, order: any", .conformingInAnyOrder),
            ("conforming: rfc6265bis, order: any", Case.CookieDemand(edition: .rfc6265bis, order: .any)),
        ]
        for (text, demand) in rows {
            let cases = try load(
                """
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, cookies: { \(text) } } }
                """
            ).cases
            #expect(cases.map(\.cookies) == [demand], "\(text)")
        }
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
