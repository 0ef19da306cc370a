import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

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
        Row(line: "GET http://other.example.org/", host: "other.example.org", status: 421),
        Row(line: "GET http://home.example.org:81/", host: "home.example.org:81", status: 502),
        Row(line: "GET https://home.example.org/who", host: "home.example.org", status: 502),
        Row(line: "CONNECT other.example.org:443", host: "other.example.org:443", status: 502),
        Row(line: "CONNECT 127.0.0.1:80", host: "127.0.0.1:80", status: 502),
        Row(line: "GET /", host: "other.example.org", status: 200),
        Row(line: "GET http://intranet1/", host: "intranet1", status: 421),
        Row(line: "GET http://evil.example.org1/__proctor/health", host: "evil.example.org1", status: 421),
        Row(line: "GET http://1.2.3/", host: "1.2.3", status: 421),
        Row(line: "GET http://127.0.0.1:1/", host: "127.0.0.1:1", status: 200),
        Row(line: "GET http://localhost/", host: "localhost", status: 200),
        Row(line: "GET http://[::1]/a/own/who", host: "[::1]", status: 200),
        Row(line: "GET http://192.0.2.7/", host: "192.0.2.7", status: 421),
        Row(line: "GET http://192.0.2.7/a/own/who", host: "192.0.2.7", status: 421),
        Row(line: "GET https://192.0.2.7/__proctor/health", host: "192.0.2.7", status: 421),
        Row(line: "GET http://[2001:db8::1]/", host: "[2001:db8::1]", status: 421),
        Row(line: "GET ftp://other.example.org/", host: "other.example.org", status: 421),
    ]

    @Test(arguments: strangers)
    func `an undeclared host is refused for clients that use the server as a proxy`(_ row: Row) async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home, "a/own": Self.own])) { server in
            let reply = try await talk(to: server.base) { try $0.ask(row.line, host: row.host) }
            #expect(reply.status == row.status, "\(reply)")
            if row.status != 200, row.line.contains("192.0.2.7") || !row.line.contains("https:"),
                !row.line.contains(":81/")
            {
                #expect(reply.contains("  home.example.org\n"))
            }
        }
    }

    private static let alt = "origins: { main: { host: home.example.org, port: 8080 } }\n" + own

    @Test(arguments: ["home.example.org:4", "HOME.example.org.:8088", "home.example.org:443"])
    func `a declared host answers at no port but its own and the one that was connected to`(_ host: String) async throws
    {
        for items in [["a/home": Self.home], ["a/home": Self.home, "b/alt": Self.alt]] {
            let ports = items.count == 2 ? "80 or 8080" : "80"
            try await withServer(try Self.scenarios(items)) { server in
                let reply = try await talk(to: server.base) { try $0.ask("GET /who", host: host) }
                let wanted = "Host: wanted home.example.org as it is declared, with port \(ports), got \(host)\n"
                #expect(reply.status == 421 && reply.contains(wanted), "\(reply)")
                #expect(reply.contains("  http://home.example.org\n") && reply.contains("  https://home.example.org\n"))
                #expect(reply.contains("  http://home.example.org:8080\n") == (items.count == 2))
                let port = server.address.port ?? 0
                #expect(
                    reply.contains(
                        "Have Host say one of these; \(port), which you connected to, may stand there for 80."))
            }
        }
    }

    /// A port that no scenario declares, asked for by each way.
    private static let otherPorts = [
        (line: "GET http://home.example.org/who", host: "home.example.org", status: 502, wanted: "with port 8080"),
        (
            line: "GET http://HOME.example.org.:81/who", host: "HOME.example.org.:81", status: 502,
            wanted: "with port 8080"
        ),
        (line: "CONNECT home.example.org:443", host: "home.example.org:443", status: 502, wanted: "with port 8080"),
        (
            line: "GET https://home.example.org:8080/", host: "home.example.org:8080", status: 502,
            wanted: "for http with port 8080"
        ),
        (line: "GET /who", host: "home.example.org:81", status: 421, wanted: "with port 8080"),
    ]

    @Test(arguments: otherPorts.indices)
    func `an undeclared port is refused with the declared ones, at the shared port and the run's port`(
        _ index: Int
    ) async throws {
        let row = Self.otherPorts[index]
        let got = row.status == 421 ? row.host : String(row.line.split(separator: " ")[1])
        let wanted =
            "\(row.status == 421 ? "Host" : "target"): wanted home.example.org as it is declared, \(row.wanted), got \(got)"
        try await withServer(try Self.scenarios(["b/alt": Self.alt])) { server in
            let run = try await server.run("b/alt")
            for place in [server.base, "http://\(try #require(run.namesProxy))"] {
                let reply = try await talk(to: place) { try $0.ask(row.line, host: row.host) }
                #expect(reply.status == row.status && reply.contains("\r\n\r\n\(wanted)\n"), "\(place): \(reply)")
                #expect(reply.contains("  http://home.example.org:8080\n"))
            }
            #expect(run.journal.misses.map(\.differences) == [[wanted]])
        }
    }

    @Test func `a host that is declared for https alone is not the server itself`() async throws {
        let secure = "origins: { main: { scheme: https, host: home.example.org } }\n" + Self.own
        try await withServer(try Self.scenarios(["c/secure": secure])) { server in
            let replies = try await talk(to: server.base) { wire in
                [try wire.ask("GET /", host: "home.example.org"), try wire.ask("GET /", host: "proctor.internal")]
            }
            #expect(replies.map(\.status) == [421, 200], "\(replies)")
            #expect(
                replies[0].contains("wanted home.example.org as it is declared, for https with port 443, got home."))
        }
    }

    @Test func `a port of its own must be said, for no other stands for it`() async throws {
        try await withServer(try Self.scenarios(["b/alt": Self.alt])) { server in
            let run = try await server.run("b/alt")
            for place in [server.base, "http://\(try #require(run.namesProxy))"] {
                let port = try #require(place.split(separator: ":").last)
                let replies = try await talk(to: place) { wire in
                    try ["home.example.org:8080", "home.example.org", "home.example.org:\(port)"].map {
                        try wire.ask("GET /who", host: $0)
                    }
                }
                #expect(replies.map(\.status) == [200, 421, 421] && replies[0].content == "own", "\(replies)")
            }
        }
    }

    @Test func `the port that was connected to stands for the usual one in Host, and in no target`() async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home])) { server in
            let run = try await server.run("a/home")
            for place in [server.base, "http://\(try #require(run.namesProxy))"] {
                let port = try #require(place.split(separator: ":").last)
                let replies = try await talk(to: place) { wire in
                    [
                        try wire.ask("GET /who", host: "home.example.org:\(port)"),
                        try wire.ask("GET http://home.example.org:\(port)/who", host: "home.example.org:\(port)"),
                        try wire.ask("CONNECT home.example.org:\(port)", host: "home.example.org:\(port)"),
                    ]
                }
                #expect(replies.map(\.status) == [200, 502, 502] && replies[0].content == "home", "\(replies)")
            }
        }
    }

    @Test func `a name that several declare is told with their ids, and nothing is started for it`() async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home, "b/home": Self.home])) { server in
            let texts = try await talk(to: server.base) { wire in
                [
                    try wire.ask("GET /who", host: "home.example.org"),
                    try wire.ask("GET http://home.example.org/who", host: "home.example.org"),
                    try wire.ask("CONNECT home.example.org:443", host: "home.example.org:443"),
                ]
            }
            #expect(texts.map(\.status) == [421, 502, 502])
            #expect(texts.allSatisfy { $0.contains("  a/home\n") && $0.contains("  b/home\n") })
            let health = try await talk(to: server.base) { try $0.ask("GET /__proctor/health", host: "127.0.0.1") }
            #expect(health.contains("\"runs\":0,"), "\(health)")
            // What it says to do leads to one of them.
            let command = try #require(texts[0].split(separator: "\n").first { $0.hasPrefix("  curl \(server.base)/") })
            #expect(command == "  curl \(server.base)/a/home")
            let page = try await talk(to: server.base) { try $0.ask("GET /a/home", host: "127.0.0.1") }
            let door = try #require(
                page.split(whereSeparator: { " ,\n".contains($0) }).first { $0.hasPrefix("http://127.") })
            let reply = try await talk(to: String(door)) {
                try $0.ask("GET http://home.example.org/who", host: "home.example.org")
            }
            #expect(reply.content == "home", "\(page)")
            #expect(texts[0].contains("  curl -d '{\"scenario\": \"a/home\"}' \(server.base)/__proctor/runs\n"))
            #expect(texts[1].contains("  curl --proxy http://DOOR http://home.example.org/\n"))
            #expect(texts[2].contains("  curl --proxy http://DOOR https://home.example.org/\n"))
        }
    }

    @Test func `a path below a scenario with names is answered with the way to it`() async throws {
        try await withServer(try Self.scenarios(["a/home": Self.home])) { server in
            let reply = try await talk(to: server.base) { try $0.ask("GET /a/home/who", host: "127.0.0.1") }
            #expect(reply.status == 421)
            let line = try #require(reply.split(separator: "\n").first { $0.hasPrefix("  curl --proxy http://127.") })
            let words = line.split(separator: " ").map(String.init)
            let run = try await server.run("a/home")
            let outcome = try await NamedRun.curl(run, "-x", words[2], words[3] + "who")
            #expect(outcome.out == "home", "\(reply)")
        }
    }

    @Test func `a tunnel at the port of TLS carries TLS`() async throws {
        try await withServer(
            try Self.scenarios(["a/home": Self.home]),
            configure: { $0.tlsAddress = .ipv4(host: "127.0.0.1", port: 0) }
        ) { server in
            let run = try await server.run("a/home")
            let secured = try #require(server.tlsBase)
            let outcome = try await NamedRun.curl(
                run, "-x", secured, "--proxy-cacert", run.trust ?? "", "-w", " %{http_connect}",
                "https://home.example.org/who")
            #expect(outcome.out == "secure 200", "\(outcome.err)")
            let plain = try await NamedRun.curl(
                run, "-x", secured, "--proxy-cacert", run.trust ?? "", "http://home.example.org/who")
            #expect(plain.out == "home", "\(plain.err)")
        }
    }
}
