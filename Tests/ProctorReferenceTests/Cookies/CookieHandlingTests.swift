import ProctorHTTP
import Testing

@testable import ProctorReference

/// What one load sends of cookies and takes, without a wire.
struct CookieCourseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reply: String
        var from = "http://www.example.org/a/b"
        var policy = CookiePolicy.always
        var document: String?
        var handlesCookies = true
        var kept: [String]

        init(
            _ reply: String, from: String = "http://www.example.org/a/b", _ policy: CookiePolicy = .always,
            document: String? = nil, handlesCookies: Bool = true, kept: String...
        ) {
            self.reply = reply
            self.from = from
            self.policy = policy
            self.document = document
            self.handlesCookies = handlesCookies
            self.kept = kept
        }

        var testDescription: String { "\(reply) from \(from), \(policy)\(document.map { " for \($0)" } ?? "")" }

        static let all: [Row] = [
            Row("200|Set-Cookie: a=1|Set-Cookie: b=2, c=3|SET-COOKIE: d=4", kept: "a=1", "b=2, c=3", "d=4"),
            Row("302|Location: /x|Set-Cookie: a=1", kept: "a=1"), Row("401|Set-Cookie: a=1", kept: "a=1"),
            Row("404|Set-Cookie: a=1", kept: "a=1"), Row("304|Set-Cookie: a=1", kept: "a=1"),
            Row("407|Set-Cookie: a=1", kept: "a=1"), Row("500|Set-Cookie: a=1", kept: "a=1"),
            Row("103|Set-Cookie: a=1"), Row("100|Set-Cookie: a=1"), Row("200|X-Set-Cookie: a=1|Cookie: b=2"),
            Row("200|Set-Cookie: a=1; Secure"),
            Row("200|Set-Cookie: a=1; Secure", from: "https://www.example.org/", kept: "a=1"),
            Row("200|Set-Cookie: a=1", .never), Row("200|Set-Cookie: a=1", handlesCookies: false),
            Row("200|Set-Cookie: a=1", .mainDocument, kept: "a=1"),
            Row("200|Set-Cookie: a=1", .mainDocument, document: "http://example.org/", kept: "a=1"),
            Row("200|Set-Cookie: a=1", .mainDocument, document: "https://shop.example.org:8443/", kept: "a=1"),
            Row("200|Set-Cookie: a=1", .mainDocument, document: "http://example.com/"),
            Row("200|Set-Cookie: a=1", .mainDocument, document: "http://org/"),
            Row("200|Set-Cookie: a=1", .always, document: "http://example.com/", kept: "a=1"),
            Row("200|Set-Cookie: a=1", from: "http://127.0.0.2/", .mainDocument, document: "http://127.0.0.1/"),
            Row("200|Set-Cookie: a=1", from: "http://[::1]/", .mainDocument, document: "http://[::1]:81/", kept: "a=1"),
        ]
    }

    private static func head(_ text: String) throws -> ReplyHead {
        let lines = text.split(separator: "|")
        let head = (["HTTP/1.1 \(lines[0]) X"] + lines.dropFirst().map(String.init) + ["", ""]).joined(
            separator: "\r\n")
        return try #require(LoaderScript.head(head))
    }

    private static func request(_ url: String, _ fields: HTTPField...) throws -> ClientRequest {
        ClientRequest(url: try ClientURL(url), fields: fields)
    }

    @Test(arguments: Row.all) func `a reply sets what it may`(row: Row) throws {
        let store = ReferenceCookieStore(clock: { 1_800_000_000 })
        var request = try Self.request(row.from)
        request.mainDocument = try row.document.map { try ClientURL($0) }
        request.handlesCookies = row.handlesCookies
        CookieHandling(store: store, policy: row.policy).storeCookies(try Self.head(row.reply), of: request)
        #expect(store.cookies.map { String(decoding: $0.pair, as: UTF8.self) } == row.kept)
    }

    private static func full() -> ReferenceCookieStore {
        let store = ReferenceCookieStore(clock: { 1_800_000_000 })
        let place = CookieURL(isSecure: true, host: "www.example.org", path: Array("/a/b".utf8))
        for field in [
            "top=1; Path=/", "deep=2; Path=/a", "safe=3; Path=/; Secure", "site=4; Domain=example.org; Path=/",
        ] {
            store.setCookie(Array(field.utf8), from: place)
        }
        return store
    }

    private func sent(
        _ request: ClientRequest, _ policy: CookiePolicy = .always, _ fault: CookieFault? = nil,
        isRedirected: Bool = false
    ) -> [String] {
        CookieHandling(store: Self.full(), policy: policy, fault: fault).completed(request, isRedirected: isRedirected)
            .fields.all(named: "Cookie").map(\.value)
    }

    @Test(arguments: [
        ("http://www.example.org/", ["top=1; site=4"]), ("http://www.example.org:8080/a?b", ["deep=2; top=1; site=4"]),
        ("https://www.example.org/ab", ["top=1; safe=3; site=4"]), ("http://shop.example.org/a", ["site=4"]),
        ("http://example.org/", ["site=4"]), ("http://example.com/", []), ("http://127.0.0.1/", []),
    ])
    func `a request has what belongs to its place, in one field`(url: String, fields: [String]) throws {
        #expect(sent(try Self.request(url)) == fields)
        #expect(sent(try Self.request(url), .mainDocument, isRedirected: true) == fields)
        #expect(sent(try Self.request(url), .never) == [])
    }

    @Test func `the caller's own field goes alone, and who wants none gets none`() throws {
        var request = try Self.request("http://www.example.org/", HTTPField("cookie", "own=1"))
        #expect(sent(request) == ["own=1"])
        #expect(sent(request, .never) == ["own=1"])
        request.fields = []
        request.handlesCookies = false
        #expect(sent(request) == [])
    }

    // MARK: What is broken on purpose

    @Test func `each fault of sending is what its name says`() throws {
        let deep = try Self.request("http://www.example.org/a")
        let other = try Self.request("http://www.example.org/")
        #expect(sent(deep, .always, .forgottenByRedirects) == ["deep=2; top=1; site=4"])
        #expect(sent(deep, .always, .forgottenByRedirects, isRedirected: true) == [])
        #expect(sent(deep, .always, .orderReversed) == ["site=4; top=1; deep=2"])
        #expect(sent(deep, .always, .oneFieldEach) == ["deep=2", "top=1", "site=4"])
        #expect(sent(other, .always, .sentInTheClear) == ["top=1; safe=3; site=4"])
    }

    @Test(
        arguments: [
            (
                CookieFault.neverExpires, "200|Set-Cookie: a=1|Set-Cookie: a=; Max-Age=0; Path=/a",
                "http://h.example.org/a/b", "a="
            ),
            (.sentToSiblings, "200|Set-Cookie: a=1", "http://i.example.org/a", "a=1"),
            (.sentToEveryPath, "200|Set-Cookie: a=1; Path=/a", "http://h.example.org/b", "a=1"),
            (.foldedByCommas, "200|Set-Cookie: a=1|Set-Cookie: b=2", "http://h.example.org/a", "a=1, b=2"),
            (.takenFromSuccessAlone, "404|Set-Cookie: a=1", "http://h.example.org/a", nil),
        ] as [(CookieFault, String, String, String?)])
    func `each fault of taking is what its name says`(
        fault: CookieFault, reply: String, next: String, field: String?
    ) throws {
        var course = CookieHandling(store: ReferenceCookieStore(clock: { 1_800_000_000 }), fault: fault)
        let setting = try Self.request("http://h.example.org/a/x")
        course.storeCookies(try Self.head(reply), of: setting)
        let sent = course.completed(try Self.request(next), isRedirected: false).fields.value(of: "Cookie")
        #expect(sent == field)
        course = CookieHandling(store: ReferenceCookieStore(clock: { 1_800_000_000 }))
        course.storeCookies(try Self.head(reply), of: setting)
        #expect(course.completed(try Self.request(next), isRedirected: false).fields.value(of: "Cookie") != field)
    }

    @Test(arguments: [
        ("www.example.org", "example.org"), ("example.org", "example.org"), ("a.b.example.org", "example.org"),
        ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("example.org.", "example.org"),
    ])
    func `a site is the last two labels`(host: String, site: String) {
        #expect(CookieHandling.site(of: host) == site)
    }

    // MARK: The store

    @Test func `the end of a session takes what was for the session`() {
        let store = Self.full()
        let place = CookieURL(isSecure: false, host: "www.example.org", path: Array("/".utf8))
        store.setCookie(Array("kept=5; Max-Age=60".utf8), from: place)
        store.endSession()
        #expect(store.field(for: place) == Array("kept=5".utf8))
        store.removeAll()
        #expect(store.cookies == [])
    }
}
