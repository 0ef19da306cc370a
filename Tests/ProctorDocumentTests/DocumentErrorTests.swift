import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

struct DocumentErrorTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        let yaml: String
        let messages: [String]
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "an unquoted template in a flow mapping",
            yaml: "a: { Location: {{base}}/x }\n",
            messages: ["a.yaml:1:16: error: this is read as a mapping; quote values that begin with {{"]),
        Row(
            name: "an unquoted template in a block mapping",
            yaml: "a:\n  Location: {{base}}/x\n",
            messages: ["a.yaml:2:13: error: this is read as a mapping; quote values that begin with {{"]),
        Row(
            name: "an unquoted template alone, which is YAML",
            yaml: "a:\n  Location: {{base}}\nb: [{{now}}]\n",
            messages: [
                "a.yaml:2:13: error: this is read as a mapping; quote values that begin with {{",
                "a.yaml:3:5: error: this is read as a mapping; quote values that begin with {{",
            ]),
        Row(
            name: "an unquoted template in a list",
            yaml: "- a\n- {{base}}/x\n- b\n",
            messages: ["a.yaml:2:3: error: this is read as a mapping; quote values that begin with {{"]),
        Row(
            name: "two colons", yaml: "a: b: c\n",
            messages: [
                "a.yaml:1:5: error: a colon stands where no key can be; quote the value, or check the indentation"
            ]),
        Row(
            name: "a list without an end", yaml: "a: [b\n",
            messages: [#"a.yaml:2:1: error: expected "," or "]" in the list that begins at 1:4"#]),
        Row(
            name: "a mapping without an end", yaml: "a: { b: c\n",
            messages: [#"a.yaml:2:1: error: expected "," or "}" in the mapping that begins at 1:4"#]),
        Row(
            name: "quotes without an end", yaml: "a: \"b\nc: d\n",
            messages: ["a.yaml:3:1: error: the quoted text that begins at 1:4 has no end"]),
        Row(
            name: "a bracket alone", yaml: "a: b\nc: [\nd: ]\ne: }\n",
            messages: [#"a.yaml:4:4: error: expected a value, found "}"; check the brackets, or quote the value"#]),
        Row(name: "a tab", yaml: "a:\n\tb: c\n", messages: ["a.yaml:2:1: error: a tab cannot indent; use spaces"]),
        Row(
            name: "a tab in a text over lines", yaml: "a: b\n\tc: d\n",
            messages: ["a.yaml:2:1: error: a tab cannot indent; use spaces"]),
        Row(
            name: "a reserved character", yaml: "a: @b\n",
            messages: [#"a.yaml:1:4: error: a value cannot begin with "@"; quote it"#]),
        Row(
            name: "a percent sign", yaml: "a: %b\n",
            messages: [#"a.yaml:1:4: error: a value cannot begin with "%"; quote it"#]),
        Row(
            name: "an unknown escape", yaml: "a: \"b\\qc\"\n",
            messages: [
                #"a.yaml:1:6: error: an unknown escape in the quoted text that begins at 1:4; write \\ for a backslash"#
            ]),
        Row(
            name: "an alias of nothing", yaml: "a: *b\n",
            messages: ["a.yaml:1:4: error: the alias *b names no anchor; write &b before it"]),
        Row(
            name: "an alias in what it names", yaml: "a: &b [*b]\n",
            messages: ["a.yaml:1:8: error: the alias *b stands inside what it names"]),
        Row(
            name: "a standard tag", yaml: "a: !!str b\n",
            messages: [
                #"a.yaml:1:4: error: the tag "!!str" is not supported; "#
                    + "take it away: what a value is follows from where it stands"
            ]),
        Row(
            name: "tags on a list and a mapping", yaml: "a: !x [b]\nc: !y { d: e }\n",
            messages: [
                #"a.yaml:1:4: error: the tag "!x" is not supported; "#
                    + "take it away: what a value is follows from where it stands",
                #"a.yaml:2:4: error: the tag "!y" is not supported; "#
                    + "take it away: what a value is follows from where it stands",
            ]),
        Row(
            name: "a tag of an unknown handle", yaml: "a: !b!c d\n",
            messages: ["a.yaml:1:4: error: the tag is not supported; quote values that begin with !"]),
        Row(
            name: "a key given three times", yaml: "a: b\nc: d\na: e\nx: { a: b, a: c }\na: f\n",
            messages: [
                #"a.yaml:3:1: error: the key "a" stands here twice, first at 1:1"#,
                #"a.yaml:4:12: error: the key "a" stands here twice, first at 4:6"#,
                #"a.yaml:5:1: error: the key "a" stands here twice, first at 1:1"#,
            ]),
        Row(
            name: "a merge key", yaml: "a: &a { b: c }\nd:\n  <<: *a\n",
            messages: ["a.yaml:3:3: error: merge keys are not supported; write the keys out"]),
        Row(
            name: "a list as key", yaml: "? [a]\n: b\n",
            messages: ["a.yaml:1:3: error: expected a key, found a list; a key is text"]),
        Row(
            name: "two documents", yaml: "a: b\n---\nc: d\n",
            messages: [
                "a.yaml:2:1: error: a file holds one document, and a second begins here; put it into a file of its own"
            ]),
        Row(name: "nothing", yaml: "", messages: ["a.yaml: error: the file is empty"]),
        Row(name: "comments alone", yaml: "# a\n\n# b\n", messages: ["a.yaml: error: the file is empty"]),
        Row(
            name: "a bad indentation", yaml: "a:\n  - b\n - c\n",
            messages: [
                "a.yaml:3:2: error: expected a key of the mapping that begins at 1:1; check the indentation and the quotes"
            ]),
        Row(
            name: "a key without a colon", yaml: "a: b\nc\nd: e\n",
            messages: [#"a.yaml:3:1: error: expected ": " after the key that begins at 2:1"#]),
    ]

    @Test(arguments: rows)
    func `what is not YAML, or more than fixtures need, is told with its place`(row: Row) {
        let document = Document.parse(Array(row.yaml.utf8), file: "a.yaml")
        #expect(document.diagnostics.map(\.description) == row.messages)
    }

    @Test func `bytes that are not UTF-8 are told with their place`() {
        let rows: [(bytes: [UInt8], column: Int)] = [
            ([0xFF], 5), ([0xC3, 0x28], 6), ([0xE2, 0x82], 7), ([0xED, 0xA0, 0x80], 5), ([0xC0, 0x80], 5),
        ]
        for (bad, column) in rows {
            let document = Document.parse(Array("a: b\nc: d".utf8) + bad + Array("x\n".utf8), file: "a.yaml")
            #expect(document.root == nil)
            #expect(
                document.diagnostics.map(\.description) == [
                    "a.yaml:2:\(column): error: the bytes here are not UTF-8; save the file as UTF-8"
                ], "\(bad)")
        }
    }

    @Test func `UTF-16 is not UTF-8`() {
        let document = Document.parse([0xFF, 0xFE, 0x61, 0x00], file: "a.yaml")
        #expect(document.diagnostics.map(\.location.line) == [1])
        #expect(document.root == nil)
    }

    @Test func `control characters are told with their place`() {
        let document = Document.parse(Array("a: b\nc: d\u{1}\n".utf8), file: "a.yaml")
        #expect(
            document.diagnostics.map(\.description) == [
                "a.yaml:2:5: error: a control character cannot stand in YAML; write it as an escape in double quotes"
            ])
    }

    @Test(.limit(minutes: 1)) func `a key that stands twice is found among very many`() {
        let keys = (0..<90_000).map { "k\($0): 1\n" }.joined()
        let document = Document.parse(Array((keys + "k80000: 2\n").utf8), file: "a.yaml")
        #expect(
            document.diagnostics.map(\.description) == [
                "a.yaml:90001:1: error: the key \"k80000\" stands here twice, first at 80001:1"
            ])
    }

    @Test(.limit(minutes: 1)) func `places on one long line of other characters than ASCII are right`() throws {
        let list = "[ü" + String(repeating: ",1", count: 90_000) + ", é, x]"
        let items = try #require(Document.parse(Array(list.utf8), file: "a.yaml").root?.items)
        #expect(items.count == 90_003)
        #expect(items[1].location.column == 5 && items[90_000].location.column == 5 + 2 * 89_999)
        #expect(items[90_002].location.column == list.utf8.count - 1)
    }

    @Test func `reading stops after a hundred mistakes, and says so`() {
        func messages(_ count: Int) -> [String] {
            let text = "k: 1\n" + String(repeating: "k: 1\n", count: count)
            return Document.parse(Array(text.utf8), file: "a.yaml").diagnostics.map(\.description)
        }
        #expect(messages(100).count == 100)
        #expect(messages(100).last == "a.yaml:101:1: error: the key \"k\" stands here twice, first at 1:1")
        for count in [101, 80_000] {
            #expect(messages(count).count == 101)
            #expect(
                messages(count).last
                    == "a.yaml: error: reading stops after 100 mistakes, so the rest of the file was not looked at; "
                    + "mend these first")
        }
    }

    @Test func `many directives are refused before libyaml compares them`() {
        func messages(_ count: Int) -> [String] {
            let text = "# tags\n\n" + (0..<count).map { "%TAG !t\($0)! x\n" }.joined() + "---\na: 1\n"
            return Document.parse(Array(text.utf8), file: "a.yaml").diagnostics.map(\.description)
        }
        #expect(messages(100).isEmpty)
        #expect(
            messages(101) == [
                "a.yaml:1:1: error: the file begins with more than 100 lines that begin with %; "
                    + "leave directives out: tags are not supported"
            ])
    }

    @Test func `any bytes whatever give a root or a message`() {
        var seed: UInt64 = 1
        let alphabet = Array("a: -[]{}&*!|>'\"%@#,?\n\t\\é\u{0}".utf8) + [0xFF, 0x80]
        for _ in 0..<5000 {
            var bytes: [UInt8] = []
            for _ in 0..<24 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(seed >> 33) % alphabet.count])
            }
            let document = Document.parse(bytes, file: "a.yaml")
            #expect(document.root != nil || !document.diagnostics.isEmpty)
            for diagnostic in document.diagnostics where diagnostic.location.line > 0 {
                #expect(diagnostic.location.column > 0)
            }
        }
    }
}
