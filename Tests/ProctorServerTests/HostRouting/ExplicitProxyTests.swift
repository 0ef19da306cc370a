import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Proxies that a scenario is about, and what they hand on.
struct ExplicitProxyTests {
    @Test func `a proxy hands on by itself what a declared host is asked for`() async throws {
        try await withNamedRun { named in
            let run = named.run
            let (gate, plain) = (try #require(run.origin("gate")), try #require(run.origin("plain")))
            let replies = try await talk(to: gate) { wire in
                [
                    try wire.ask("GET http://home.example.org/who", host: "home.example.org"),
                    try wire.ask("GET \(plain)/who", host: "a"),
                    try wire.ask(
                        "POST http://home.example.org/who", host: "home.example.org", "Content-Length: 3",
                        "Connection: close", body: "a=1"),
                ]
            }
            #expect(replies.map(\.content) == ["home", "plain", "home took it"], "\(replies)")
            let lines = try await run.journal.lines(untilClosed: 1).filter { !$0.contains(" sent ") }
            #expect(
                lines.filter { !$0.contains("violation") } == [
                    "c0 opened gate", "c0 r0 head GET http://home.example.org/who", "c0 r0 routed to main by absolute",
                    "c0 r0 exchange 0 turn 0", "c0 r1 head GET \(plain)/who", "c0 r1 routed to plain by absolute",
                    "c0 r1 exchange 4 turn 0", "c0 r2 head POST http://home.example.org/who",
                    "c0 r2 routed to main by absolute", "c0 r2 exchange 1 turn 0", "c0 r2 body 3 complete",
                    "c0 closed by server: closed",
                ])
        }
    }

    @Test func `CONNECT to a proxy is a request, then a connection of the origin`() async throws {
        try await withNamedRun { named in
            let run = named.run
            let outcome = try await NamedRun.curl(
                run, "-x", try #require(run.origin("gate")), "https://home.example.org/who")
            #expect(outcome.out == "secure", "\(outcome.err)")
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(
                lines.prefix(6) == [
                    "c0 opened gate", "c0 r0 head CONNECT home.example.org:443", "c0 r0 routed to secure by tunnel",
                    "c0 r0 sent 200 39", "c0 tunnel to home.example.org:443 (secure)", "c1 opened secure",
                ], "\(lines)")
            #expect(lines.contains("c1 r1 head GET /who"))
        }
    }

    @Test func `an undeclared host is refused, with the most similar hosts`() async throws {
        let more = "  - { origin: gate, request: GET http://news.example.org/a, reply: { status: 200 } }\n"
        try await withNamedRun(more) { named in
            let replies = try await talk(to: try #require(named.run.origin("gate"))) { wire in
                [
                    try wire.ask("GET http://news.example.org/a", host: "news.example.org"),
                    try wire.ask("GET http://news.example.org/b", host: "news.example.org"),
                    try wire.ask("CONNECT news.example.org:443", host: "news.example.org:443"),
                    try wire.ask("GET /a", host: "news.example.org"),
                ]
            }
            #expect(replies.map(\.status) == [200, 502, 502, 404])
            #expect(replies[1].contains("nearest: GET http://news.example.org/a"), "\(replies[1])")
            let misses = named.run.journal.misses
            #expect(misses.map(\.nearestExchange) == [6, 6, 6])
            #expect(
                misses[0].differences.first == "target: wanted one of the declared hosts, got http://news.example.org/b"
            )
        }
    }

    private static let guarded = """
        summary: a proxy that asks first
        origins:
          main: { host: home.example.org }
          secure: { scheme: https, host: home.example.org }
          gate: { role: proxy }
        guards: { lab: { proxy: true, users: { user: pass }, schemes: [KIND] } }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: home } }
          - { origin: secure, request: GET /who, reply: { status: 200, body: secure } }
          - { origin: gate, auth: lab, request: "* /*", reply: { forward: true } }
          - { origin: gate, auth: lab, request: "CONNECT {host}:{port}", reply: { forward: true } }
        """

    @Test(arguments: ["basic", "digest"])
    func `a proxy asks for a credential, then hands on`(_ kind: String) async throws {
        try await withRun(Self.guarded.replacing("KIND", with: kind)) { run in
            let gate = try #require(run.origin("gate"))
            // To curl the uri of a digest is the path alone, which is another than the target of a proxy.
            let schemes = kind == "digest" ? ["https"] : ["http", "https"]
            for url in schemes.map({ "\($0)://home.example.org/who" }) {
                let outcome = try await NamedRun.curl(
                    run, "-x", gate, "--proxy-anyauth", "--proxy-user", "user:pass", url)
                #expect(outcome.out == (url.hasPrefix("https") ? "secure" : "home"), "\(outcome.err)")
                let refused = try await NamedRun.curl(run, "-x", gate, "-o", "/dev/null", "-w", "%{http_code}", url)
                #expect(refused.out == (url.hasPrefix("https") ? "000" : "407"))
            }
            let lines = run.journal.lines
            #expect(lines.contains { $0.contains("guard lab admitted") } && run.journal.misses.isEmpty)
            let used = kind == "digest" ? [1, 3] : [0, 1, 2, 3]
            #expect(
                used.allSatisfy { index in lines.contains { $0.hasSuffix("exchange \(index) turn 0") } }, "\(lines)")
        }
    }

    @Test func `what a guard says of its own goes with the reply that was handed on`() async throws {
        try await withRun(Self.guarded.replacing("KIND", with: "digest: { info: rspauth }")) { run in
            let gate = try #require(run.origin("gate"))
            let got = try await talk(to: gate) { wire in
                let client = DigestClient(field: "Proxy-Authorization")
                let line = "GET http://home.example.org/who"
                let first = try wire.ask(line, host: "home.example.org")
                return try wire.ask(line, host: "home.example.org", try client.answer(first, line))
            }
            #expect(got.status == 200 && got.values("Proxy-Authentication-Info").count == 1, "\(got)")
        }
    }

    @Test func `a tunnel leads where the fixture says`() async throws {
        let more = """
              - { origin: gate, request: CONNECT odd.example.org:443, reply: { status: 299, headers: { X: y }, tunnel: secure } }
              - { origin: gate, request: CONNECT odd.example.org:80, reply: { status: 200, tunnel: sibling } }
            """
        try await withNamedRun(more) { named in
            let gate = try #require(named.run.origin("gate"))
            let outcome = try await NamedRun.curl(
                named.run, "-x", gate, "-v", "https://odd.example.org/who", "--next", "-sS", "-p", "-x", gate,
                "http://odd.example.org/who")
            #expect(outcome.out == "securesibling", "\(outcome.err)")
            #expect(outcome.err.contains("< X: y"))
            let lines = named.run.journal.lines
            #expect(
                lines.contains("c0 r0 exchange 6 turn 0") && lines.contains("c0 tunnel to odd.example.org:443 (secure)")
            )
            #expect(named.run.journal.misses.isEmpty)
        }
    }

    @Test func `a strict sequence goes through a proxy and its origins`() async throws {
        try await withRun(
            """
            summary: strict
            sequence: strict
            origins: { main: { host: home.example.org }, gate: { role: proxy } }
            exchanges:
              - { request: GET /one, reply: { status: 200, body: one } }
              - { origin: gate, request: GET http://home.example.org/two, reply: { status: 200, body: proxy } }
              - { request: GET /three, reply: { status: 200, body: three } }
            """
        ) { run in
            let replies = try await talk(to: try #require(run.origin("gate"))) { wire in
                try ["one", "two", "three"].map {
                    try wire.ask("GET http://home.example.org/\($0)", host: "home.example.org")
                }
            }
            #expect(replies.map(\.content) == ["one", "proxy", "three"])
        }
    }

    @Test func `effects of the origin's reply are played to the proxy's client`() async throws {
        try await withRun(
            """
            summary: cut
            origins: { main: { host: home.example.org }, gate: { role: proxy } }
            exchanges:
              - { request: GET /, reply: { status: 200, body: abcdef, effects: [{ at: body 3, do: close }] } }
            """
        ) { run in
            let gate = try #require(run.origin("gate"))
            let got = try await exchange(
                "GET http://home.example.org/ HTTP/1.1\r\nHost: home.example.org\r\n\r\n", with: gate)
            #expect(got.text.hasSuffix("\r\n\r\nabc"))
        }
    }
}

/// What of a request an origin sees that a proxy hands on (RFC 9110 §7.6.1, §11.7.2).
struct HandingOnTests {
    private static let yaml = """
        summary: an origin that must not see what is for the proxy
        origins: { main: { host: home.example.org }, gate: { role: proxy } }
        exchanges:
          - request:
              method: GET
              path: /who
              headers:
                Proxy-Authorization: null
                Proxy-Connection: null
                Connection: null
                X-Hop: null
                Keep-Alive: null
                X-End: kept
            reply: { status: 200, body: seen }
        """
    private static let withExchanges = """

          - { origin: gate, request: "CONNECT *", reply: { status: 403 } }
        """

    private static let fields = [
        "Proxy-Authorization: Basic dTpw", "proxy-connection: keep-alive", "Connection: x-HOP, keep-alive", "X-Hop: 1",
        "Keep-Alive: timeout=1", "X-End: kept",
    ]

    @Test(arguments: ["", withExchanges])
    func `fields for the proxy alone end at it, and the journal has them`(_ more: String) async throws {
        try await withRun(Self.yaml + more) { run in
            let gate = try #require(run.origin("gate"))
            for place in [NamedRun(run: run).door, gate] {
                let replies = try await talk(to: place) { wire in
                    try ["", "Content-Length: 0\r\n"].map { framing in
                        try wire.send(
                            "GET http://home.example.org/who HTTP/1.1\r\nHost: home.example.org\r\n"
                                + Self.fields.joined(separator: "\r\n") + "\r\n" + framing + "\r\n")
                        return try wire.readReply()
                    }
                }
                #expect(replies.allSatisfy { $0.content == "seen" }, "\(replies)")
            }
            let heads = run.journal.snapshot().entries.compactMap { entry in
                if case .requestHead(let head, _) = entry.event { head } else { nil }
            }
            #expect(heads.count == 4)
            for head in heads {
                let lines = head.fields.map { String(decoding: $0.raw, as: UTF8.self) }
                #expect(Array(lines.dropFirst().prefix(Self.fields.count)) == Self.fields)
            }
        }
    }

    @Test func `an origin that is asked by Host sees all of them`() async throws {
        try await withRun(Self.yaml) { run in
            let named = NamedRun(run: run)
            for place in [named.door, try named.place(of: "home.example.org")] {
                let reply = try await talk(to: place) { wire in
                    try wire.ask("GET /who", host: "home.example.org", "Proxy-Connection: keep-alive", "X-End: kept")
                }
                #expect(reply.status == 404 && reply.contains("header Proxy-Connection: wanted none"), "\(reply)")
            }
        }
    }
}
