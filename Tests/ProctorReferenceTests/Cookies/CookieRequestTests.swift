import ProctorHTTP
import Testing

@testable import ProctorReference

/// What a request says of its cookies, which no program of a case says; Tests/Data/clients/cookies has the rest.
struct CookieRequestTests {
    private static let head = LoaderScript.head("HTTP/1.1 200 X\r\nSet-Cookie: a=1\r\n\r\n")

    @Test(arguments: [
        ("http://www.example.org/", "http://example.org/", true),
        ("http://www.example.org/", "https://shop.example.org:8443/", true),
        ("http://www.example.org/", "http://example.com/", false), ("http://www.example.org/", "http://org/", false),
        ("http://127.0.0.2/", "http://127.0.0.1/", false), ("http://[::1]/", "http://[::1]:81/", true),
    ])
    func `a document of the site lets cookies in`(url: String, document: String, isKept: Bool) throws {
        let store = ReferenceCookieStore(clock: { 1_800_000_000 })
        var request = ClientRequest(url: try ClientURL(url))
        request.mainDocument = try ClientURL(document)
        let head = try #require(Self.head)
        CookieHandling(store: store, policy: .mainDocument).storeCookies(head, of: request)
        #expect(store.cookies.isEmpty != isKept)
        CookieHandling(store: store, policy: .always).storeCookies(head, of: request)
        #expect(store.cookies.count == 1)
    }

    @Test(arguments: [
        ("www.example.org", "example.org"), ("example.org", "example.org"), ("a.b.example.org", "example.org"),
        ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("example.org.", "example.org"),
    ])
    func `a site is the last two labels`(host: String, site: String) {
        #expect(CookieHandling.site(of: host) == site)
    }

    @Test func `who wants no cookies sets none and gets none`() throws {
        let store = ReferenceCookieStore(clock: { 1_800_000_000 })
        let handling = CookieHandling(store: store, policy: .always)
        var request = ClientRequest(url: try ClientURL("http://www.example.org/"))
        request.handlesCookies = false
        handling.storeCookies(try #require(Self.head), of: request)
        #expect(store.cookies.isEmpty)
        request.handlesCookies = true
        handling.storeCookies(try #require(Self.head), of: request)
        #expect(handling.completed(request, isRedirected: false).fields.value(of: "Cookie") == "a=1")
        request.handlesCookies = false
        #expect(!handling.completed(request, isRedirected: false).fields.contains(named: "Cookie"))
    }
}
