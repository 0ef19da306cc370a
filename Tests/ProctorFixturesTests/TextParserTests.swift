import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct PatternTests {
    struct Row: CustomTestStringConvertible {
        let pattern: String
        let target: String
        /// nil: no match.
        let captures: [String: String]?

        var testDescription: String { "\(pattern) on \(target)" }
    }

    static let rows: [Row] = [
        Row(pattern: "/a", target: "/a", captures: [:]),
        Row(pattern: "/a", target: "/a?b", captures: nil),
        Row(pattern: "/a?b", target: "/a?b", captures: [:]),
        Row(pattern: "/a", target: "/ab", captures: nil),
        Row(pattern: "/a", target: "/", captures: nil),
        Row(pattern: "/{id}", target: "/7", captures: ["id": "7"]),
        Row(pattern: "/{id}", target: "/", captures: nil),
        Row(pattern: "/{id}", target: "/a/b", captures: nil),
        Row(pattern: "/{id}", target: "/a?b", captures: nil),
        Row(pattern: "/{id}.json", target: "/a.b.json", captures: ["id": "a.b"]),
        Row(pattern: "/{id}.json", target: "/.json", captures: nil),
        Row(pattern: "/{a}/{b}", target: "/x/y", captures: ["a": "x", "b": "y"]),
        Row(pattern: "/{a}/{b}", target: "/x/y/z", captures: nil),
        Row(pattern: "/{a}-{b}", target: "/x-y-z", captures: ["a": "x", "b": "y-z"]),
        Row(pattern: "/{a}{b}", target: "/xyz", captures: ["a": "x", "b": "yz"]),
        Row(pattern: "/{a}{b}", target: "/x", captures: nil),
        Row(pattern: "/a*", target: "/a", captures: [:]),
        Row(pattern: "/a*", target: "/a/b?c=d", captures: [:]),
        Row(pattern: "/*/z", target: "/a/b/z", captures: [:]),
        Row(pattern: "/*/z", target: "/z", captures: nil),
        Row(pattern: "/*{id}?*", target: "/a/bc?d", captures: ["id": "bc"]),
        Row(pattern: "/*/{id}", target: "/a/b/c", captures: ["id": "c"]),
        Row(pattern: #"/\*\{a\}\\"#, target: #"/*{a}\"#, captures: [:]),
        Row(pattern: "/ä{x}", target: "/äö", captures: ["x": "ö"]),
    ]

    private func pattern(_ text: String) throws -> BytePattern {
        let quoted = text.replacing("'", with: "''")
        let scenario = try load("summary: s\nexchanges: [{ request: 'GET \(quoted)', reply: { status: 200 } }]\n")
        return try #require(scenario.exchanges.first).request.target
    }

    @Test(arguments: rows)
    func `a pattern matches the whole target and captures`(row: Row) throws {
        let pattern = try pattern(row.pattern)
        let captures = pattern.match(row.target.bytes.span)
        #expect(pattern.matches(row.target.bytes.span) == (captures != nil))
        guard let wanted = row.captures else {
            #expect(captures == nil)
            return
        }
        let found = try #require(captures)
        #expect(found.names.sorted() == wanted.keys.sorted())
        for (name, text) in wanted { #expect(found[name] == text.bytes) }
    }

    @Test func `matching agrees with a plain recursive matcher on every short text`() throws {
        let patterns = ["{x}a*", "*a{x}", "{x}{y}a", "a*b*", "{x}/*{y}", "*{x}*", "**a", "a{x}b{y}a"]
        let letters = ["a", "b", "/", "?"]
        var texts = [""]
        for length in 1...5 {
            texts += texts.filter { $0.count == length - 1 }.flatMap { text in letters.map { text + $0 } }
        }
        for text in patterns {
            let whole = try pattern("/\(text)")
            for target in texts {
                let isMatch = Self.plainMatch(whole.parts[...], "/\(target)".bytes[...])
                #expect(whole.matches("/\(target)".bytes) == isMatch, "/\(text) on /\(target)")
            }
        }
    }

    private static func plainMatch(_ parts: ArraySlice<BytePattern.Part>, _ bytes: ArraySlice<UInt8>) -> Bool {
        guard let part = parts.first else { return bytes.isEmpty }
        let rest = parts.dropFirst()
        switch part {
        case .literal(let literal):
            return bytes.starts(with: literal) && plainMatch(rest, bytes.dropFirst(literal.count))
        case .wildcard:
            return (0...bytes.count).contains { plainMatch(rest, bytes.dropFirst($0)) }
        case .capture:
            return (1...max(1, bytes.count)).contains { count in
                count <= bytes.count && !bytes.prefix(count).contains { $0 == 0x2F || $0 == 0x3F }
                    && plainMatch(rest, bytes.dropFirst(count))
            }
        }
    }

    @Test(.limit(minutes: 5))
    func `a hostile target costs no more than parts times bytes`() throws {
        let hard = try pattern("/" + String(repeating: "*a", count: 15) + "b")
        let target = [UInt8(ascii: "/")] + [UInt8](repeating: UInt8(ascii: "a"), count: 60_000)
        #expect(!hard.matches(target))
        #expect(hard.matches(target + [UInt8(ascii: "b")]))
    }

    @Test func `an exact pattern knows its bytes`() throws {
        #expect(try pattern("/a?b").exactBytes == "/a?b".bytes)
        #expect(try pattern("/{a}").exactBytes == nil)
        #expect(BytePattern(exactly: []).matches([]))
        #expect(!BytePattern(exactly: []).matches([0]))
    }
}

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
