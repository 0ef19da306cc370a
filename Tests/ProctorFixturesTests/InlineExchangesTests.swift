import ProctorDocument
import ProctorFixtures
import ProctorScenario
import Testing

/// Exchanges in one line, as `proctor serve --inline` takes them.
struct InlineExchangesTests {
    private func read(_ lines: String...) -> (scenario: Scenario?, messages: [String]) {
        var exchanges = InlineExchanges()
        for (index, line) in lines.enumerated() { exchanges.add(line, named: "--inline \(index + 1)") }
        let (scenario, diagnostics) = exchanges.scenario()
        return (scenario, diagnostics.map(\.description))
    }

    @Test func `status, text, quoted text and whole replies are read`() throws {
        let found = read(
            #"GET /a -> 200 "hi\n""#, "GET|HEAD /b->204", "POST /c/{id} -> 201 made {{path.id}}",
            "GET /d -> { status: 302, headers: { Location: /a } }", "GET /e -> [{ status: 503 }, { status: 200 }]",
            "GET /f->g -> 200 'it''s'")
        #expect(found.messages == [])
        let scenario = try #require(found.scenario)
        #expect(scenario.id == "inline")
        #expect(
            scenario.exchanges.map(\.request.text) == [
                "GET /a", "GET|HEAD /b", "POST /c/{id}", "GET /d", "GET /e", "GET /f->g",
            ])
        #expect(scenario.exchanges.map(\.replies.count) == [1, 1, 1, 1, 2, 1])
        let bodies = scenario.exchanges.map { exchange -> String? in
            guard case .structured(let reply)? = exchange.replies[0].message else { return nil }
            guard case .bytes(let source)? = reply.body.first else { return nil }
            return source.literalBytes.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(bodies == ["hi\n", nil, nil, nil, nil, "it's"])
    }

    @Test(arguments: [
        (
            "GET /a 200",
            "--inline 1:1:11: error: expected -> between the request and the reply; like GET /a -> 200 \"hi\""
        ),
        ("-> 200", "--inline 1:1:1: error: expected a request before ->; like GET /a"),
        ("GET /a ->", "--inline 1:1:10: error: expected a reply behind ->; like 200, 200 \"hi\" or { status: 200 }"),
        ("GET /a -> 1000", "--inline 1:1:11: error: status is 1000; permitted is 100 ... 999"),
        (
            "GET a -> 200",
            "--inline 1:1:1: error: a target begins with /, found \"a\"; write /* for any target, http:// for the absolute form"
        ),
        (
            "GET /a -> { stauts: 200 }",
            "--inline 1:1:13: error: unknown key \"stauts\" in a reply; did you mean \"status\"?"
        ),
        ("GET /a -> 200 \"open", "--inline 1:1:20: error: the quoted text that begins at 1:15 has no end"),
    ])
    func `each mistake is told at its column`(line: String, message: String) {
        let found = read(line)
        #expect(found.scenario == nil)
        #expect(found.messages.contains(message), "\(found.messages)")
    }

    @Test func `a mistake names the line that has it`() {
        let found = read("GET /a -> 200", "GET /b -> none")
        #expect(found.messages.count == 1 && found.messages[0].hasPrefix("--inline 2:1:11: "), "\(found.messages)")
    }
}
