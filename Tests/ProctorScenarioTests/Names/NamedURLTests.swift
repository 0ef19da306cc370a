import ProctorScenario
import Testing

/// Hosts that a client's URL may spell out, where an origin has a name.
struct NamedURLTests {
    private func mistakes(_ url: String, change: Bool) -> [String] {
        let quoted = url.replacing("\\", with: "\\\\").replacing("\t", with: "\\t")
        let client = change ? "{ url: /, onRedirect: { change: { url: \"\(quoted)\" } } }" : "{ url: \"\(quoted)\" }"
        return messages(
            """
            summary: s
            origins: { main: { host: home.example.org }, p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: \(client) } }
            """)
    }

    @Test(arguments: [
        "http://home.example.org", "http://HOME.Example.org:80/a", "https://home.example.org./",
        "HTTP://user:secret@home.example.org/?q#f", "http://bücher.example.org/", "http://BÜCHER.example.org/",
        "http://nobody.example.com/", "http://a.test?q", "http://a.example#f", "http://a.invalid/",
        "http://a.localhost/",
        "http://home.example.org:/", "http://home.example.org:99999/", "http://home.example.org:0x50/",
        "http://home.example.org\\a", "http://home.example.org/@apple.com", "http://home.example.org?@apple.com",
        "http://h%6Fme.example.org/", "http://home%2Eexample%2eorg/", "http://home。example。org/",
        "http://.example.org/", "http://_a.example.org/", "http://home.example.org/{{now}}",
        "http://home.example.org/\t/a", "http://@home.example.org/", "http://{{authority}}/", "/",
    ])
    func `names that nobody has are permitted, declared or not`(url: String) {
        #expect(mistakes(url, change: false) == [])
        #expect(mistakes(url, change: true) == [])
    }

    @Test(arguments: [
        "http://apple.com/", "http://org/", "http://test/", "http://localhost/", "http://127.0.0.1/", "http://[::1]/",
        "http://home.example.org.apple.com/", "http://home.example.orgs/", "http://example.org@apple.com/",
        "http://a@b@home.example.org/", "http://home.example.org\\@apple.com/", "http://home.example.org:80@apple.com/",
        "http://apple.com\\.example.org/", "http://apple.com%2F.example.org/", "http://apple.com%00.example.org/",
        "http://apple.com%23.example.org/", "http://apple.com%.example.org/", "http://apple.com%zz.example.org/",
        "http://ho\tme.example.org/", "http://ho me.example.org/", "http://home.example.org{{authority}}/",
        "http://home.example.org\\{{authority}}/", "http://home.example.org:{{now}}/", "http://home.example.org:1.2/",
        "http://apple.com:80:home.example.org/", "//home.example.org/", "http://home.example.org\u{2028}.test/",
        "http://", "http://%FF.example.org/", "{{base}}.example.org/",
    ])
    func `a host that may be somebody's is not, in whatever way it is read`(url: String) {
        #expect(mistakes(url, change: false).count == 1)
        #expect(mistakes(url, change: true).count == 1)
    }
}
