import ProctorDocument
import Testing

@testable import ProctorImport

/// Values written as YAML are read back as the same values.
struct WritingTests {
    private static let texts = [
        "", "a", "null", "true", "no", "12", "1.0", "a: b", "a #b", "it's", "\"x\"", "{a}", "[a]", "a, b", "*", "&a",
        "!x", "%x", "@x", "`x", "- a", "? a", "a:", " a", "a ", "a\n", "a\nb\n", "a\nb", "a\n\nb\n", "\na\nb",
        "a\n b\n",
        "a \nb\n", "a\tb\nc\n", "ä\u{2028}b", "\u{FEFF}x", "\u{7F}", "\u{85}x", "a\r\nb\r\n", "/x{y}", "/x:y", "/x#y",
        "any x", "'a\"b'",
        #"\x"#, "\u{1}", "{{base}}/x", "😀", "a\nb\n\n", "key: |\n  x\n", "# c\nd\n",
    ]

    @Test func `a text is the same in flow, in a block and as a key`() throws {
        for text in Self.texts {
            var members: [YAMLTree.Member] = [
                .init("summary", .text(text)), .init("list", .list([.text(text), .text("x")])),
            ]
            if !text.isEmpty { members.append(.init("map", .map([.init(text, .map([.init("deep", .text(text))]))]))) }
            members.append(
                .init("long", .map([.init("a", .text(text)), .init("b", .text(String(repeating: "y", count: 150)))])))
            var writer = YAMLWriter()
            writer.write(members)
            let document = Document.parse(Array(writer.text.utf8), file: "x")
            #expect(document.diagnostics.isEmpty, "\(document.diagnostics) in \(writer.text)")
            let root = try #require(document.root?.entries)
            #expect(Self.scalar(root[0].value) == text, "\(writer.text)")
            #expect(root[1].value.items.map { Self.scalar($0[0]) } == text, "\(writer.text)")
            #expect(Self.scalar(root.last?.value.entries?[0].value) == text, "\(writer.text)")
            if !text.isEmpty {
                #expect(root[2].value.entries?[0].key == text, "\(writer.text)")
                #expect(Self.scalar(root[2].value.entries?[0].value.entries?[0].value) == text, "\(writer.text)")
            }
        }
    }

    private static func scalar(_ node: Node?) -> String? { node.flatMap { $0.isNull ? nil : $0.text } }

    @Test func `braces mean themselves in late-bound text and in patterns`() {
        #expect(LiteralText.late("a {{b}} {c} {{{") == "a {{{{b}} {c} {{{{{")
        #expect(LiteralText.pattern(#"/a*{b}\"#) == #"/a\*\{b\}\\"#)
    }

    @Test func `long bodies are files, and equal ones share one`() {
        var draft = Draft(summary: "x")
        var reply = DraftReply(200)
        reply.headers = [.init("Content-Type", .text("application/json"))]
        reply.body = .text("[" + String(repeating: "1,", count: 400) + "1]")
        var binary = DraftReply(200)
        binary.body = .bytes([UInt8](repeating: 0xFF, count: 100))
        draft.exchanges = [
            DraftExchange(DraftRequest("GET", .text("/a/b?c")), [reply]),
            DraftExchange(DraftRequest("GET", .text("/d")), [reply]),
            DraftExchange(DraftRequest("GET", .text("/")), [binary]),
        ]
        let text = ScenarioText(draft, name: "it", head: "# head")
        #expect(text.files.map(\.path) == ["it.bodies/a-b.json", "it.bodies/root.bin"])
        #expect(text.text.hasPrefix("# head\nsummary: x\nexchanges:\n"))
    }
}
