import ProctorBase
import ProctorDocument
import Testing

/// The root of a document that must be good.
func parse(_ yaml: String) throws -> Node {
    let document = Document.parse(Array(yaml.utf8), file: "a.yaml")
    #expect(document.diagnostics.isEmpty)
    return try #require(document.root)
}

/// `line:column` of a node.
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
