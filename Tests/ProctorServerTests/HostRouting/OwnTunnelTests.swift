import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import Testing

/// Proxies that answer CONNECT themselves and go on as the origin, by the same exchanges.
struct OwnTunnelTests {
    private func curl(_ words: String...) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(["/usr/bin/env", "curl", "-q", "-sS", "--max-time", "60", "--noproxy", ""] + words)
    }

    private func proxy(of run: Run) throws -> String {
        try #require(run.origins.first { $0.name == "p" }?.url)
    }

    /// The first line and the credentials of each request.
    private func requests(of run: Run) -> [String] {
        run.journal.snapshot().entries.compactMap { entry in
            guard case .requestHead(let head, _) = entry.event else { return nil }
            let credential = head.fields.first(named: "Proxy-Authorization").map {
                " " + String(decoding: $0, as: UTF8.self)
            }
            return String(decoding: head.methodBytes, as: UTF8.self) + " "
                + String(decoding: head.targetBytes, as: UTF8.self) + (credential ?? "")
        }
    }

    @Test func `curl's test 206: Digest for CONNECT, then the page by the same script`() async throws {
        let yaml = """
            summary: HTTP proxy CONNECT auth Digest
            origins: { p: { role: proxy } }
            exchanges:
              - request: "* *"
                origin: p
                reply:
                  - status: 407
                    reason: Authorization Required to proxy me my dear
                    headers: { Proxy-Authenticate: 'Digest realm="weirdorealm", nonce="12345"' }
                    body: "And you should ignore this data.\\n"
                  - { raw: "HTTP/1.1 200 OK swsbounce\\r\\nServer: no\\r\\n\\r\\n", tunnel: p }
                  - raw: "HTTP/1.1 200 OK\\r\\nContent-Length: 7\\r\\nConnection: close\\r\\nFunny-head: yesyes\\r\\n\\r\\ndaniel\\n"
            """
        try await withRun(yaml) { run in
            let outcome = try await curl(
                "http://test.remote.haxx.se.206:8990/path/2060002", "--proxy", try proxy(of: run), "--proxy-user",
                "silly:person", "--proxy-digest", "--proxytunnel")
            #expect(outcome.status == 0 && outcome.out == "daniel\n", "\(outcome)")
            let place = "test.remote.haxx.se.206:8990"
            #expect(
                requests(of: run) == [
                    "CONNECT \(place)",
                    "CONNECT \(place) Digest username=\"silly\", realm=\"weirdorealm\", nonce=\"12345\", "
                        + "uri=\"\(place)\", response=\"003e36decb4dbf6366b3ecb9b87c24ec\"",
                    "GET /path/2060002",
                ])
        }
    }

    @Test func `curl's test 1230: CONNECT to a numerical IPv6 address, by exchanges of one origin`() async throws {
        let yaml = """
            summary: HTTP CONNECT to IPv6 numerical address
            origins: { p: { role: proxy } }
            exchanges:
              - request: CONNECT [1234:1234:1234::4ce]:8990
                origin: p
                reply: { raw: "HTTP/1.1 200 welcome dear\\r\\nDate: Tue, 09 Nov 2010 14:49:00 GMT\\r\\n\\r\\n", tunnel: p }
              - request: GET /wanted/page/1230
                origin: p
                reply: { status: 200, body: "mooooooo\\n" }
            """
        try await withRun(yaml) { run in
            let outcome = try await curl(
                "http://[1234:1234:1234::4ce]:8990/wanted/page/1230", "-p", "-x", try proxy(of: run))
            #expect(outcome.status == 0 && outcome.out == "mooooooo\n", "\(outcome)")
            #expect(requests(of: run) == ["CONNECT [1234:1234:1234::4ce]:8990", "GET /wanted/page/1230"])
        }
    }

    @Test func `the script goes on behind a handshake, with the certificate of the origin that is named`() async throws
    {
        let yaml = """
            summary: A proxy that plays the origin over TLS
            origins:
              main: { scheme: https, host: home.example.org }
              p: { role: proxy }
            exchanges:
              - request: "* *"
                origin: p
                reply:
                  - { status: 200, headers: { Server: "no" }, tunnel: { to: p, tls: main } }
                  - { status: 200, body: "the proxy's own page\\n" }
              - { request: GET /a, reply: { status: 500 } }
            """
        try await withRun(yaml) { run in
            let outcome = try await curl(
                "https://home.example.org/a", "--cacert", try #require(run.trust), "-x", try proxy(of: run))
            #expect(outcome.status == 0 && outcome.out == "the proxy's own page\n", "\(outcome)")
            #expect(requests(of: run) == ["CONNECT home.example.org:443", "GET /a"])
        }
    }

    @Test func `a proxy that leads to itself is asked through so many tunnels, and no more`() async throws {
        let yaml = """
            summary: Leads to itself
            origins: { p: { role: proxy } }
            exchanges:
              - { request: "CONNECT *", origin: p, reply: { raw: "HTTP/1.1 200 on\\r\\n\\r\\n", tunnel: p } }
            """
        try await withRun(yaml) { run in
            let all = String(repeating: "CONNECT a.test:1 HTTP/1.1\r\nHost: a.test:1\r\n\r\n", count: 12)
            let got = try await exchange(all, with: try proxy(of: run))
            // Eight tunnels, and the reply to the CONNECT that would open one more.
            #expect(got.text == String(repeating: "HTTP/1.1 200 on\r\n\r\n", count: 9), "\(got.text)")
        }
    }
}
