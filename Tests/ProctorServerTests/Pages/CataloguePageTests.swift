import Foundation
import Testing

@testable import ProctorGrading
@testable import ProctorServer

/// The catalogue and the page of one scenario, for browsers and for curl.
struct CataloguePageTests {
    /// Texts of a fixture that would break a page which does not escape them.
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
            try await exchange(.request("\(method) \(target)", "Accept: \(accept)"), with: server.base))
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

/// Where a document that a fixture names can be read.
struct SpecLinkTests {
    @Test(arguments: [
        ("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110"),
        ("RFC 9110 §15.4.3", "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.3"),
        ("RFC 9112, §2.2", "https://www.rfc-editor.org/rfc/rfc9112#section-2.2"),
        ("RFC 3986 Appendix B", "https://www.rfc-editor.org/rfc/rfc3986"),
        ("RFC 3986 §", "https://www.rfc-editor.org/rfc/rfc3986"),
        ("RFC 9112 Appendix C.2.2", "https://www.rfc-editor.org/rfc/rfc9112#appendix-C.2.2"),
        (
            "RFC 6265bis §5.5",
            "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#section-5.5"
        ), ("WHATWG MIME Sniffing §7", "https://mimesniff.spec.whatwg.org/"),
        ("Fetch, HTTP-redirect fetch", "https://fetch.spec.whatwg.org/"),
        ("URL Standard, path state", "https://url.spec.whatwg.org/"),
        ("WHATWG URL", "https://url.spec.whatwg.org/"),
    ])
    func `a known document has an address`(document: String, address: String) {
        #expect(SpecLink.address(of: document) == address)
    }

    @Test(arguments: ["", "RFC", "RFC x", "RFC 0", "RFC -1", "rfc 9110", "Fetching", "URL", "javascript:alert(1)"])
    func `an unknown one has none`(document: String) {
        #expect(SpecLink.address(of: document) == nil)
    }
}

/// A page's tags, read strictly: what is no tag of ours shows up as one that is not permitted.
struct Markup {
    struct Tag {
        let name: String
        let attributes: [String: String]
    }

    private(set) var tags: [Tag] = []
    /// The text without tags, still escaped.
    private(set) var text = ""

    private static let void: Set = ["!doctype", "meta", "link"]
    static let permitted: Set = [
        "!doctype", "html", "head", "meta", "link", "title", "style", "body", "main", "h1", "h2", "h3", "p", "nav", "a",
        "ul", "li", "span", "code", "pre", "dl", "dt", "dd",
    ]

    /// Throws when elements are not properly nested.
    init(_ html: String) throws {
        var open: [String] = []
        var rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            let end = try #require(rest[start...].firstIndex(of: ">"))
            let inside = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if inside.hasPrefix("/") {
                #expect(open.popLast() == String(inside.dropFirst()))
            } else {
                let name = String(inside.prefix { $0 != " " })
                var attributes: [String: String] = [:]
                for match in inside.matches(of: /([a-z]+)="([^"]*)"/) { attributes[String(match.1)] = String(match.2) }
                tags.append(Tag(name: name, attributes: attributes))
                if !Self.void.contains(name) { open.append(name) }
            }
        }
        text += rest
        #expect(open.isEmpty)
    }

    var links: [String] { tags.filter { $0.name == "a" }.compactMap { $0.attributes["href"] } }

    /// Whether the page is made of our elements and attributes alone, and can neither run nor fetch anything.
    func expectHarmless() {
        #expect(Set(tags.map(\.name)).subtracting(Self.permitted).isEmpty)
        let names = Set(tags.flatMap(\.attributes.keys))
        #expect(names.subtracting(["lang", "charset", "name", "content", "id", "class", "href", "rel"]).isEmpty)
        for tag in tags where tag.name == "link" {
            #expect(tag.attributes == ["rel": "icon", "href": "data:,"], "an icon that needs no request")
        }
        for link in links { #expect(link.hasPrefix("/") || link.hasPrefix("#") || link.hasPrefix("https://")) }
        #expect(!text.contains("url(") && !text.contains("@import"))
    }
}
