import ProctorServer
import Testing

/// Requests as browsers and programs send them, by the address of scenarios and by the host of the pages.
struct BrowserMarkTests {
    /// What Chromium 156, Firefox 153 and WebKitGTK 2.50 send with every request, and their scripts can't leave out.
    private static let browser = ["Accept-Encoding: gzip, deflate, br, zstd", "Accept-Language: en-US,en;q=0.9"]
    private static let html = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    private static let typed = [html, "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: none"]

    private static func fetched(from site: String, mode: String = "cors") -> [String] {
        ["Accept: */*", "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: \(mode)", "Sec-Fetch-Site: \(site)"]
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        var call = "GET /runs"
        /// Besides those of every browser.
        var fields: [String] = []
        /// By the addresses of scenarios.
        let atScenarios: String
        /// By the host of the pages.
        let atPages: String

        var testDescription: String { name }
    }

    /// A status, or the code of a refusal; SELF is the origin that the request is for.
    private static let rows = [
        Row(name: "a typed page", call: "GET /ui/runs", fields: typed, atScenarios: "307", atPages: "200"),
        Row(name: "a typed call", fields: typed, atScenarios: "307", atPages: "200"),
        Row(
            name: "a fetch of its own page", fields: fetched(from: "same-origin"), atScenarios: "pages-host",
            atPages: "200"),
        Row(
            name: "a fetch that asks for a page", fields: fetched(from: "same-origin") + [html], atScenarios: "307",
            atPages: "200"),
        Row(
            name: "a fetch without CORS", fields: fetched(from: "same-origin", mode: "no-cors"),
            atScenarios: "pages-host", atPages: "200"),
        Row(
            name: "a POST of its own page", call: "POST /runs", fields: ["Origin: SELF"] + fetched(from: "same-origin"),
            atScenarios: "pages-host", atPages: "201"),
        Row(
            name: "a form of its own page", call: "POST /ui/start?scenario=other",
            fields: [html, "Origin: SELF", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: same-origin"],
            atScenarios: "pages-host", atPages: "303"),
        Row(
            name: "a fetch of a page of the other host", fields: ["Origin: OTHER"] + fetched(from: "cross-site"),
            atScenarios: "foreign-origin", atPages: "foreign-origin"),
        Row(
            name: "the same without CORS", fields: fetched(from: "cross-site", mode: "no-cors"),
            atScenarios: "cross-site", atPages: "cross-site"),
        Row(
            name: "a fetch of another port of the host", fields: fetched(from: "same-site", mode: "no-cors"),
            atScenarios: "cross-site", atPages: "cross-site"),
        Row(
            name: "a form of another site", call: "POST /ui/start?scenario=other",
            fields: [html, "Origin: http://evil.example", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site"],
            atScenarios: "foreign-origin", atPages: "foreign-origin"),
        Row(
            name: "a form without a referrer", call: "POST /ui/start?scenario=other",
            fields: [html, "Origin: null", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site"],
            atScenarios: "foreign-origin", atPages: "foreign-origin"),
        Row(
            name: "a frame of another site", call: "GET /ui/runs",
            fields: [html, "Sec-Fetch-Dest: iframe", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site"],
            atScenarios: "307", atPages: "403"),
        Row(
            name: "a link of another site", call: "GET /ui/runs",
            fields: [html, "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site"],
            atScenarios: "307", atPages: "403"),
        Row(
            name: "an event stream of its own page", call: "GET /shared/journal",
            fields: ["Accept: text/event-stream", "Sec-Fetch-Mode: cors", "Sec-Fetch-Site: same-origin"],
            atScenarios: "pages-host", atPages: "200"),
        // Chromium has no Fetch Metadata there.
        Row(
            name: "a WebSocket of its own page", fields: ["Origin: SELF", "Sec-WebSocket-Version: 13"],
            atScenarios: "pages-host", atPages: "200"),
        Row(
            name: "a WebSocket of the other host", fields: ["Origin: OTHER", "Sec-WebSocket-Version: 13"],
            atScenarios: "foreign-origin", atPages: "foreign-origin"),
        // Browsers before Fetch Metadata.
        Row(
            name: "a page typed into an old browser", call: "GET /ui/runs", fields: [html], atScenarios: "307",
            atPages: "200"),
        Row(
            name: "a fetch of an old browser", fields: ["Accept: a/b", "User-Agent: curl/8.0"],
            atScenarios: "pages-host", atPages: "unmarked-browser"),
        Row(
            name: "a fetch of an old browser by its own page",
            fields: ["Accept: */*", "Referer: SELF/__proctor/ui/runs"],
            atScenarios: "pages-host", atPages: "200"),
        Row(
            name: "a fetch of an old browser by another page", fields: ["Accept: */*", "Referer: OTHER/"],
            atScenarios: "pages-host", atPages: "unmarked-browser"),
        Row(
            name: "a form of an old browser without Origin", call: "POST /ui/start?scenario=other", fields: [html],
            atScenarios: "pages-host", atPages: "unmarked-browser"),
    ]

    private static func outcome(
        of call: String, _ fields: [String], host: String, on server: Server
    ) async throws -> String {
        let body = call.hasPrefix("POST") ? #"{"scenario":"other"}"# : nil
        let reply = try await ProctorServerTests.call(call, on: server, body: body, fields: fields, host: host)
        guard reply.status == 403, reply.field("Content-Type") == "application/json" else { return "\(reply.status)" }
        return try reply.error.code
    }

    @Test(arguments: rows)
    func `a browser reaches calls by the host of the pages alone, and from its pages`(row: Row) async throws {
        try await withControl { server in
            let scenarios = "\(server.address)"
            let pages = String(try #require(server.pagesBase).dropFirst("http://".count))
            for (host, other, wanted) in [(scenarios, pages, row.atScenarios), (pages, scenarios, row.atPages)] {
                let fields = (row.fields + Self.browser).map {
                    $0.replacing("SELF", with: "http://\(host)").replacing("OTHER", with: "http://\(other)")
                }
                #expect(try await Self.outcome(of: row.call, fields, host: host, on: server) == wanted, "\(host)")
            }
            let made = try await call("GET /runs", on: server).list("runs")
            #expect(made.count == (row.atPages == "201" || row.atPages == "303" ? 1 : 0))
        }
    }

    @Test(arguments: [
        ("curl", ["Accept: */*", "User-Agent: curl/7.88.1"]),
        ("Python", ["Accept: */*", "Accept-Encoding: gzip, deflate", "Connection: keep-alive"]),
        ("Go", ["Accept-Encoding: gzip", "User-Agent: Go-http-client/1.1"]),
        ("Java", ["User-Agent: Java-http-client/17.0.1"]),
        ("Node", ["Accept-Encoding: gzip, deflate", "Accept-Language: *", "Sec-Fetch-Mode: cors", "User-Agent: node"]),
        ("Deno", ["Accept-Encoding: gzip,br", "Accept-Language: *", "User-Agent: Deno/2.0.0"]),
        (
            "URLSession on Linux",
            ["Accept-Encoding: deflate, gzip, br", "Accept-Language: en", "Connection: keep-alive"]
        ),
        ("PowerShell", ["Accept-Encoding: gzip, deflate, br", "User-Agent: Mozilla/5.0 (Linux) PowerShell/7.4.0"]),
    ])
    func `a program notices nothing of it`(program: String, fields: [String]) async throws {
        try await withControl { server async throws in
            for (host, count) in [("\(server.address)", 1), ("localhost:9", 2), ("proctor.localhost", 3)] {
                #expect(try await Self.outcome(of: "POST /runs", fields, host: host, on: server) == "201", "\(host)")
                #expect(try await Self.outcome(of: "GET /ui/runs", fields, host: host, on: server) == "200")
                #expect(try await call("GET /runs", on: server, fields: fields).list("runs").count == count)
            }
        }
    }

    @Test func `with a token a call may come from whatever sends it, and a page to type it into may not`() async throws
    {
        try await withControl(configure: { $0.token = "secret" }) { server async throws in
            let fields = Self.browser + ["Authorization: Bearer secret"]
            #expect(try await Self.outcome(of: "GET /runs", fields, host: "127.0.0.1", on: server) == "200")
            #expect(
                try await Self.outcome(of: "GET /ui/runs", fields + [Self.html], host: "127.0.0.1", on: server) == "307"
            )
        }
    }
}
