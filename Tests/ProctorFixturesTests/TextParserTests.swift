import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct PatternTests {
    private func pattern(_ text: String) throws -> BytePattern {
        let quoted = text.replacing("'", with: "''")
        let scenario = try load("summary: s\nexchanges: [{ request: 'GET \(quoted)', reply: { status: 200 } }]\n")
        return try #require(scenario.exchanges.first).request.target
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
    @Test func `an origin that the context does not know adds nothing`() {
        let template = Template(parts: [.literal("a".bytes), .authority(3), .capture("x")])
        #expect(template.rendered(in: TemplateContext(base: [], authorities: [])) == "a".bytes)
    }
}
