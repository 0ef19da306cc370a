import ProctorScenario
import Testing

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
        let captures = try pattern(row.pattern).match(row.target.bytes.span)
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

    @Test(.timeLimit(.minutes(5)))
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
