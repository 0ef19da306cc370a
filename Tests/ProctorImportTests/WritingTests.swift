import Testing

@testable import ProctorImport

/// Values written as YAML are read back as the same values.
struct WritingTests {
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
