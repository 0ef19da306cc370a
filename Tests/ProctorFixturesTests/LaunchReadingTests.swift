import ProctorDocument
import ProctorEvents
import ProctorFixtures
import ProctorProgram
import ProctorScenario
import Testing

struct LaunchReadingTests {
    private func read(_ steps: String) -> (Scenario?, [String]) {
        let text = """
            summary: A launch
            exchanges: [{ request: GET /, reply: { status: 200 } }]
            cases:
              get:
                client: [\(steps)]
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "a/b", file: "a.yaml")
        return (scenario, diagnostics.map(\.description))
    }

    @Test func `a case with a launch needs a client that can be started again`() throws {
        let (scenario, diagnostics) = read("{ url: / }, { url: /, launch: true }, { url: /, launch: false }")
        let item = try #require(scenario?.cases.first, "\(diagnostics)")
        #expect(item.needs.contains(.secondLaunch))
        #expect(item.client.map(\.isLaunch) == [false, true, false])
    }

    @Test func `a program has eight launches behind the first one, and no more`() {
        let launches = Array(repeating: "{ url: /, launch: true }", count: 8)
        #expect(read((["{ url: / }"] + launches).joined(separator: ", ")).0 != nil)
        let (scenario, diagnostics) = read((["{ url: / }"] + launches + launches).joined(separator: ", "))
        #expect(scenario == nil)
        #expect(diagnostics.count == 1)
        #expect(
            diagnostics.first?.contains("a.yaml:5:13: error: a program starts the client again at most 8 times") == true
        )
    }

    @Test(arguments: [
        ("{ url: /, launch: true }", "a.yaml:5:24: error: the first step is the first launch, and none ends before it"),
        (
            "{ url: / }, { url: /, launch: true, together: true }",
            "a.yaml:5:36: error: a step of a new process begins with none of the process before"
        ),
        ("{ url: / }, { url: /, launch: again }", "a.yaml:5:44: error: "),
    ])
    func `a launch that makes no sense is named by its place`(steps: String, message: String) {
        let (scenario, diagnostics) = read(steps)
        #expect(scenario == nil)
        #expect(diagnostics.contains { $0.hasPrefix(message) }, "\(diagnostics)")
    }
}
