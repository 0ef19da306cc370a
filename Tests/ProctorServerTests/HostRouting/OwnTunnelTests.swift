import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Proxies that answer CONNECT themselves and go on as the origin, by the same exchanges.
struct OwnTunnelTests {
    private func curl(_ url: String, words: [String]) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-q", "-sS", "--max-time", "60", "--noproxy", "", url] + words)
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

    @Test(arguments: OwnTunnelRow.all)
    func `a proxy answers CONNECT and the requests in the tunnel by one script, as in curl's tests`(
        row: OwnTunnelRow
    ) async throws {
        try await withRun(row.fixture) { run in
            let outcome = try await curl(row.url, words: row.words + ["--proxy", try proxy(of: run), "--proxytunnel"])
            #expect(outcome.status == 0 && outcome.out == row.content, "\(outcome)")
            let seen = requests(of: run)
            #expect(seen.count == row.requests.count, "\(seen)")
            for (request, wanted) in zip(seen, row.requests) { #expect(request.hasPrefix(wanted), "\(seen)") }
            // A tunnel is a connection of the journal too, with the address of the one that it runs in.
            let peers = run.journal.snapshot().entries.compactMap { entry in
                if case .connectionOpened(_, let peer, _) = entry.event { peer } else { nil }
            }
            #expect(Set(peers).count == row.connectionCount, "\(peers)")
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
                "https://home.example.org/a", words: ["--cacert", try #require(run.trust), "-x", try proxy(of: run)])
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
