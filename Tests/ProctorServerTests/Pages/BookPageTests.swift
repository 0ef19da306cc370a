import Foundation
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// The book at a server: its pages, its search, and the ways to its chapters.
struct BookPageTests {
    /// Small: one thread reads the books of all servers of a process.
    private static let files = [
        "README.md": "# The book\n\n- Format\n  - [Replies](format/replies.md)\n  - [Time](format/time.md)\n",
        "format/replies.md": "# Replies\n\nWhat is sent.\n\n## A stall\n\nIts effects.\n",
        "format/time.md": "# Time\n\nWhen it is sent.\n\n## Effects of a stall\n\nNothing comes.\n\n## Others\n",
    ]

    private func withBook<Result>(
        token: String? = nil, hasBook: Bool = true, _ body: (Server) async throws -> Result
    ) async throws -> Result {
        let text = "summary: A stall\nexchanges: [ { request: GET /, reply: { status: 200 } } ]\n"
        let folder = try TestFolder(Self.files)
        defer { folder.remove() }
        return try await withServer(
            [try scenario(text, id: "time/stall")],
            configure: { configuration in
                configuration.token = token
                configuration.bookFolder = hasBook ? folder.path : nil
            }, body)
    }

    private func get(_ target: String, on server: Server, method: String = "GET") async throws -> ControlReply {
        let text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n"
        return try ControlReply(try await exchange(text, with: server.base))
    }

    @Test func `a page has its text, its policy and nothing of elsewhere`() async throws {
        try await withBook { server in
            let page = try await get("/__proctor/ui/docs/format/replies", on: server)
            #expect(page.status == 200 && page.field("Content-Type") == "text/html; charset=utf-8")
            #expect(page.field("Content-Security-Policy") == PageSecurity.policy)
            #expect(page.body.contains("<title>Replies · Proctor</title>"))
            #expect(page.body.contains("<h1 id=\"replies\">Replies</h1>"))
            #expect(page.body.contains("<a href=\"/__proctor/ui/docs/format/replies\" aria-current=\"page\">"))
            #expect(!page.body.contains("style=") && !page.body.contains("src=\"http"))
            let front = try await get("/__proctor/ui/docs", on: server)
            #expect(front.status == 200 && front.body.contains("href=\"/__proctor/ui/docs/format/replies\""))
            #expect(try await get("/__proctor/ui/docs", on: server, method: "HEAD").body.isEmpty)
        }
    }

    @Test(arguments: [
        ("GET", "/__proctor/ui/docs/nothing", 404), ("GET", "/__proctor/ui/docs/", 200),
        ("GET", "/__proctor/ui/docs/../runs", 404), ("GET", "/__proctor/ui/docs/%2e%2e/x", 404),
        ("POST", "/__proctor/ui/docs", 405), ("GET", "/__proctor/ui/docs?about=nothing", 404),
    ])
    func `what is no page is refused`(method: String, target: String, status: Int) async throws {
        try await withBook { server in
            let reply = try await get(target, on: server, method: method)
            #expect(reply.status == status)
        }
    }

    @Test(arguments: [
        ("R12", "/__proctor/ui/docs/judging/rules-r1#r12-challenge-instead-of-response"),
        ("not-judged", "/__proctor/ui/docs/judging/verdicts#outcomes"),
    ])
    func `a word leads to its chapter`(word: String, address: String) async throws {
        try await withBook { server in
            let reply = try await get("/__proctor/ui/docs?about=\(word)", on: server)
            #expect(reply.status == 303 && reply.field("Location") == address)
        }
    }

    @Test func `the form and the call find the same, scenarios too, and what was typed is escaped`() async throws {
        try await withBook { server in
            let page = try await get("/__proctor/ui/docs?q=stall+effects", on: server)
            let answer = try await call("GET /docs?q=stall+effects", on: server)
            let hits = try answer.list("hits")
            #expect(page.status == 200 && answer.status == 200 && hits.count == 2)
            for hit in hits { #expect(page.body.contains("<a href=\"\(hit["address"] as? String ?? "?")\">")) }
            let scenarios = try await ProctorServerTests.call("GET /docs?q=stall", on: server).list("hits")
            #expect(scenarios.last?["address"] as? String == "/time/stall")
            #expect(scenarios.last?["kind"] as? String == "scenario")
            let hostile = try await get("/__proctor/ui/docs?q=%22%3E%3Cscript%3Ezzzz", on: server)
            #expect(hostile.body.contains("Nothing in the book") && !hostile.body.contains("><script>zzzz"))
            #expect(try await ProctorServerTests.call("GET /docs", on: server).list("hits").isEmpty)
        }
    }

    @Test func `pages need no token, and calls do`() async throws {
        try await withBook(token: "secret") { server in
            for page in ["/format/replies", "?q=stall"] {
                let reply = try await get("/__proctor/ui/docs\(page)", on: server)
                #expect(reply.status == 200)
            }
            let answer = try await call("GET /docs?q=stall", on: server)
            #expect(answer.status == 401)
        }
    }

    @Test func `a server without the folder says so`() async throws {
        try await withBook(hasBook: false) { server in
            let page = try await get("/__proctor/ui/docs", on: server)
            #expect(page.status == 404 && page.body.contains("this server has no book"))
        }
    }
}
