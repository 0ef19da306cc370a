import ProctorScenario
import Testing

struct TemplateTests {
    private func body(_ text: String) throws -> ByteSource {
        let scenario = try load(
            """
            summary: s
            origins: { other: {} }
            exchanges:
              - request: "GET /{id}"
                reply: { status: 200, body: "\(text)" }
            """)
        guard case .structured(let reply)? = scenario.exchanges.first?.replies.first?.message,
            case .bytes(let source)? = reply.body.first
        else {
            throw Wrong()
        }
        return source
    }

    private struct Wrong: Error {}

    private func rendered(_ text: String) throws -> String {
        guard case .template(let template) = try body(text) else { throw Wrong() }
        let pattern = BytePattern(parts: [.literal("/".bytes), .capture("id")])
        let captures = pattern.match("/seven".bytes.span)
        let context = TemplateContext(
            base: "http://127.0.0.1:1/x".bytes, authorities: ["127.0.0.1:1".bytes, "127.0.0.1:2".bytes], originIndex: 1,
            unixSeconds: 784_111_777, captures: try #require(captures))
        return String(decoding: template.rendered(in: context), as: UTF8.self)
    }

    @Test func `late-bound text is filled in from the context`() throws {
        #expect(try rendered("<{{base}}/a>") == "<http://127.0.0.1:1/x/a>")
        #expect(try rendered("{{origin}} {{origin.main}}") == "http://127.0.0.1:2 http://127.0.0.1:1")
        #expect(try rendered("{{ authority }}|{{authority.other}}") == "127.0.0.1:2|127.0.0.1:2")
        #expect(try rendered("{{host}} {{port}} {{host.main}} {{port.main}}") == "127.0.0.1 2 127.0.0.1 1")
        #expect(try rendered("{{path.id}}!") == "seven!")
        #expect(try rendered("{{now}}") == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(try rendered("{{now + 1h}}") == "Sun, 06 Nov 1994 09:49:37 GMT")
        #expect(try rendered("{{now - 37s}}") == "Sun, 06 Nov 1994 08:49:00 GMT")
        #expect(try rendered("{{now+1d}}") == "Mon, 07 Nov 1994 08:49:37 GMT")
    }

    @Test func `doubled braces stand for two braces`() throws {
        #expect(try body("a{{{{b}} {c} }}").literalBytes == "a{{b}} {c} }}".bytes)
        #expect(try rendered("{{{{base}} is {{base}}") == "{{base}} is http://127.0.0.1:1/x")
    }

    @Test func `text without braces is a literal of known length`() throws {
        #expect(try body("plain").byteCount == 5)
        #expect(try body("{{base}}").byteCount == nil)
    }

    @Test(arguments: [
        ("[::1]:8080", "[::1] 8080"), ("[::1]", "[::1] 80"), ("home.example.org", "home.example.org 80"),
        ("home.example.org:81", "home.example.org 81"), ("", " "),
    ])
    func `host and port are those of the authority, and the port of the scheme goes without saying`(
        _ authority: String, _ text: String
    ) {
        let template = Template(parts: [.host(0), .literal(" ".bytes), .port(0)])
        let context = TemplateContext(base: [], authorities: [authority.bytes])
        #expect(template.rendered(in: context) == text.bytes)
    }

    @Test func `an origin that the context does not know adds nothing`() {
        let template = Template(parts: [.literal("a".bytes), .authority(3), .capture("x")])
        #expect(template.rendered(in: TemplateContext(base: [], authorities: [])) == "a".bytes)
    }
}
