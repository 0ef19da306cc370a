import Foundation
import ProctorServer
import Testing

/// The catalogue and the page of one scenario, for browsers and for curl.
struct CataloguePageTests {
    /// Everything a fixture can say, said by somebody who wants to break the page.
    private static let hostile = """
        summary: "</h1><script>alert('1')</script> & \\"q\\""
        spec: [ "RFC 9110 §15.4.3", "\\"><img src=x onerror=alert(2)>", "RFC 9110 §<b>", "Fetch, HTTP-redirect fetch" ]
        exchanges:
          - { request: "GET /<b>x&y</b>", reply: { status: 200, reason: "<i>", body: ok } }
        cases:
          get:
            kind: observes
            summary: "<svg onload=alert(3)>"
            client: { method: POST, url: "/'><script>", body: "</pre><script>", headers: { X-A: "<'\\">" } }
            wire: request(GET /*)
          must: { client: { url: / } }
        """
    private static let rooted = """
        summary: A root is needed
        spec: WHATWG URL
        exchanges: [ { request: GET /, reply: { status: 302, headers: { Location: /b } } } ]
        """

    private func withPages<Result>(_ body: (Server) async throws -> Result) async throws -> Result {
        try await withServer(
            [
                try scenario(Self.hostile, id: "evil/one"), try scenario(Self.rooted, id: "evil/deep/rooted"),
                try scenario(Self.rooted, id: "alone"),
            ], body)
    }

    private func get(
        _ target: String, on server: Server, accept: String = "text/html", method: String = "GET"
    ) async throws -> ControlReply {
        try ControlReply(
            try await exchange(.request("\(method) \(target)", "Accept: \(accept)"), with: server.base).text)
    }

    @Test func `a browser gets a page that links every scenario and family, and runs nothing`() async throws {
        try await withPages { server in
            let reply = try await get("/", on: server, accept: "text/html,application/xhtml+xml,*/*;q=0.8")
            #expect(reply.status == 200 && reply.field("Content-Type") == "text/html; charset=utf-8")
            let page = try Markup(reply.body)
            page.expectHarmless()
            for id in ["alone", "evil/one", "evil/deep/rooted"] { #expect(page.links.contains("/\(id)")) }
            let anchors = page.links.filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
            #expect(anchors == page.tags.filter { $0.name == "h2" }.compactMap { $0.attributes["id"] })
            #expect(anchors.sorted() == ["evil", "evil/deep", "scenarios"])
            #expect(page.text.contains("3 scenarios stand here, each at http://a/ID/"))
            #expect(
                page.text.contains("&lt;/h1&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;q&quot;"))
            #expect(page.text.contains("prefers-color-scheme: dark"))
        }
    }

    @Test func `documents link to where they can be read, and only known ones`() async throws {
        try await withPages { server in
            for target in ["/", "/evil/one"] {
                let outward = try Markup(try await get(target, on: server).body).links.filter { $0.hasPrefix("https:") }
                #expect(outward.contains("https://www.rfc-editor.org/rfc/rfc9110#section-15.4.3"))
                #expect(outward.contains("https://www.rfc-editor.org/rfc/rfc9110"))
                #expect(outward.contains("https://fetch.spec.whatwg.org/"))
                #expect(outward.count == (target == "/" ? 5 : 3))
            }
        }
    }

    @Test func `a scenario's page has its exchanges, cases and lines to copy, all escaped`() async throws {
        try await withPages { server in
            let reply = try await get("/evil/one", on: server)
            #expect(reply.status == 200 && reply.field("Content-Type") == "text/html; charset=utf-8")
            let page = try Markup(reply.body)
            page.expectHarmless()
            #expect(page.text.contains("http://a/evil/one/"))
            #expect(page.text.contains("GET /&lt;b&gt;x&amp;y&lt;/b&gt;"))
            #expect(page.text.contains("200 &lt;i&gt;"))
            #expect(page.text.contains("&lt;svg onload=alert(3)&gt;"))
            #expect(page.text.contains("curl -i -L -H &#39;X-A: &lt;&#39;\\&#39;&#39;&quot;&gt;&#39; --data-binary"))
            #expect(page.tags.count { $0.attributes["class"] == "kind observes" } == 1)
            #expect(page.tags.count { $0.attributes["class"] == "kind must" } == 1)
            #expect(page.links.first == "/")
        }
    }

    @Test func `the page of a scenario that needs a root names the address where it stands`() async throws {
        try await withPages { server in
            let page = try Markup(try await get("/alone", on: server).body)
            let base = try #require(page.text.firstMatch(of: /http:\/\/127[0-9.]+:[0-9]+/)).0
            #expect(try await exchange(.request("GET /"), with: String(base)).text.hasPrefix("HTTP/1.1 302 Found\r\n"))
            #expect(page.text.contains("It has ports of its own: "))
        }
    }

    @Test func `curl gets text, and a HEAD the head of what GET would give`() async throws {
        try await withPages { server in
            for target in ["/", "/evil/one", "/alone"] {
                let text = try await get(target, on: server, accept: "*/*")
                #expect(text.status == 200 && text.field("Content-Type") == "text/plain; charset=utf-8")
                for accept in ["*/*", "text/html"] {
                    let whole = try await get(target, on: server, accept: accept)
                    let head = try await get(target, on: server, accept: accept, method: "HEAD")
                    #expect(head.status == 200 && head.body.isEmpty)
                    #expect(head.head == whole.head)
                    #expect(head.field("Content-Length") == "\(whole.body.utf8.count)")
                }
            }
        }
    }

    @Test func `an empty catalogue is a page too`() async throws {
        try await withServer([]) { server in
            let page = try Markup(try await get("/", on: server).body)
            page.expectHarmless()
            #expect(page.text.contains("0 scenarios stand here"))
        }
    }
}
