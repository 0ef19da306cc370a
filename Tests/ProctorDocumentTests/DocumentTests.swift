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

struct DocumentTests {
    @Test func `scalars are text with a style, whatever they look like`() throws {
        let root = try parse(
            """
            - plain text
            - 'it''s'
            - "a\\tb\\u00e9"
            - |
              one
              two
            - >-
              one
              two
            - 007
            - no
            - 1.50
            """)
        let items = try #require(root.items)
        #expect(items.map(\.text) == ["plain text", "it's", "a\tbé", "one\ntwo\n", "one two", "007", "no", "1.50"])
        let styles = items.map { item -> Node.Style? in
            if case .scalar(_, let style) = item.content { style } else { nil }
        }
        #expect(styles == [.plain, .singleQuoted, .doubleQuoted, .literal, .folded, .plain, .plain, .plain])
        #expect(items.map { $0.plainText != nil } == [true, false, false, false, false, true, true, true])
    }

    @Test func `only plain null, a tilde and nothing are null`() throws {
        let root = try parse("[null, ~, 'null', \"~\", Null, NULL, '', nul]\n")
        #expect(root.items?.map(\.isNull) == [true, true, false, false, false, false, false, false])
        #expect(try parse("a:\nb: ''\n").entries?.map(\.value.isNull) == [true, false])
        #expect(try parse("a:\n").entries?.first?.value.text == nil)
    }

    @Test func `mappings keep their order and know the places of keys and values`() throws {
        let root = try parse("b: 1\na:\n  - x\n  -   { k: v }\nc: \"q\"\n")
        let entries = try #require(root.entries)
        #expect(entries.map(\.key) == ["b", "a", "c"])
        #expect(entries.map { place($0.keyNode) } == ["1:1", "2:1", "5:1"])
        #expect(entries.map { place($0.value) } == ["1:4", "3:3", "5:4"])
        let list = try #require(entries[1].value.items)
        #expect(list.map { place($0) } == ["3:5", "4:7"])
        #expect(list.map(\.found) == ["\"x\"", "a mapping"])
        #expect(place(list.last?.entries?.first?.value) == "4:12")
        #expect(entries[0].value.location.description == "a.yaml:1:4")
    }

    @Test func `columns are bytes, also behind other scripts and a byte order mark`() throws {
        #expect(place(try parse("é: ü\nñ: { ö: x }\n").entries?.first?.value) == "1:5")
        #expect(place(try parse("é: ü\nñ: { ö: x }\n").entries?.last?.value.entries?.first?.value) == "2:11")
        #expect(place(try parse("😀: x\n").entries?.first?.value) == "1:7")
        #expect(place(try parse("\u{FEFF}a: x\nb: y\n").entries?.first?.value) == "1:7")
        #expect(place(try parse("\u{FEFF}a: x\nb: y\n").entries?.last?.value) == "2:4")
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `every kind of line end is counted once`(end: String) throws {
        let root = try parse("a: 1\(end)\(end)b: é\(end)c: 3\(end)")
        #expect(root.entries?.map { place($0.value) } == ["1:4", "3:4", "4:4"])
    }

    @Test func `an alias repeats its anchor and points there`() throws {
        let root = try parse("a: &x { k: v }\nb: *x\nc: &y t\nd: [*y, *y]\n")
        let entries = try #require(root.entries)
        #expect(entries[1].value.entries?.first?.value.text == "v")
        #expect(place(entries[1].value) == place(entries[0].value))
        #expect(entries[3].value.items?.map(\.text) == ["t", "t"])
    }

    @Test func `comments, directives and document marks are no values`() throws {
        #expect(try parse("%YAML 1.1\n---\n# c\na: b # d\n...\n").entries?.map(\.value.text) == ["b"])
    }
}

struct LimitTests {
    private func messages(_ yaml: String, _ limits: Document.Limits = .init()) -> [String] {
        Document.parse(Array(yaml.utf8), file: "a.yaml", limits: limits).diagnostics.map(\.description)
    }

    @Test func `a file of too many bytes is refused unread`() {
        var limits = Document.Limits()
        limits.byteCount = 10
        #expect(messages("a: 345678\n", limits).isEmpty)
        #expect(
            messages("a: 3456789\n", limits) == [
                "a.yaml: error: the file has 11 bytes; at most 10 are read; move large bodies to a file of their own"
            ])
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

    @Test func `the number of values is bounded`() {
        var limits = Document.Limits()
        limits.nodeCount = 5
        #expect(messages("[a, b, c, d]", limits).isEmpty)
        #expect(
            messages("[a, b, c, d, e]", limits) == [
                "a.yaml:1:14: error: the file holds more than 5 values, with those that aliases repeat"
            ])
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
