import ProctorScenario
import Testing

@testable import ProctorScenario

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

/// URLs of clients that are put together of a host and a port.
struct HostURLTests {
    private func yaml(_ url: String) -> String {
        """
        summary: s
        origins: { other: {} }
        exchanges: [{ request: GET /a, reply: { status: 200 } }, { request: GET /a, origin: other, reply: { status: 200 } }]
        cases:
          get: { client: { url: "\(url)" }, wire: request(GET /a) }
        """
    }

    @Test(arguments: [
        "http://{{host}}:{{port}}/a", "http://{{host.other}}:{{port.other}}", "http://{{host}}:80/a",
        "http://{{host}}/a",
        "http://user@{{host.other}}:{{port.other}}/a",
    ])
    func `one that leads to this machine is taken`(_ url: String) {
        #expect(messages(yaml(url)) == [])
    }

    @Test(arguments: [
        "http://{{host}}.example.com/a", "http://{{host}}:{{port}}@example.com/a", "http://{{host}}:80@example.com/a",
        "http://{{host}}:{{port}}.example.com/", "http://{{host}}:{{host}}/a", "http://{{port}}/a",
    ])
    func `one that may lead elsewhere is not`(_ url: String) {
        #expect(messages(yaml(url)).count == 1)
    }
}

/// RFC 3492 §7.1, as far as the samples are labels in lower case, and IDNs that are known.
struct ALabelTests {
    @Test(arguments: [
        ("bücher", "xn--bcher-kva"), ("Bücher", "xn--bcher-kva"), ("münchen", "xn--mnchen-3ya"),
        ("faß", "xn--fa-hia"), ("例え", "xn--r8jz45g"), ("中文", "xn--fiq228c"), ("правда", "xn--80aafi6cg"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("αβγ", "xn--mxacd"), ("ü", "xn--tda"), ("a-ü", "xn--a--yka"),
    ])
    func `a label has its A-label`(label: String, aLabel: String) {
        #expect(ALabel.of(label) == aLabel)
    }

    @Test(arguments: ["bu\u{308}cher", "a b", "☃", "ａ", "a.ü", String(repeating: "ü", count: 64)])
    func `what needs more than lower case has none`(label: String) {
        #expect(ALabel.of(label) == nil)
    }
}
