import ProctorBase
import ProctorDocument
import Testing

struct ValueReadingTests {
    private enum Colour: String, CaseIterable { case red, green }

    private func messages(_ yaml: String, _ read: (Node, DiagnosticSink) -> Void) throws -> [String] {
        let sink = DiagnosticSink()
        read(try parse(yaml), sink)
        return sink.sorted().map(\.description)
    }

    @Test func `values are read by what is wanted, not by how they look`() throws {
        let sink = DiagnosticSink()
        let entries = try #require(try parse("t: 12\ni: 12\nn: -3\nb: true\nc: green\nl: [a, 2]\ne: ''\n").entries)
        #expect(sink.text(entries[0].value, "a text") == "12")
        #expect(sink.integer(entries[1].value, "a number", in: 0...12) == 12)
        #expect(sink.integer(entries[2].value, "a number", in: -3...0) == -3)
        #expect(sink.boolean(entries[3].value, "a switch") == true)
        #expect(sink.choice(entries[4].value, "a colour", among: Colour.self) == .green)
        #expect(sink.texts(entries[5].value, "a text", limit: 2).map(\.text) == ["a", "2"])
        #expect(sink.texts(entries[0].value, "a text", limit: 2).map(\.text) == ["12"])
        #expect(sink.text(entries[6].value, "a text") == "")
        #expect(sink.diagnostics.isEmpty)
    }

    @Test func `a wrong value is told with what was expected and found`() throws {
        let found = try messages("[[a], {a: b}, null, '7', 8, 1x, 'true', maroon, gren, [a, b, c], '']\n") {
            root, sink in
            let items = root.items ?? []
            for (index, item) in items.enumerated() {
                switch index {
                case 0: #expect(sink.text(item, "a text") == nil)
                case 1, 2, 3, 4, 5: #expect(sink.integer(item, "a number", in: 1...7) == nil)
                case 6: #expect(sink.boolean(item, "a switch") == nil)
                case 7, 8: #expect(sink.choice(item, "a colour", among: Colour.self) == nil)
                case 9: #expect(sink.list(item, "colours", limit: 2) == nil)
                default: #expect(sink.nonEmptyText(item, "a text") == nil)
                }
            }
        }
        #expect(
            found == [
                "a.yaml:1:2: error: expected a text as text, found a list",
                "a.yaml:1:7: error: expected a number as a whole number 1 ... 7, found a mapping",
                "a.yaml:1:15: error: expected a number as a whole number 1 ... 7, found nothing",
                #"a.yaml:1:21: error: expected a number as a number 1 ... 7, found the text "7"; take the quotes away"#,
                "a.yaml:1:26: error: number is 8; permitted is 1 ... 7",
                #"a.yaml:1:29: error: expected a number as a whole number 1 ... 7, found "1x""#,
                #"a.yaml:1:33: error: expected a switch as true or false, found the text "true""#,
                #"a.yaml:1:41: error: unknown colour "maroon"; permitted: red, green"#,
                #"a.yaml:1:49: error: unknown colour "gren"; did you mean "green"?"#,
                "a.yaml:1:55: error: colours has 3 items; at most 2 are permitted",
                "a.yaml:1:66: error: expected a text, found empty text",
            ])
    }

    @Test func `a mapping tells unknown, reserved and missing keys`() throws {
        let found = try messages("a: { colr: red, later: x, good: y, zzzzz: 1, own: 2 }\nb: text\n") { root, sink in
            let reader = MappingReader(
                root, "a thing", keys: ["a", "b"], sink: sink)
            #expect(reader?.entries.count == 2)
            let inner = root.entries?.first.flatMap {
                MappingReader(
                    $0.value, "a box", keys: ["color", "good", "size"], reserved: ["later": "a later day"], sink: sink,
                    isKnown: { $0 == "own" })
            }
            #expect(inner?["good"]?.text == "y")
            #expect(inner?.entries.map(\.key) == ["good", "own"])
            #expect(inner?.entry("own")?.value.text == "2")
            #expect(inner?.required("size") == nil)
            if let text = reader?["b"] { #expect(MappingReader(text, "a box", keys: [], sink: sink) == nil) }
        }
        #expect(
            found == [
                #"a.yaml:1:4: error: a box needs the key "size""#,
                #"a.yaml:1:6: error: unknown key "colr" in a box; did you mean "color"?"#,
                #"a.yaml:1:17: error: "later" is reserved for a later day"#,
                #"a.yaml:1:36: error: unknown key "zzzzz" in a box; known keys: color, good, size"#,
                #"a.yaml:2:4: error: expected a box as a mapping, found "text""#,
            ])
    }

    @Test func `long and unprintable text is cut and escaped in messages`() {
        #expect(quoted("a\n\t\r\"\u{1}é") == #""a\n\t\r\"\x01é""#)
        #expect(quoted(String(repeating: "x", count: 61)) == "\"" + String(repeating: "x", count: 60) + "…\"")
    }

    @Test func `a sink sorts by place, drops repetitions and is full behind its limit`() {
        let sink = DiagnosticSink()
        for line in [3, 1, 3, 2] {
            sink.report(SourceLocation(file: "f", line: line, column: 1), "x")
        }
        #expect(sink.sorted().map(\.location.line) == [1, 2, 3])
        for line in 4..<DiagnosticSink.limit { sink.report(SourceLocation(file: "f", line: 9, column: line + 1), "y") }
        #expect(!sink.isFull)
        sink.report(SourceLocation(file: "f", line: 10, column: 1), "z")
        #expect(sink.isFull && sink.diagnostics.count == DiagnosticSink.limit)
        #expect(
            sink.sorted().last?.description
                == "f: error: reading stops after 100 mistakes, so the rest of the file was not looked at; mend these first"
        )
    }
}
