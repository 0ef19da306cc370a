import Foundation
import ProctorFixtures
import ProctorReport
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
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

    @Test func `a browser gets a page that links every family, and runs nothing of a fixture's`() async throws {
        try await withPages { server in
            let reply = try await get("/", on: server, accept: "text/html,application/xhtml+xml,*/*;q=0.8")
            #expect(reply.status == 200 && reply.field("Content-Type") == "text/html; charset=utf-8")
            let page = try Markup(reply.body)
            page.expectHarmless()
            for link in ["/alone", "/evil"] { #expect(page.links.contains(link)) }
            #expect(page.text.contains("3 scenarios") && page.text.contains("http://a/ID/"))
        }
    }

    @Test func `a family has its folders and scenarios, all escaped, and is no page for curl`() async throws {
        try await withPages { server in
            let page = try Markup(try await get("/evil", on: server).body)
            page.expectHarmless()
            for id in ["evil/one", "evil/deep/rooted"] { #expect(page.links.contains("/\(id)")) }
            #expect(!page.links.contains("/alone"))
            let anchors = page.links.filter { $0.hasPrefix("#") && $0 != "#main" }.map { String($0.dropFirst()) }
            #expect(anchors == ["evil/deep", "evil"])
            #expect(anchors == page.tags.filter { $0.name == "h2" }.compactMap { $0.attributes["id"] })
            #expect(
                page.text.contains("&lt;/h1&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;q&quot;"))
            #expect(try Markup(try await get("/evil/deep", on: server).body).links.contains("/evil/deep/rooted"))
            #expect(try await get("/evil", on: server, accept: "*/*").status == 404)
            #expect(try await get("/evi", on: server).status == 404)
        }
    }

    @Test(arguments: [
        ("q=ROOT", ["/evil/deep/rooted", "/alone"]), ("q=root+302", ["/evil/deep/rooted", "/alone"]),
        ("q=root+204", []), ("q=15.4.3", ["/evil/one"]), ("q=location", ["/alone", "/evil/deep/rooted"]),
        ("kind=observes", ["/evil/one"]), ("kind=observes&q=root", []),
        ("ability=digest", []), ("q=%22%3E%3Cscript%3E", []),
    ])
    func `a search finds by words, kind and ability`(query: String, found: [String]) async throws {
        try await withPages { server in
            let page = try Markup(try await get("/?\(query)", on: server).body)
            page.expectHarmless()
            let scenarios = page.links.filter { ["/alone", "/evil/one", "/evil/deep/rooted"].contains($0) }
            #expect(scenarios == found)
        }
    }

    @Test func `a search without a browser is answered as text`() async throws {
        try await withPages { server in
            let reply = try await get("/?q=302", on: server, accept: "*/*")
            #expect(reply.status == 200 && reply.field("Content-Type")?.hasPrefix("text/plain") == true)
            #expect(reply.body.hasPrefix("2 scenarios found\n\n/alone\n"), "\(reply.body)")
            let none = try await get("/?q=nowhere", on: server, accept: "*/*")
            #expect(none.body.hasPrefix("0 scenarios found\n"))
        }
    }

    @Test func `a miss is a page for a browser and text for curl`() async throws {
        try await withPages { server in
            for target in ["/<b>", "/evil/one/<b>", "/alone/x"] {
                let page = try await get(target, on: server)
                let text = try await get(target, on: server, accept: "*/*")
                #expect(page.status == text.status && page.status >= 400)
                #expect(page.field("Content-Type") == "text/html; charset=utf-8")
                #expect(page.field("Content-Location") == text.field("Content-Location"))
                let markup = try Markup(page.body)
                #expect(Set(markup.tags.map(\.name)).isSubset(of: Markup.permitted))
                #expect(text.field("Content-Type") == "text/plain; charset=utf-8")
            }
        }
    }

    @Test func `documents link to where they can be read, and only known ones`() async throws {
        try await withPages { server in
            for target in ["/evil", "/evil/one"] {
                let outward = try Markup(try await get(target, on: server).body).links.filter { $0.hasPrefix("https:") }
                #expect(outward.contains("https://www.rfc-editor.org/rfc/rfc9110#section-15.4.3"))
                #expect(outward.contains("https://www.rfc-editor.org/rfc/rfc9110"))
                #expect(outward.contains("https://fetch.spec.whatwg.org/"))
                #expect(outward.count == (target == "/evil" ? 4 : 3))
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
            #expect(page.links.contains("/evil"))
        }
    }

    @Test func `a scenario's page has the conversation, and its file line by line`() async throws {
        let yaml = """
            summary: Effects
            exchanges:
              - request: GET /a
                reply: { status: 200, body: "<b>&", effects: [{ at: body 1, do: stall }] }  # <i>
              - request: GET /b
                reply: [ { status: 503 }, { raw: "HTTP/1.1 204 No Content\\r\\n\\r\\n" } ]
            """
        let folder = try TestFolder(["effects.yaml": yaml])
        let file = "\(folder.path)/effects.yaml"
        let (parsed, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "a/effects", file: file)
        let scenario = try #require(parsed, "\(diagnostics)")
        try await withServer([scenario]) { server in
            let page = try Markup(try await get("/a/effects", on: server).body)
            page.expectHarmless()
            #expect(page.text.contains("HTTP/1.1 200 OK") && page.text.contains("&lt;b&gt;&amp;"))
            #expect(page.text.contains("◆ stall at body 1"))
            #expect(page.text.contains("← 1. 503") && page.text.contains("← 2. raw bytes"))
            #expect(page.text.contains("# &lt;i&gt;"))
            #expect(page.links.contains("#fixture"))
            for line in [3, 4, 5] { #expect(page.links.contains("#L\(line)")) }
            #expect(page.tags.count { $0.attributes["id"]?.hasPrefix("L") == true } == 6)
        }
        withExtendedLifetime(folder) {}
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
            #expect(page.text.contains("0 scenarios"))
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

    private static let void: Set = ["!doctype", "meta", "link", "input"]
    static let permitted: Set = [
        "!doctype", "html", "head", "meta", "link", "title", "body", "main", "h1", "h2", "h3", "p", "nav", "a",
        "ul", "li", "span", "code", "pre", "dl", "dt", "dd", "header", "form", "label", "input", "select", "option",
        "button", "div", "script", "ol", "strong",
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
        let permitted: Set = [
            "lang", "charset", "name", "content", "id", "class", "href", "rel", "tabindex", "role", "action", "method",
            "value", "type", "src", "autocomplete", "placeholder", "label", "live",
        ]
        #expect(names.subtracting(permitted).isEmpty)
        for tag in tags where tag.name == "link" && tag.attributes["rel"] != "icon" {
            #expect(tag.attributes == ["rel": "stylesheet", "href": "/__proctor/assets/pages.css"])
        }
        for tag in tags where tag.name == "script" {
            #expect(tag.attributes["src"]?.hasPrefix("/__proctor/assets/") == true, "no script stands in a page")
        }
        for link in links { #expect(link.hasPrefix("/") || link.hasPrefix("#") || link.hasPrefix("https://")) }
    }
}
