import Foundation
import ProctorTestSupport
import Testing

#if os(Linux)
    /// The server makes no connection for any proxy request: the kernel kills it if it does.
    struct NoDiallingTests {
        private static let files = [
            "fixtures/named.yaml": """
            summary: a scenario with names, and a proxy of its own
            origins:
              main: { host: home.example.org }
              secure: { scheme: https, host: secure.example.org }
              gate: { role: proxy }
            exchanges: [ { request: GET /, reply: { status: 200, body: "home\\n" } } ]
            """,
            "fixtures/moved.yaml": """
            summary: a redirect to a host that nobody declares
            exchanges: [ { request: GET /, reply: { status: 302, headers: { Location: "http://elsewhere.example.org/" } } } ]
            """,
        ]

        private static let guardian = ["/usr/bin/python3", "\(Project.path)/Tests/Clients/no_dialling.py"]

        @Test func `the kernel kills a program that connects, so a living server has made no connections`()
            async throws
        {
            let rows = [
                "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())",
                "import socket; socket.getaddrinfo('nobody.invalid', 80)",
                "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
            ]
            for row in rows {
                let outcome = try await Child.run(
                    Array(Self.guardian.dropFirst()) + ["/usr/bin/python3", "-c", row], program: Self.guardian[0])
                #expect(outcome.status == -SIGSYS, "\(row): \(outcome.status) \(outcome.err)")
            }
            let innocent = "import socket; socket.create_server(('127.0.0.1', 0)); print('listens')"
            let outcome = try await Child.run(
                Array(Self.guardian.dropFirst()) + ["/usr/bin/python3", "-c", innocent], program: Self.guardian[0])
            #expect(outcome.status == 0 && outcome.out == "listens\n")
        }

        @Test func `no request, by proxy, Host or tunnel, makes the server leave the machine`() async throws {
            let folder = try TestFolder(Self.files)
            let victims = try TestFolder(["fixtures/victim.yaml": Self.files["fixtures/moved.yaml"] ?? ""])
            let victim = try await onThread {
                try ServingChild(victims, ["--journal", "\(victims.path)/journal"])
            }
            let child = try await onThread {
                try ServingChild(folder, ["--ca-dir", "\(folder.path)/authority"], under: Self.guardian)
            }
            let run = try await Self.run("named", at: child.base)
            let there = victim.base.dropFirst("http://".count)
            let proxies = [child.base] + run.proxies
            #expect(proxies.count == 3)
            for proxy in proxies {
                // What is declared is served, so the way itself is open.
                let home = try await curl("-x", proxy, "-w", "%{http_code}", "http://home.example.org/")
                #expect(home.out == "home\n200", "\(proxy): \(home.out) \(home.err)")
                for host in [
                    "stranger.example.org", "intranet1", "evil.example.org1", "93.184.216.34", "[2606:2800::1]",
                    "localhost.", String(there),
                ] {
                    let plain = try await curl("-x", proxy, "--noproxy", "", "-w", " %{http_code}", "http://\(host)/")
                    if proxy != child.base || ["stranger.example.org", "intranet1", "evil.example.org1"].contains(host)
                    {
                        let status = proxy == child.base ? 421 : 502
                        #expect(plain.out.hasSuffix(" \(status)"), "\(proxy) \(host): \(plain.out)")
                    }
                    let tunnel = try await curl(
                        "-x", proxy, "--noproxy", "", "-p", "-o", "/dev/null", "-w", "%{http_connect}",
                        "http://\(host)/")
                    #expect(tunnel.out == "502" && tunnel.status != 0, "\(proxy) CONNECT \(host): \(tunnel.out)")
                }
                let named = try await curl("-o", "/dev/null", "-H", "Host: stranger.example.org", "\(proxy)/")
                #expect(named.status == 0)
            }
            #expect(try await curl("\(child.base)/__proctor/health").out.contains("\"ok\""))
            #expect(try await onThread { try child.end() } == 0)
            #expect(try await onThread { try victim.end() } == 0)
            let seen = try victims.text("journal")
            #expect(!seen.contains("connectionOpened"), "\(seen)")
        }

        private static func run(_ scenario: String, at base: String) async throws -> (id: String, proxies: [String]) {
            let text = try await curl("-d", "{\"scenario\": \"\(scenario)\"}", "\(base)/__proctor/runs").out
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let origins = object["origins"] as? [String: String] ?? [:]
            let proxies = [object["namesProxy"] as? String, origins["gate"]].compactMap(\.self)
            return (object["run"] as? String ?? "", proxies)
        }
    }
#endif
