import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorTestWire
import Testing

/// The host of the pages: what answers there, and who is led there.
struct PagesHostTests {
    private static let typed = "Accept: text/html\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\n"

    private func get(
        _ target: String, host: String = "proctor.localhost:9", _ more: String = "", on server: Server
    ) async throws -> ControlReply {
        try ControlReply(
            try await exchange("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n", with: server.base))
    }

    @Test(arguments: ["proctor.localhost:9", "PROCTOR.LOCALHOST:9", "proctor.localhost.:9"])
    func `no scenario answers there, and none is begun`(host: String) async throws {
        try await withControl { server in
            for target in ["/other/", "/other/x?y", "/plain/deep/origins/", "http://\(host)/other/"] {
                let reply = try await get(target, host: host, on: server)
                let path = target.hasPrefix("/") ? target : "/other/"
                #expect(reply.status == 421, "\(target)")
                #expect(
                    reply.body
                        == "no scenario answers at proctor.localhost, which has the pages\n\nask http://127.0.0.1:9\(path)\n"
                )
            }
            #expect(try await call("GET /runs", on: server).list("runs").isEmpty)
            let found = try await get("/nothing", host: host, on: server)
            #expect(found.status == 404 && found.body.hasPrefix("no scenario stands at /nothing\n"))
        }
    }

    @Test func `the scenarios of the root do not either, and the catalogue is at the root`() async throws {
        let home = try scenario("summary: Home\nexchanges: [ { request: GET /, reply: { status: 200, body: home } } ]")
        try await withServer([home], configure: { $0.rootScenarios = ["test/one"] }) { server async throws in
            #expect(try await get("/", host: "127.0.0.1:9", Self.typed, on: server).body == "home")
            #expect(try await get("/", Self.typed, on: server).body.contains("<h1>1 scenarios</h1>"))
            #expect(try await get("/base64/eA", on: server).status == 421)
        }
    }

    @Test func `pages and calls say by which address scenarios answer`() async throws {
        try await withControl { server async throws in
            #expect(try await get("/other", on: server).body.contains("base: http://127.0.0.1:9/other\n"))
            #expect(try await get("/", Self.typed, on: server).body.contains("<code>http://127.0.0.1:9/ID/</code>"))
            let run = try await call("GET /standing/other", on: server, host: "proctor.localhost:9")
            #expect(try run.text("base") == "http://127.0.0.1:9/other")
        }
    }

    @Test(arguments: ["/", "/plain", "/other", "/other?x=1", "/nothing", "/__proctor/ui/runs", "/__proctor/runs"])
    func `a typed address of a page leads there`(target: String) async throws {
        try await withControl { server in
            for host in ["127.0.0.1:9", "localhost:9", "[::1]:9", "localhost"] {
                let reply = try await get(target, host: host, Self.typed, on: server)
                let port = host == "localhost" ? "" : ":9"
                #expect(reply.status == 307 && reply.field("Location") == "http://proctor.localhost\(port)\(target)")
                #expect(reply.field("Cache-Control") == "no-store")
            }
            // A name that may lead a browser elsewhere than to its own machine leads to no other name.
            let far = try await get("/", host: "10.0.0.1:9", Self.typed, on: server)
            #expect(far.status == 403 && far.body.contains("through a tunnel"))
            let script = try await get("/__proctor/assets/run.js", host: "127.0.0.1:9", Self.typed, on: server)
            #expect(script.status == 200)
        }
    }

    @Test(arguments: ["/", "/plain", "/other", "/plain/deep/origins"])
    func `a browser under a rebound name reads no page`(target: String) async throws {
        let fields = "Accept: text/html\r\nAccept-Language: en\r\nAccept-Encoding: gzip, deflate\r\n"
        try await withControl { server in
            for more in [fields, Self.typed, "Accept: text/html\r\nOrigin: http://rebound.example\r\n"] {
                let reply = try await get(target, host: "rebound.example:9", more, on: server)
                #expect(reply.status == 403 && !reply.body.contains("Two turns"), "\(more)")
            }
            #expect(try await call("GET /runs", on: server).list("runs").isEmpty)
            // Programs have names of their own for a server.
            #expect(try await get(target, host: "container:9", on: server).status != 403)
        }
    }

    @Test func `an old browser opens no ports by the page of a scenario`() async throws {
        let fields = "Accept: text/html\r\nAccept-Language: en\r\nAccept-Encoding: gzip, deflate\r\n"
        try await withControl { server async throws in
            #expect(try await get("/other", fields, on: server).status == 200)
            #expect(try await get("/plain/deep/origins", fields, on: server).status == 403)
            #expect(try await call("GET /runs", on: server).list("runs").isEmpty)
            let led = fields + "Referer: http://proctor.localhost:9/plain\r\n"
            #expect(try await get("/plain/deep/origins", led, on: server).status == 200)
        }
    }

    @Test func `two Host fields and one with user information are refused`() async throws {
        try await withControl { server async throws in
            for lines in ["127.0.0.1\r\nHost: evil.example", "evil@127.0.0.1", "127.0.0.1:80@evil.example", "[::1"] {
                #expect(try await get("/__proctor/runs", host: lines, on: server).status == 400, "\(lines)")
            }
        }
    }

    @Test func `another name can be given, to which any address leads`() async throws {
        try await withControl(configure: { $0.pagesHost = "Pages.Test" }) { server in
            let reply = try await get("/other", host: "10.0.0.1:9", Self.typed, on: server)
            #expect(reply.status == 307 && reply.field("Location") == "http://pages.test:9/other")
            #expect(try await get("/other/", host: "pages.test:9", on: server).status == 421)
            #expect(try await get("/other/", on: server).body == "one")
            #expect(server.pagesBase == "http://pages.test:\(server.address.port ?? 0)")
        }
    }

    @Test(arguments: [("127.0.0.1", true), ("127.0.0.2", false), ("0.0.0.0", true)])
    func `the pages are announced where browsers lead their name`(host: String, isLed: Bool) async throws {
        try await withServer([], configure: { $0.address = .ipv4(host: host, port: 0) }) { server in
            #expect((server.pagesBase != nil) == isLed)
        }
    }
}
