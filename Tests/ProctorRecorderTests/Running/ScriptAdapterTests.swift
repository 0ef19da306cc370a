import ProctorProgram
import ProctorTestSupport
import Testing

/// What the three adapters that are scripts do alike, each with the library of its name.
@Suite(.wide, .limit(minutes: 5))
struct ScriptAdapterTests {
    /// Answers by the Host field, so that one listener stands for many names.
    private static func names() throws -> PlainServer {
        try PlainServer { request in
            switch request.target {
            case "/moved":
                PlainServer.reply(
                    302, "moved", "Location: http://sibling.example.org/there", "Set-Cookie: a=b; Domain=example.org")
            default:
                PlainServer.reply(
                    200, "\(request.headers["host"] ?? "none") \(request.headers["cookie"] ?? "no cookie")")
            }
        }
    }

    private static func session(_ server: PlainServer) -> SessionSetup {
        var session = SessionSetup()
        session.names = ["home", "sibling", "xn--bcher-kva"].map {
            Assignment.NamedHost(name: "\($0).example.org", port: 80, address: "127.0.0.1:\(server.port)")
        }
        return session
    }

    /// Where the library is not installed the test is left out.
    private func adapter(_ name: String, _ options: [String] = []) async throws -> Adapter {
        let outcome = try await Adapter.python(name).run(input: [], arguments: ["--version"])
        if outcome.status == 69 { try Test.cancel("\(outcome.err); Scripts/install-packages.sh test installs it") }
        #expect(outcome.out.hasPrefix(name))
        return Adapter.python(name, options)
    }

    @Test(arguments: ["curl", "requests", "aiohttp"])
    func `names are reached at their addresses, with one cookie jar for all steps`(name: String) async throws {
        let server = try Self.names()
        defer { server.stop() }
        let report = try await adapter(name).run(
            [step("http://home.example.org/moved"), step("http://HOME.example.org./")], session: Self.session(server))
        #expect(report.header?.client == name)
        #expect(report.header?.lanes == ["harness"])
        #expect(report.lines.map(\.symbol) == ["resume", "result", "resume", "result"])
        #expect(report.result()?.text("body") == "sibling.example.org a=b")
        #expect(report.result()?.text("url") == "http://sibling.example.org/there")
        #expect(report.result(of: 1)?.number("status") == 200)
    }

    @Test(arguments: ["curl", "requests", "aiohttp"])
    func `a name that the table does not have is not found`(name: String) async throws {
        let server = try Self.names()
        defer { server.stop() }
        let urls = ["http://other.example.org/", "http://home.example.org:81/"]
        let report = try await adapter(name).run(urls.map { step($0) }, session: Self.session(server))
        #expect(report.result()?.text("error") == "cannotFindHost")
        #expect(report.result(of: 1)?.text("error") == "cannotFindHost")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["curl", "requests", "aiohttp"])
    func `all requests go through the proxy of the session`(name: String) async throws {
        let proxy = try PlainServer {
            $0.method == "CONNECT" ? PlainServer.reply(403) : PlainServer.reply(200, "by proxy")
        }
        defer { proxy.stop() }
        var session = Self.session(proxy)
        session.names = session.names.map {
            $0.map { Assignment.NamedHost(name: $0.name, port: 80, address: "127.0.0.1:9") }
        }
        session.proxy = "127.0.0.1:\(proxy.port)"
        let urls = ["http://home.example.org/", "http://127.0.0.1:9/page", "https://other.example.org/"]
        let report = try await adapter(name).run(urls.map { step($0) }, session: session)
        #expect(report.result()?.text("body") == "by proxy")
        #expect(report.result(of: 1)?.text("body") == "by proxy")
        #expect(report.result(of: 2)?.text("error") != nil)
        #expect(
            proxy.requests.map { "\($0.method) \($0.target)" } == [
                "GET \(urls[0])", "GET \(urls[1])", "CONNECT other.example.org:443",
            ])
    }

    @Test(arguments: ["curl", "requests", "aiohttp"])
    func `what it has no means for is unimplemented, before anything is asked`(name: String) async throws {
        let server = try Self.names()
        defer { server.stop() }
        let report = try await adapter(name).run(
            [step("http://home.example.org/")], session: Self.session(server),
            needs: ["cookie-jar", "cookies-by-document"])
        #expect(report.status == 0)
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg == "needs: \(name) has no cookies-by-document")
        #expect(server.requests.isEmpty)
    }

    @Test func `a scheme of one's own is mounted on requests, and unknown to the others`() async throws {
        let server = try Self.names()
        defer { server.stop() }
        var session = Self.session(server)
        session.ownScheme = "pigeon"
        let asked = step("pigeon://home.example.org/page")
        let loaded = try await adapter("requests").run([asked], session: session)
        #expect(loaded.result()?.text("body") == "home.example.org no cookie")
        #expect(loaded.result()?.text("url") == "pigeon://home.example.org/page")
        for name in ["curl", "aiohttp"] {
            let report = try await adapter(name).run([asked], session: session, needs: ["own-scheme"])
            #expect(report.lines.first?.arg == "needs: \(name) has no own-scheme")
        }
    }

    @Test(arguments: ["curl", "requests", "aiohttp"])
    func `a step that outlasts its time is told of before the watchdog comes`(name: String) async throws {
        let server = try PlainServer { request in
            request.target == "/slow"
                ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab" : PlainServer.reply(200, "hello")
        }
        defer { server.stop() }
        let report = try await adapter(name).run([step("\(server.base)/slow")], deadline: 3_000)
        #expect(report.status == 0)
        #expect(report.result()?.text("error") == "timedOut")
        // It was not the client who gave up.
        #expect(report.result()?.text("domain") == "adapter")
    }

    @Test(arguments: ["requests", "aiohttp"])
    func `input that is no assignment and words that are no options are refused`(name: String) async throws {
        let adapter = try await adapter(name)
        let outcome = try await adapter.run(input: [UInt8](#"{"version": 2}"#.utf8))
        #expect(outcome.status == 64)
        #expect(outcome.err.contains("the assignment has version 2; this program knows 1"))
        let misused = try await adapter.run(input: [], arguments: ["--fast"])
        #expect(misused.status == 64)
        #expect(misused.err.contains("unknown argument '--fast'"))
        #expect(outcome.output.isEmpty && misused.output.isEmpty)
    }
}
