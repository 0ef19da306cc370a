import Foundation
import ProctorJournal
import ProctorServer
import ProctorTestWire
import Testing

/// The well-known port: its pages, the standing mounts, and what needs a root of its own.
struct SharedPortTests {
    private static let mounted = """
        summary: A mount that names itself
        spec: RFC 9110 §15.4
        exchanges:
          - request: GET /go
            reply: { status: 302, headers: { Location: "{{base}}/there" }, body: "{{origin}} {{authority}}" }
          - { request: GET /there, reply: [ { status: 200, body: a }, { status: 200, body: b } ] }
          - { request: GET /, reply: { status: 200, body: root } }
        cases:
          follow: { client: { url: /go }, wire: request(GET /go) request(GET /there) }
          post:
            kind: should
            summary: with a body
            client: { method: POST, url: "/go?x=it's", body: "a b", headers: { X-A: "1 2" }, onRedirect: refuse }
            wire: request(POST /go)
        """
    private static let rooted = """
        summary: A root is needed
        exchanges:
          - { request: GET /a, reply: { status: 302, headers: { Location: /b }, body: "{{base}}" } }
          - { request: GET /b, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        """

    private func withCatalogue<Result>(_ body: (Server) async throws -> Result) async throws -> Result {
        try await withServer(
            [
                try scenario(Self.mounted, id: "redirect/mounted"), try scenario(Self.rooted, id: "redirect/rooted"),
                try scenario(Self.rooted, id: "other/thing"),
            ], body)
    }

    private func get(_ target: String, _ base: String, host: String = "h:1") async throws -> String {
        try await exchange("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", with: base).text
    }

    @Test func `the root lists every scenario with its summary`() async throws {
        let page = try await withCatalogue { server in try await get("/", server.base) }
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"))
        #expect(page.contains("proctor serves 3 scenarios;"))
        #expect(page.contains("\n/redirect/mounted\n    A mount that names itself\n"))
        #expect(page.contains("\n/other/thing\n"))
    }

    @Test func `a bare address explains the scenario, with lines that can be pasted`() async throws {
        try await withCatalogue { server in
            for target in ["/redirect/mounted", "/redirect/mounted?x"] {
                let page = try await get(target, server.base)
                #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(page.contains("redirect/mounted\nA mount that names itself\nRFC 9110 §15.4\n"))
                #expect(page.contains("base: http://h:1/redirect/mounted\n"))
                #expect(page.contains("    curl -i -L http://h:1/redirect/mounted/go\n"))
                #expect(
                    page.contains(
                        "post (should): with a body\n    curl -i -H 'X-A: 1 2' --data-binary 'a b' "
                            + "'http://h:1/redirect/mounted/go?x=it'\\''s'\n    about: request, reply\n    wire: request(POST /go)\n"
                    ))
                #expect(page.contains("/go\n    about: request\n    wire: request(GET /go) request(GET /there)\n"))
            }
        }
    }

    @Test func `an address that is none gets 404 with the nearest id`() async throws {
        try await withCatalogue { server in
            let page = try await get("/redirect/mountd", server.base)
            #expect(page.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(page.contains("no scenario stands at /redirect/mountd\ndid you mean /redirect/mounted ?\n"))
            let far = try await get("/nothing-like-it/x", server.base)
            #expect(far.hasPrefix("HTTP/1.1 404 ") && !far.contains("did you mean"))
            let head = try await exchange("HEAD /none HTTP/1.1\r\nHost: a\r\n\r\n", with: server.base).text
            #expect(head.hasPrefix("HTTP/1.1 404 ") && head.hasSuffix("\r\n\r\n"))
            for target in ["*", "http://localhost/none"] {
                let request = "OPTIONS \(target) HTTP/1.1\r\nHost: h\r\n\r\n"
                #expect(try await exchange(request, with: server.base).text.hasPrefix("HTTP/1.1 404 "))
            }
        }
    }

    @Test func `a mount serves below its id, and names the host the client used`() async throws {
        try await withCatalogue { server in
            for host in ["h:1", "example.org", "[::1]:80"] {
                let page = try await get("/redirect/mounted/go", server.base, host: host)
                #expect(page.contains("\r\nLocation: http://\(host)/redirect/mounted/there\r\n"))
                #expect(page.hasSuffix("\r\n\r\nhttp://\(host) \(host)"))
            }
            #expect(try await get("/redirect/mounted/", server.base).hasSuffix("\r\n\r\nroot"))
            let absolute = try await get("http://localhost:1/redirect/mounted/go", server.base, host: "localhost:1")
            #expect(absolute.contains("Location: http://localhost:1/redirect/mounted/there\r\n"))
            // The second visitor sees what the first one saw.
            for wanted in ["a", "b", "a"] {
                #expect(try await get("/redirect/mounted/there", server.base).hasSuffix("\r\n\r\n\(wanted)"))
            }
        }
    }

    @Test(arguments: ["a\"b", "a;b", "a,b", "a!b", "<b>"])
    func `a Host that could break out of a URL or a field is not repeated`(host: String) async throws {
        try await withCatalogue { server in
            for target in ["/redirect/mounted/go", "/redirect/mounted"] {
                let page = try await get(target, server.base, host: host)
                #expect(!page.contains("http://\(host)"))
            }
        }
    }

    @Test func `without Host the mount names localhost`() async throws {
        try await withCatalogue { server in
            let page = try await exchange("GET /redirect/mounted/go HTTP/1.0\r\n\r\n", with: server.base).text
            #expect(page.contains("\r\nLocation: http://localhost/redirect/mounted/there\r\n"))
        }
    }

    @Test func `a scenario that needs a root gets 421 with an address, which works, and stays the same`() async throws {
        try await withCatalogue { server in
            let page = try await get("/redirect/rooted/a", server.base)
            #expect(page.hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"))
            let field = try #require(page.components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Location: ") })
            let base = String(field.dropFirst("Content-Location: ".count).dropLast())
            #expect(page.contains("scenario redirect/rooted needs a root of its own: "))
            #expect(page.contains("(redirect/rooted.yaml:3:"))
            #expect(page.contains("it stands at \(base)/\n"))

            let there = try await get("/a", base)
            #expect(there.contains("\r\nLocation: /b\r\n") && there.hasSuffix(base))
            for wanted in ["one", "two", "one"] { #expect(try await get("/b", base).hasSuffix(wanted)) }
            #expect(try await get("/redirect/rooted/b", server.base).contains("Content-Location: \(base)/\r\n"))
            #expect(try await get("/redirect/rooted", server.base).contains("base: \(base)\n"))
            #expect(!(try await get("/other/thing/a", server.base).contains(base)))
        }
    }

    @Test func `one connection can visit pages and mounts, each with a journal of its own`() async throws {
        let lines = try await journalFile { server in
            let got = try await exchange(
                ["/", "/redirect/mounted/go", "/none", "/redirect/mounted/there", "/other/thing/x"].map {
                    String.request("GET \($0)")
                }.joined(), with: server.base)
            #expect(got.text.components(separatedBy: "HTTP/1.1 ").count == 6)
        }
        let mine = lines.filter { $0.contains("\"scenario\":\"redirect/mounted\"") }
        #expect(mine.count { $0.contains("\"ev\":\"requestHead\"") } == 2)
        #expect(mine.contains { $0.contains("\"target\":\"/go\"") })
        #expect(mine.count { $0.contains("\"ev\":\"connectionClosed\"") } == 1)
        let lobby = lines.dropFirst().filter { !$0.contains("\"scenario\":") }
        #expect(lobby.count { $0.contains("\"ev\":\"requestHead\"") } == 3)
        #expect(lines.first == "{\"journal\":\"proctor\",\"version\":2,\"clock\":\"monotonic\",\"unit\":\"ns\"}")
    }

    private func journalFile(_ body: (Server) async throws -> Void) async throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try JournalFile(path: path) { Issue.record("\($0)") }
        try await withServer(
            [
                try scenario(Self.mounted, id: "redirect/mounted"), try scenario(Self.rooted, id: "other/thing"),
            ], configure: { $0.journalFile = file }, body)
        file.flush()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func `a body that can't be read behind a page ends the connection`() async throws {
        try await withCatalogue { server in
            let got = try await exchange(
                .request("PUT /", "Transfer-Encoding: chunked") + "zz\r\n" + .request("GET /"), with: server.base)
            #expect(got.ending == .closed)
            #expect(got.text.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test func `two servers can't stand on one port, with one loop or two`() async throws {
        try await withCatalogue { server in
            for threadCount in [1, 2] {
                var configuration = ServerConfiguration()
                configuration.address = server.address
                configuration.threadCount = threadCount
                await #expect(throws: ServerStartFailure.self) {
                    try await Server.start(Catalogue([]), configuration: configuration)
                }
            }
        }
    }
}
