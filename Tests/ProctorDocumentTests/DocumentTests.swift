import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

/// The root of a document that must be good.
func parse(_ yaml: String) throws -> Node {
    let document = Document.parse(Array(yaml.utf8), file: "a.yaml")
    #expect(document.diagnostics.isEmpty)
    return try #require(document.root)
}

func place(_ node: Node?) -> String? { node.map { "\($0.location.line):\($0.location.column)" } }

struct LimitTests {
    private func messages(_ yaml: String) -> [String] {
        Document.parse(Array(yaml.utf8), file: "a.yaml").diagnostics.map(\.description)
    }

    @Test func `nesting is bounded`() {
        let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(messages(deepest).isEmpty)
        #expect(messages("[\(deepest)]") == ["a.yaml:1:33: error: nested deeper than 32 levels"])
        let block =
            (0..<33).map { String(repeating: " ", count: $0) + "a:\n" }.joined() + String(repeating: " ", count: 33)
        #expect(messages(block + "b\n") == ["a.yaml:33:33: error: nested deeper than 32 levels"])
    }

    @Test(.limit(minutes: 5))
    func `four megabytes of brackets are refused at once`() {
        #expect(messages(String(repeating: "[", count: 4 * 1024 * 1024)).count == 1)
        #expect(messages(String(repeating: "{a: ", count: 1024 * 1024)).count == 1)
    }

    @Test(.limit(minutes: 5))
    func `aliases of aliases cannot multiply without end`() {
        var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let items = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            yaml += "a\(level): &a\(level) [\(items)]\n"
        }
        let found = messages(yaml)
        #expect(found.count == 1)
        #expect(found.first?.contains("more than 200000 values, with those that aliases repeat") == true)
    }
}

struct TextLocationTests {
    struct Row: CustomTestStringConvertible {
        let yaml: String
        /// A part of the text, and where it stands in the file.
        let places: [String: String]
        var testDescription: String { yaml }
    }

    static let rows: [Row] = [
        Row(yaml: "k: one two three\n", places: ["one": "1:4", "two": "1:8", "three": "1:12", " two": "1:7"]),
        Row(
            yaml: "k:   'one ''two'' three'\n", places: ["one": "1:7", "'two": "1:11", "two": "1:13", "three": "1:19"]),
        Row(
            yaml: #"k: "one\ttwo \"x\" \u00e9\x41 z""# + "\n",
            places: ["two": "1:10", "\"x": "1:14", "A": "1:26", "z": "1:31"]),
        Row(yaml: "k: é ü x\n", places: ["ü": "1:7", "x": "1:10"]),
        Row(yaml: "k: |\n  one\n   two\n\n  three\n", places: ["one": "2:3", "two": "3:4", "three": "5:3"]),
        Row(yaml: "k: |-  # comment\n    one two\n", places: ["one": "2:5", "two": "2:9"]),
        Row(yaml: "- >\n  one\n  two\n\n  three\n", places: ["one": "2:3", "two": "3:3", "three": "5:3"]),
        Row(yaml: "k: one\n  two\n  three\n", places: ["two": "2:3", "three": "3:3"]),
        Row(yaml: "k: \"one\n  two\\\n  three\"\n", places: ["two": "2:3", "three": "3:3"]),
        Row(yaml: "k: |\r\n  one\r\n  two\r\n", places: ["two": "3:3"]),
    ]

    @Test(arguments: rows)
    func `a byte of a scalar's text is found in the file`(row: Row) throws {
        let root = try parse(row.yaml)
        let node = try #require(root.entries?.first?.value ?? root.items?.first)
        let text = try #require(node.text)
        for (part, wanted) in row.places {
            let range = try #require(text.firstRange(of: part))
            let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
            let found = node.location(ofTextOffset: offset)
            #expect("\(found.line):\(found.column)" == wanted, "\(part)")
        }
    }

    @Test func `the end of a text is right behind its last character`() throws {
        for (yaml, wanted) in [("k: abc\n", "1:7"), ("k: 'abc'\n", "1:8"), ("k: |-\n  abc\n", "2:6")] {
            let node = try #require(try parse(yaml).entries?.first?.value)
            let found = node.location(ofTextOffset: 3)
            #expect("\(found.line):\(found.column)" == wanted)
            #expect(node.location(ofTextOffset: 99).line == found.line)
            #expect(node.location(ofTextOffset: -1).line == node.location(ofTextOffset: 0).line)
        }
    }
}
