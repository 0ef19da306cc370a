import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// Names at the port where all scenarios stand.
struct SharedNameTests {
    private static func scenarios(_ yaml: [String: String]) throws -> [Scenario] {
        try yaml.map { try scenario("summary: s\n" + $0.value, id: $0.key) }
    }

    private static let home = """
        origins: { main: { host: home.example.org }, secure: { scheme: https, host: home.example.org } }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: home } }
          - { origin: secure, request: GET /who, reply: { status: 200, body: secure } }
        """
    private static let own = """
        exchanges: [{ request: GET /who, reply: { status: 200, body: own } }]
        """

    @Test func `a name that one scenario declares is answered by its standing run`() async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home, "a/own": Self.own])) { server in
            let replies = try await talk(to: server.base) { wire in
                [
                    try wire.ask("GET /who", host: "home.example.org"),
                    // As curl says it that is told by --resolve where the name stands.
                    try wire.ask("GET /who", host: "HOME.example.org:\(server.address.port ?? 0)"),
                    try wire.ask("GET http://home.example.org/who", host: "home.example.org"),
                    try wire.ask("GET /a/own/who", host: "127.0.0.1"),
                    try wire.ask("GET /a/own/who", host: "proctor.internal"),
                ]
            }
            #expect(replies.map(\.content) == ["home", "home", "home", "own", "own"], "\(replies)")
            let trust = try await server.trust()
            let run = try await server.run("a/home")
            #expect(run.trust == trust)
            let outcome = try await NamedRun.curl(
                run, "-x", server.base, "https://home.example.org/who", "--next", "-p", "-x", server.base,
                "http://home.example.org/who")
            #expect(outcome.out == "securehome", "\(outcome.err)")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let host: String
        let status: Int

        var testDescription: String { "\(line), Host: \(host)" }
    }

    private static let strangers = [
        Row(line: "GET http://other.example.org/", host: "other.example.org", status: 502),
        Row(line: "GET http://home.example.org:81/", host: "home.example.org:81", status: 502),
        Row(line: "GET https://home.example.org/who", host: "home.example.org", status: 502),
        Row(line: "CONNECT other.example.org:443", host: "other.example.org:443", status: 502),
        Row(line: "CONNECT 127.0.0.1:80", host: "127.0.0.1:80", status: 502),
        Row(line: "GET /", host: "other.example.org", status: 200),
        Row(line: "GET http://intranet1/", host: "intranet1", status: 502),
        Row(line: "GET http://evil.example.org1/__proctor/health", host: "evil.example.org1", status: 502),
        Row(line: "GET http://1.2.3/", host: "1.2.3", status: 502),
        Row(line: "GET http://127.0.0.1:1/", host: "127.0.0.1:1", status: 200),
        Row(line: "GET http://localhost/", host: "localhost", status: 200),
        Row(line: "GET http://[::1]/a/own/who", host: "[::1]", status: 200),
    ]

    @Test(arguments: strangers)
    func `a host that nobody declares is refused to those that take this for a proxy`(_ row: Row) async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home, "a/own": Self.own])) { server in
            let reply = try await talk(to: server.base) { try $0.ask(row.line, host: row.host) }
            #expect(reply.status == row.status, "\(reply)")
            if row.status == 502, !row.line.contains("https:") { #expect(reply.contains("  home.example.org\n")) }
        }
    }

    @Test(arguments: ["home.example.org:4", "HOME.example.org.:8088", "home.example.org:443"])
    func `a declared host answers at no port but its own and the one that was connected to`(_ host: String) async throws
    {
        let alt = "origins: { main: { host: home.example.org, port: 8080 } }\n" + Self.own
        for items in [["a/home": Self.home], ["a/home": Self.home, "b/alt": alt]] {
            try await withServer(try Self.scenarios(items)) { server in
                let reply = try await talk(to: server.base) { try $0.ask("GET /who", host: host) }
                #expect(reply.status == 421 && reply.contains("Host: \(host)\n"), "\(reply)")
                #expect(reply.contains("  home.example.org\n"))
                #expect(reply.contains("  home.example.org:8080\n") == (items.count == 2))
            }
        }
    }

    @Test func `a port of its own must be said, for no other stands for it`() async throws {
        let alt = "origins: { main: { host: home.example.org, port: 8080 } }\n" + Self.own
        try await withServer(try Self.scenarios(["b/alt": alt])) { server in
            let port = server.address.port ?? 0
            let replies = try await talk(to: server.base) { wire in
                try ["home.example.org:8080", "home.example.org", "home.example.org:\(port)"].map {
                    try wire.ask("GET /who", host: $0)
                }
            }
            #expect(replies.map(\.status) == [200, 421, 421] && replies[0].content == "own", "\(replies)")
        }
    }

    @Test func `a name that several declare is told with the front door of each`() async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home, "b/home": Self.home])) { server in
            let texts = try await talk(to: server.base) { wire in
                [
                    try wire.ask("GET /who", host: "home.example.org"),
                    try wire.ask("GET http://home.example.org/who", host: "home.example.org"),
                    try wire.ask("CONNECT home.example.org:443", host: "home.example.org:443"),
                ]
            }
            #expect(texts.map(\.status) == [421, 502, 502])
            let lines = texts[0].split(separator: "\n").map(String.init)
            #expect(texts.allSatisfy { $0.contains("  a/home\n") && $0.contains("  b/home\n") })
            let proxies = lines.compactMap { line in
                line.split(separator: " ").first { $0.hasPrefix("http://127.") }.map(String.init)
            }
            #expect(proxies.count == 2 && proxies[0] != proxies[1], "\(texts[0])")
            for proxy in proxies {
                let reply = try await talk(to: proxy) {
                    try $0.ask("GET http://home.example.org/who", host: "home.example.org")
                }
                #expect(reply.hasSuffix("\r\n\r\nhome"))
            }
        }
    }

    @Test func `TLS within TLS is not spoken`() async throws {
        try await withServer(
            try Self.scenarios(["a/home": Self.home]),
            configure: { $0.tlsAddress = .ipv4(host: "127.0.0.1", port: 0) }
        ) { server in
            let run = try await server.run("a/home")
            let secured = try #require(server.tlsBase)
            let outcome = try await NamedRun.curl(
                run, "-x", secured, "--proxy-cacert", run.trust ?? "", "-w", "%{http_connect}", "-o", "/dev/null",
                "https://home.example.org/who")
            #expect(outcome.out == "502", "\(outcome.err)")
            let plain = try await NamedRun.curl(
                run, "-x", secured, "--proxy-cacert", run.trust ?? "", "http://home.example.org/who")
            #expect(plain.out == "home", "\(plain.err)")
        }
    }
}
