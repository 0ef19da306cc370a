import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct ProxyReadingTests {
    private func scenario(_ request: String) throws -> Scenario {
        try load(
            """
            summary: s
            origins: { p: { role: proxy, receive-buffer: 4096, connections: [{ at: accept, do: wait 1ms }] } }
            exchanges: [{ request: "\(request)", origin: p, reply: { status: 200 } }]
            """)
    }

    @Test func `a proxy is an origin with everything a server has`() throws {
        let proxy = try scenario("GET /a").origins[1]
        #expect(proxy.role == .proxy && proxy.receiveBufferByteCount == 4096 && proxy.connectionEffects.count == 1)
    }

    @Test func `its requests are in any form that a proxy gets`() throws {
        func takes(_ request: String, _ target: String) throws -> Bool {
            try scenario(request).exchanges[0].request.target.matches(target.bytes)
        }
        #expect(try takes("GET /a", "/a"))
        #expect(try takes("GET http://example.test/a", "http://example.test/a"))
        #expect(try !takes("GET http://example.test/a", "http://other.test/a"))
        #expect(try takes("GET http://{host}/a", "http://other.test:80/a"))
        #expect(try takes("* *", "example.test:443"))
        #expect(try takes("GET *", "http://example.test/a"))
        #expect(try !takes("OPTIONS *", "http://example.test/a"))
        #expect(try takes("CONNECT *", "example.test:443"))
        #expect(try takes("CONNECT example.test:443", "example.test:443"))
        #expect(try !takes("CONNECT example.test:443", "example.test:80"))
        let captured = try scenario("CONNECT {host}:{port}").exchanges[0].request.target
            .match("example.test:443".bytes.span)
        #expect(captured?["host"] == "example.test".bytes && captured?["port"] == "443".bytes)
        let mapped = try load(
            "summary: s\nexchanges: [{ request: { method: CONNECT, path: '*' }, reply: { status: 200 } }]\n")
        #expect(mapped.exchanges[0].request.target.matches("a.test:1".bytes))
        let asterisk = try load(
            "summary: s\nexchanges: [{ request: { method: OPTIONS, path: '*' }, reply: { status: 200 } }]\n")
        #expect(!asterisk.exchanges[0].request.target.matches("/a".bytes))
    }

    @Test func `a proxy alone, and CONNECT, need ports of their own`() throws {
        func reason(_ yaml: String) throws -> String? { try load("summary: s\n\(yaml)\n").rootReason?.text }
        #expect(
            try reason(
                "origins: { main: { role: proxy } }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]")
                == "its origin is a proxy")
        #expect(
            try reason("exchanges: [{ request: CONNECT *, reply: { status: 403 } }]")
                == #"the request "CONNECT *" is not in origin-form"#)
        #expect(
            try reason(#"exchanges: [{ request: "CONNECT {host}:443", reply: { status: 403 } }]"#)
                == #"the request "CONNECT {host}:443" is not in origin-form"#)
    }

    private func mistakes(_ client: String) -> [String] {
        messages(
            """
            summary: s
            origins: { p: { role: proxy }, q: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: \(client) } }
            """)
    }

    @Test(arguments: [
        "http://example.test", "http://EXAMPLE.Test/a", "HTTP://u:p@a.b.test:8080/a?b#c", "http://a.invalid?q",
        "http://a.test/{{authority}}", "https://a.test/", "/a", "{{origin.q}}/a",
    ])
    func `through a proxy a client may ask for a reserved host`(url: String) {
        #expect(mistakes("{ url: \"\(url)\", session: { proxy: p } }") == [])
        #expect(mistakes("[{ url: /, session: { proxy: q } }, { url: \"\(url)\" }]") == [])
    }

    @Test(arguments: [
        "http://test/", "http://a.test.example.com/", "http://a.test@example.com/", "http://a.test{{authority}}/",
        "http://example.com/a.test", "http://127.0.0.1/", "//a.test/",
    ])
    func `through a proxy too a host that may exist is refused`(url: String) {
        #expect(mistakes("{ url: \"\(url)\", session: { proxy: p } }").count == 1)
    }

    @Test func `without a proxy no such host is there`() {
        #expect(mistakes(#"{ url: "http://a.test/", session: {} }"#).count == 1)
    }
}
