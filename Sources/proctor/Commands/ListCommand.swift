internal import ProctorBase
internal import ProctorScenario

/// Lists scenarios for people, or for programs with --json.
let listCommand = Command(
    name: "list", operands: "[PATH ...] [--json]", summary: "Lists scenarios with their summaries",
    discussion: """
        With --json one object a line: id, summary, spec, file, needsRoot, and the cases with name and kind.
        """,
    flags: [Flag("--json", nil, "one JSON object a line")]
) { arguments, surroundings in
    let paths = try FixtureLocation(environment: surroundings.environment).paths(named: arguments.operands)
    guard let result = FixtureReport.load(paths, surroundings.output) else { return .failure }
    let width = min(48, (result.scenarios.map(\.id.count).max() ?? 0) + 2)
    for scenario in result.scenarios {
        if arguments.has("--json") {
            surroundings.output.line(json(scenario))
        } else {
            let gap = String(repeating: " ", count: max(2, width - scenario.id.count))
            surroundings.output.line(scenario.id + gap + scenario.summary)
        }
    }
    return .success
}

private func json(_ scenario: Scenario) -> String {
    var json = JSONText()
    json.open("{")
    json.member("id", scenario.id)
    json.member("summary", scenario.summary)
    json.key("spec")
    json.open("[")
    for document in scenario.spec { json.element(document) }
    json.close("]")
    json.member("file", scenario.location.file)
    json.member("needsRoot", scenario.rootReason != nil)
    json.key("cases")
    json.open("[")
    for item in scenario.cases {
        json.element()
        json.open("{")
        json.member("name", item.name)
        json.member("kind", item.kind.rawValue)
        json.close("}")
    }
    json.close("]")
    json.close("}")
    return String(decoding: json.bytes, as: UTF8.self)
}
