import ProctorDocument
import Testing

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

    @Test(.timeLimit(.minutes(5)))
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

    @Test(.timeLimit(.minutes(5)))
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
