internal import ProctorBase
internal import ProctorFixtures
internal import ProctorScenario

/// One of the small cases that test an adapter, in the order in which its author builds the adapter.
///
/// They are the chapters of `CFiles/Fixtures/adapter-check.yaml`.
struct TrialCase: Sendable {
    /// The scenario's id and the case's name.
    let name: String
    /// What the author builds for this case, a sentence in the imperative: the first line of the chapter.
    let advice: String
    private let fixture: String

    var id: String { "adapter-check/\(name)" }

    /// The scenario; its text is a constant of the program.
    var scenario: Scenario {
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(fixture.utf8), id: id, file: "\(id) (built in)")
        guard let scenario else { preconditionFailure("a built-in scenario has errors: \(diagnostics)") }
        return scenario
    }

    static let all = ContainedFile.chapters(of: "Fixtures/adapter-check.yaml").map { chapter in
        TrialCase(
            name: chapter.name, advice: String(chapter.text.prefix { $0 != "\n" }.dropFirst(2)),
            fixture: chapter.text)
    }
}
