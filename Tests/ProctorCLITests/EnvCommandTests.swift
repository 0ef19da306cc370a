import Foundation
import ProctorTestSupport
import Testing

/// `proctor env` against a running server.
struct EnvCommandTests {
    private static let files = [
        "fixtures/named.yaml": """
        summary: a scenario with two names
        origins:
          main: { host: home.example.org }
          other-name: { host: sibling.example.org }
        exchanges:
          - { request: GET /, reply: { status: 200, body: "home\\n" } }
          - { origin: other-name, request: GET /, reply: { status: 200, body: "sibling\\n" } }
        """,
        "fixtures/plain.yaml": """
        summary: a scenario without names
        exchanges: [ { request: GET /, reply: { status: 200, body: "plain\\n" } } ]
        """,
        "fixtures/proxied.yaml": """
        summary: a scenario about a proxy
        origins:
          gate: { role: proxy }
        exchanges: [ { request: GET /, reply: { status: 200, body: "behind\\n" } } ]
        """,
    ]

    private static func run(_ scenario: String, at base: String) async throws -> String {
        let text = try await curl("-d", "{\"scenario\": \"\(scenario)\"}", "\(base)/__proctor/runs").out
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["run"] as? String)
    }

    private static func environment(
        _ base: String, _ run: String, _ more: String...
    ) async throws -> [String: String] {
        let child = try await Child.run(["env", "--run", run, "--server", base, "--json"] + more)
        #expect(child.status == 0 && child.err.isEmpty)
        return try #require(try JSONSerialization.jsonObject(with: Data(child.out.utf8)) as? [String: String])
    }

    @Test func `what env prints leads curl to every name of a run`() async throws {
        let folder = try TestFolder(Self.files)
        let child = try await onThread { try ServingChild(folder) }
        let run = try await Self.run("named", at: child.base)
        let variables = try await Self.environment(child.base, run)
        let proxy = try #require(variables["http_proxy"])
        #expect(
            variables["https_proxy"] == proxy && variables["HTTPS_PROXY"] == proxy && variables["HTTP_PROXY"] == nil)
        #expect(variables["PROCTOR_BASE"] == "http://home.example.org")
        #expect(variables["PROCTOR_ORIGIN_OTHER_NAME"] == "http://sibling.example.org")
        #expect(variables["PROCTOR_CA"] == nil && variables["SSL_CERT_FILE"] == nil)

        for (host, body) in [("home", "home\n"), ("sibling", "sibling\n")] {
            #expect(try await curl("-x", proxy, "http://\(host).example.org/").out == body)
        }
        let stranger = try await curl("-x", proxy, "-w", "%{http_code}", "http://stranger.example.org/")
        #expect(stranger.out.hasSuffix("502") && stranger.out.contains("home.example.org"))

        let pac = try #require(variables["PROCTOR_PAC"])
        let file = try await curl("-i", pac).out
        #expect(file.contains("application/x-ns-proxy-autoconfig"))
        #expect(file.contains("return \"PROXY \(proxy.dropFirst("http://".count))\";"))
        #expect(file.contains("return \"DIRECT\";") && file.contains(#"/^127(\.\d+){3}$/.test(host)"#))
    }

    @Test func `as commands for a shell, a child of the shell sees them`() async throws {
        let folder = try TestFolder(Self.files)
        let child = try await onThread { try ServingChild(folder) }
        let run = try await Self.run("named", at: child.base)
        let text = try await Child.run(["env", "--run", run, "--server", child.base, "--shell"]).out
        let seen = try await ChildProcess.run(["/bin/sh", "-c", "\(text)\ncurl -q -sS \"$PROCTOR_ORIGIN_OTHER_NAME/\""])
        #expect(seen.out == "sibling\n", "\(seen.err)")
        let plain = try await Child.run(["env", "--run", run, "--server", child.base]).out
        #expect(plain.contains("PROCTOR_RUN=\(run)\n"))
    }

    @Test func `a scenario without names has no proxy, and one about a proxy has that one`() async throws {
        let folder = try TestFolder(Self.files)
        let child = try await onThread { try ServingChild(folder) }
        let plain = try await Self.environment(child.base, try await Self.run("plain", at: child.base))
        #expect(plain["http_proxy"] == nil && plain["NO_PROXY"] == nil && plain["PROCTOR_PAC"] == nil)
        let direct = try #require(plain["PROCTOR_BASE"])
        #expect(try await curl("\(direct)/").out == "plain\n")

        let proxied = try await Self.environment(child.base, try await Self.run("proxied", at: child.base))
        let proxy = try #require(proxied["http_proxy"])
        #expect(proxied["NO_PROXY"] == "" && proxied["PROCTOR_ORIGIN_GATE"] == proxy)
        // The file says the same, with no exceptions.
        let file = try await curl(try #require(proxied["PROCTOR_PAC"])).out
        #expect(file.contains("\"PROXY \(proxy.dropFirst("http://".count))\"") && !file.contains("DIRECT"))
        let base = try #require(proxied["PROCTOR_BASE"])
        #expect(try await curl("-x", proxy, "--noproxy", "", "\(base)/").out == "behind\n")
    }

    @Test func `a mistake is told with what to do`() async throws {
        let folder = try TestFolder(Self.files)
        let child = try await onThread { try ServingChild(folder) }
        let rows: [(arguments: [String], status: Int32, message: String)] = [
            ([], 2, "'env' needs --run RUN"), (["r1"], 2, "'env' takes no operands"),
            (["--run", "r99", "--server", child.base], 1, "r99"),
            (["--run", "r1", "--shell", "--json"], 2, "one form"),
            (["--run", "r1", "--server", "http://127.0.0.1:1"], 1, "is 'proctor serve' running?"),
        ]
        for row in rows {
            let result = try await Child.run(["env"] + row.arguments)
            #expect(result.status == row.status && result.err.contains(row.message), "\(row.arguments): \(result.err)")
            #expect(result.out == (row.arguments.contains("--shell") ? "false\n" : ""))
        }
    }

    @Test func `a shell that evaluates it does not go on without the proxy, whatever went wrong`() async throws {
        let folder = try TestFolder(Self.files)
        let child = try await onThread { try ServingChild(folder) }
        let run = try await Self.run("named", at: child.base)
        let rows: [(arguments: [String], message: String)] = [
            (["--run", "r99", "--server", child.base], "there is no run 'r99'"),
            // What a shell makes of a variable that is not set, with and without quotes.
            (["--run", "", "--server", child.base], "--run takes the id of a run, as r1, not ''"),
            (["--run"], "--run takes the id of a run, as r1, not '--shell'"),
            (["--run", "r1/x?y", "--server", child.base], "--run takes the id of a run, as r1, not 'r1/x?y'"),
            (
                ["--run", run, "--case", "a b&c", "--server", child.base],
                "named has no case 'a b&c'; it has none at all"
            ),
            (["--run", "r1", "--server", "http://127.0.0.1:1"], "is 'proctor serve' running?"),
            (["--run", "r1", "--server", "http://proctor.internal:1"], "--server takes http://ADDRESS:PORT"),
        ]
        for row in rows {
            let shell = try await Child.run(["env"] + row.arguments + ["--shell"])
            #expect(shell.status != 0 && shell.out == "false\n", "\(row.arguments): \(shell.out)")
            #expect(shell.err.contains(row.message), "\(row.arguments): \(shell.err)")
        }
    }

    @Test func `a case chooses the proxy that it is about`() async throws {
        let folder = try TestFolder([
            "fixtures/two.yaml": """
            summary: two proxies and a name
            origins:
              main: { host: home.example.org }
              p: { role: proxy }
              q: { role: proxy }
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases:
              by-p: { client: { url: /, session: { proxy: p } }, facts: { wire.count: 1 } }
              direct: { client: { url: / }, facts: { wire.count: 1 } }
            """
        ])
        let child = try await onThread { try ServingChild(folder) }
        let run = try await Self.run("two", at: child.base)
        let any = try await Self.environment(child.base, run)
        let proxy = try #require(any["PROCTOR_ORIGIN_P"])
        let byP = try await Self.environment(child.base, run, "--case", "by-p")
        #expect(byP["http_proxy"] == proxy && byP["NO_PROXY"] == "")
        let direct = try await Self.environment(child.base, run, "--case", "direct")
        #expect(direct["http_proxy"] == any["http_proxy"] && direct["http_proxy"] != proxy)
        #expect(direct["http_proxy"] != any["PROCTOR_ORIGIN_Q"] && direct["NO_PROXY"] != "")
        #expect(try await curl(try #require(byP["PROCTOR_PAC"])).out.contains(proxy.dropFirst("http://".count)))

        let judged = try await Child.run([
            "run", "two", "--case", "by-p", "--fixtures", "\(folder.path)/fixtures", "--", "curl", "-s", "{{base}}/",
        ])
        #expect(judged.status == 0 && judged.err.contains("GET http://home.example.org/"), "\(judged.err)")
        let lost = try await Child.run([
            "run", "two", "--case", "direct", "--fixtures", "\(folder.path)/fixtures", "--", "true",
        ])
        #expect(
            lost.status == 1 && lost.err.contains("no request came: the command has to read http_proxy"), "\(lost.err)")
    }
}
