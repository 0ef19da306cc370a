import ProctorBase
import ProctorDocument
import ProctorScenario
import Testing

/// What can be served and is rarely meant.
struct WarningTests {
    private func warnings(_ request: String, _ raw: String) throws -> [Diagnostic] {
        try load("summary: s\nexchanges: [{ request: \(request), reply: { raw: \(raw) } }]").warnings
    }

    @Test(
        arguments: [#""* /a""#, "GET|HEAD /a"],
        [
            #""HTTP/1.1 200 OK\r\n\r\nbody""#, #""HTTP/1.1 200 OK\n\nbody""#,
            #"["HTTP/1.1 200 OK\r\n\r\n", { hex: "61" }]"#,
            #"["HTTP/1.1 200 OK\r\n\r\n", { repeat: a, times: 2 }]"#,
        ])
    func `a raw reply with a body that HEAD can reach is told`(_ request: String, _ raw: String) throws {
        let found = try warnings(request, raw)
        #expect(found.count == 1 && found[0].level == .warning && found[0].location.line == 2)
        #expect(
            found.first?.description.hasSuffix(
                ": warning: HEAD can reach this raw reply, which sends its body to it too (RFC 9110 §9.3.2); "
                    + "write GET where only GET is meant, or an exchange for HEAD before it") == true, "\(found)")
    }

    @Test(arguments: [
        ("GET /a", #""HTTP/1.1 200 OK\r\n\r\nbody""#), ("HEAD /a", #""HTTP/1.1 200 OK\r\n\r\nbody""#),
        (#""* /a""#, #""HTTP/1.1 204 No Content\r\n\r\n""#),
        (#""* /a""#, #""HTTP/1.1 302 Found\r\nLocation: {{base}}/\r\n\r\n""#),
    ])
    func `what HEAD does not reach, what has no body, and what is meant is not`(_ request: String, _ raw: String) throws
    {
        #expect(try warnings(request, raw).isEmpty)
    }

    @Test func `errors stay errors`() {
        let (_, diagnostics) = ScenarioLoader.parse("summary: s\n".bytes, id: "a", file: "a.yaml")
        #expect(diagnostics.map(\.level) == [.error])
    }
}
