import ProctorHTTP
import Testing

/// What goes on the wire for a URL; one row for each case of fixtures/canonical, and then some.
struct ClientURLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let target: String

        init(_ url: String, _ target: String) {
            self.url = url
            self.target = target
        }

        var testDescription: String { "\(url) is asked for as \(target)" }
    }

    /// Behind `http://h:8080`, in the order of the fixtures.
    static let fixtures: [Row] = [
        Row(#"/a\b"#, "/a/b"), Row("/Dir/File.TXT?Name=Value", "/Dir/File.TXT?Name=Value"), Row("/a:b/c", "/a:b/c"),
        Row("/dir/", "/dir/"), Row("/dir", "/dir"), Row("/a/b/..", "/a/"), Row("/../a", "/a"), Row("/a/b/../c", "/a/c"),
        Row("/a/./b", "/a/b"), Row("/a?file=../b/./c//d", "/a?file=../b/./c//d"), Row("/a/...", "/a/..."),
        Row("/a/..b/.c/d.", "/a/..b/.c/d."), Row("//a", "//a"), Row("/a//", "/a//"), Row("/a//b", "/a//b"),
        Row("?a=1", "/?a=1"), Row("", "/"), Row("/a?", "/a?"), Row("/a%2Fb", "/a%2Fb"), Row("/a%3Fb", "/a%3Fb"),
        Row("/a%23b", "/a%23b"), Row("/a/%2e%2e/b", "/b"), Row("/%7Euser/%41", "/%7Euser/%41"),
        Row("/100%25", "/100%25"), Row("/a#part", "/a"), Row("/a#part?b=1", "/a"), Row("/caf%c3%a9", "/caf%c3%a9"),
        Row("/a;v=1.1/b;x", "/a;v=1.1/b;x"), Row("/a!$&'+,;=:@b", "/a!$&'+,;=:@b"),
        Row("/search?q=a+b%20c%2Bd%26e%3Df", "/search?q=a+b%20c%2Bd%26e%3Df"),
        Row("/search?b=2&a=1&b=1&a=1", "/search?b=2&a=1&b=1&a=1"),
        Row("/go?to=http://example.com:80/a?b&x=$1,2;@!", "/go?to=http://example.com:80/a?b&x=$1,2;@!"),
        Row("/search?q=two words", "/search?q=two%20words"), Row("/search?&a=&&=b&c&", "/search?&a=&&=b&c&"),
        Row(#"/a"b<c>d"#, "/a%22b%3Cc%3Ed"), Row("/café", "/caf%C3%A9"), Row("/two words", "/two%20words"),
        Row("/Az09-._~", "/Az09-._~"), Row("/caf%C3%A9", "/caf%C3%A9"),
    ]

    /// What RFC 3986 forbids isn't sent, though two fixtures that only watch would like the URL Standard's choice.
    static let escaped: [Row] = [
        Row("/100%/x", "/100%25/x"), Row("/list?id[]=1|2", "/list?id%5B%5D=1%7C2"), Row("/%zz%4", "/%25zz%254"),
        Row("/a[b]{c}^`", "/a%5Bb%5D%7Bc%7D%5E%60"), Row("/a\r\nHost: b", "/a%0D%0AHost:%20b"),
        Row("/a\u{0}\t\u{7F}", "/a%00%09%7F"), Row("/%", "/%25"), Row("/?%", "/?%25"), Row(#"/a?b\c"#, #"/a?b%5Cc"#),
        Row("/%2E", "/"), Row("/a/.%2e/%2E/b/%2e", "/b/"), Row("/a%2e/..%2e", "/a%2e/..%2e"), Row("/a/b ", "/a/b"),
    ]

    @Test(arguments: fixtures + escaped)
    func `a URL becomes a request target`(_ row: Row) throws {
        let url = try ClientURL("http://h:8080\(row.url)")
        #expect(text(url.target) == row.target)
        #expect(text(url.absoluteTarget) == "http://h:8080\(row.target)")
        #expect(url.hostField == HTTPField("Host", "h:8080"))
        #expect(throws: Never.self) { try URIReference(parsing: url.reference.bytes) }
        #expect(try ClientURL(url.text) == url, "canonical is canonical")
    }

    @Test(arguments: [
        ("HTTP://h/a", "http://h/a", "h"), ("Https://EXAMPLE.Com/A", "https://example.com/A", "example.com"),
        ("http://user:secret@h/a", "http://user:secret@h/a", "h"), ("http://h:80", "http://h/", "h"),
        ("https://h:443/a", "https://h/a", "h"), ("https://h:80/a", "https://h:80/a", "h:80"),
        ("http://h:/a", "http://h/a", "h"), ("http://h:08080/", "http://h:8080/", "h:8080"),
        ("http://[FE80::1]:81/a", "http://[fe80::1]:81/a", "[fe80::1]:81"),
        ("http://U s@h/#a b", "http://U%20s@h/#a%20b", "h"), ("http://h#f", "http://h/#f", "h"),
        ("HTTP://EXAMPLE.COM?Q=A", "http://example.com/?Q=A", "example.com"), (" http://h/a\n", "http://h/a", "h"),
        (#"http:\\h\a"#, "http://h/a", "h"), (#"http://good\@bad/"#, "http://good/@bad/", "good"),
        ("http://a@b@h/", "http://a%40b@h/", "h"),
    ])
    func `a URL has one canonical spelling`(_ given: String, _ canonical: String, _ host: String) throws {
        let url = try ClientURL(given)
        #expect(url.text == canonical)
        #expect(url.hostField.value == host)
        #expect(try ClientURL(canonical) == url)
    }

    @Test func `userinfo and fragment stay with the client`() throws {
        let url = try ClientURL("http://u:p@h/a?b#c")
        #expect(url.userinfo == "u:p")
        #expect(url.fragment == "c")
        #expect(text(url.absoluteTarget) == "http://h/a?b")
        #expect(url.description == "http://h/a?b#c")
    }

    @Test(arguments: [
        ("", ClientURLError.noScheme([])), ("/a", .noScheme(bytes("/a"))), ("h:8080/a", .unsupportedScheme("h")),
        ("ftp://h/", .unsupportedScheme("ftp")), ("FILE:///etc/hosts", .unsupportedScheme("file")),
        ("http:///a", .noHost), ("http://", .noHost), ("http:a", .noHost), ("http://:80/", .noHost),
        ("http://u@/", .noHost), ("data:text/plain,x", .unsupportedScheme("data")),
    ])
    func `what is no http URL is refused`(_ given: String, _ error: ClientURLError) {
        #expect(throws: error) { try ClientURL(given) }
        #expect(!error.description.isEmpty)
    }

    @Test(arguments: [
        ("http://a b/", URIViolation.Kind.badHost), ("http://[broken/a", .badHost), ("http://h:99999/", .badPort),
        ("http://h:x/", .badPort), ("http://ex\u{E4}mple/", .badHost), ("http://::1/", .badHost),
    ])
    func `host and port are not mended`(_ given: String, _ kind: URIViolation.Kind) {
        let error = #expect(throws: ClientURLError.self) { try ClientURL(given) }
        guard case .syntax(let violation) = error else {
            Issue.record("expected a syntax error, got \(String(describing: error))")
            return
        }
        #expect(violation.kind == kind)
        #expect(error?.description == violation.description)
    }

    @Test(arguments: [
        ("http:example.com/a", "http://example.com/a"), ("http:/example.com/a", "http://example.com/a"),
        ("http:///a", "http://localhost/a"), ("https://:8443", "https://localhost:8443/"),
        ("http://u@:81/", "http://u@localhost:81/"), ("http://Example.com", "http://example.com/"),
    ])
    func `what people type is mended as Apple's loader does`(_ given: String, _ canonical: String) throws {
        #expect(try ClientURL(typed: given).text == canonical)
    }

    @Test func `a typed URL of another scheme is refused`() {
        #expect(throws: ClientURLError.unsupportedScheme("mailto")) { try ClientURL(typed: "mailto:a@b") }
        #expect(throws: ClientURLError.noScheme(bytes("example.com"))) { try ClientURL(typed: "example.com") }
    }
}
