import ProctorBase
import ProctorJournal
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorServer

/// A proxy that is spoken to over TLS, from outside.
@Suite(.limit(minutes: 5))
struct SecuredProxyTests {
    private static let fixture = """
        summary: TLS to the proxy
        origins:
          main: { scheme: https, host: home.example.org }
          plain: { host: plain.example.org }
          p: { role: proxy, scheme: https }
        exchanges:
          - { request: GET /, reply: { status: 200, headers: { Connection: close }, body: "home" } }
          - { request: GET /reset, reply: { status: 200, body: "home", effects: [{ at: end, do: reset }] } }
          - { request: GET /large, reply: { status: 200, body: { repeat: "0123456789", bytes: 3000000 } } }
          - { request: GET /, origin: plain, reply: { status: 200, body: "plain" } }
        """

    private func curl(_ run: Run, _ url: String, _ words: String...) async throws -> String {
        let proxy = try #require(run.origins.first { $0.name == "p" }?.url)
        let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-q", "-sS", "--max-time", "60", "--noproxy", "", "-x", proxy]
                + ["--cacert", run.trust ?? "", "--proxy-cacert", run.trust ?? "", url] + words)
        return outcome.out + outcome.err
    }

    @Test func `requests in absolute form, tunnels, and TLS within TLS go through it`() async throws {
        try await withRun(Self.fixture) { run in
            #expect(run.origins.first { $0.name == "p" }?.url.hasPrefix("https://") == true)
            #expect(try await curl(run, "http://plain.example.org/") == "plain")
            #expect(try await curl(run, "http://plain.example.org/", "--proxytunnel") == "plain")
            #expect(try await curl(run, "https://home.example.org/") == "home")
            let count = try await curl(
                run, "https://home.example.org/large", "-o", "/dev/null", "-w", "%{size_download}")
            #expect(count == "3000000")
        }
    }

    @Test func `a client that does not trust it sends it nothing`() async throws {
        try await withRun(Self.fixture) { run in
            let proxy = try #require(run.origins.first { $0.name == "p" }?.url)
            let outcome = try await ChildProcess.run(
                ["/usr/bin/env", "curl", "-q", "-sS", "--noproxy", "", "-x", proxy, "http://plain.example.org/"])
            #expect(outcome.status == 60, "\(outcome.err)")
            let heads = run.journal.snapshot().entries.filter {
                if case .requestHead(_, _) = $0.event { true } else { false }
            }
            #expect(heads.isEmpty)
        }
    }

    /// The path, and what a client of TLS within TLS sees of the end.
    @Test(arguments: [("/", "home\nfin"), ("/reset", "rst")])
    func `an end in the tunnel is an end of the connection`(path: String, seen: String) async throws {
        try await withRun(Self.fixture) { run in
            let proxy = try #require(run.origins.first { $0.name == "p" }?.url)
            let place = String(proxy.dropFirst("https://".count))
            let outcome = try await ChildProcess.run(
                Tools.script("tls_in_tls.py", [place, run.trust ?? "", "home.example.org", path]))
            #expect(outcome.out == "HTTP/1.1 200 Connection established\n\(seen)\n", "\(outcome.err)")
        }
    }
}
