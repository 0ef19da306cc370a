import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct TargetPlaceTests {
    private func mistakes(_ url: String) -> [String] {
        messages(
            """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: "\(url)" } } }
            """)
    }

    @Test(arguments: [
        "", "/", "/a?b#c", "{{base}}", "{{base}}/a", "{{base}}?q", "{{origin}}/a", "{{origin.main}}#f", "{{ base }}/a",
        "http://{{authority}}/a", "HTTP://{{authority.main}}", "http://user:secret@{{authority}}/a",
        "https://{{authority}}/", "/{{authority}}", " ", "  /a", "\\t{{base}}/a ", "\\u0001 http://{{authority}}/",
    ])
    func `a URL with a late-bound host stays on this machine`(url: String) {
        #expect(mistakes(url) == [])
    }

    @Test(arguments: [
        "http://apple.com/", "https://apple.com", "//example.com/", "{{base}}.example.com/",
        "{{origin}}@example.com/",
        "http://{{authority}}.example.com/", "http://apple.com/@{{authority}}/", "http://a@b{{authority}}/",
        "http://{{authority}}{{authority}}/", " http://apple.com/", "  //apple.com/", " {{base}}.example.com/",
    ])
    func `a URL with another host is refused`(url: String) {
        #expect(
            mistakes(url) == [
                "3:30 the URL \"\(url)\" would leave this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}, or say session: { proxy: NAME }"
            ])
    }

    @Test(arguments: ["http://example.com/", "https://EXAMPLE.com", "http://example.com/@{{authority}}/"])
    func `the message for a reserved host says how to declare it`(url: String) {
        #expect(
            mistakes(url) == [
                "3:30 the URL \"\(url)\" would leave this machine; write host: example.com at an origin, and no one looks for it elsewhere"
            ])
    }

    @Test(arguments: ["a", "?q", "#f", "ftp://{{authority}}/", "{{authority}}/a", "{{now}}"])
    func `a URL that is relative is refused`(url: String) {
        #expect(
            mistakes(url) == [
                "3:30 the URL \"\(url)\" is relative to nothing; begin with /, {{base}}, {{origin}} or {{origin.NAME}}"
            ])
    }

    private func mistakes(verbatim text: String) -> [String] {
        messages(
            """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: { verbatim: "\(text)" } } } }
            """)
    }

    @Test(arguments: ["", "/", "/a//b", "?q", "#f", "/{{base}}", "?a=http://apple.com/"])
    func `a text that names no host is permitted in place of a URL`(text: String) {
        #expect(mistakes(verbatim: text) == [])
    }

    @Test(arguments: [
        "a", "//apple.com/", #"/\\apple.com/"#, #"\\a"#, "http:a", "apple.com/", "1.2.3.4", " /a", "/\\t/apple.com/",
        "..",
    ])
    func `a text that a client may take for a host stands nowhere`(text: String) throws {
        let found = try #require(mistakes(verbatim: text).first)
        #expect(found.hasPrefix("3:42 the text"), "\(found)")
        #expect(found.contains("may name a host, and a client might ask it; leave it empty"), "\(found)")
    }
}
