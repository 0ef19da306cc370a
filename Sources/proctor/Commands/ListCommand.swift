internal import ProctorBase
internal import ProctorScenario

let listCommand = Command(
    name: "list", operands: "[PATH ...] [--json | --ids | --cases-of ID]",
    summary: "Lists scenarios with their summaries",
    discussion: """
        With --json one object a line: id, summary, spec, file, needsRoot, and the cases with name and kind.
        With --ids the ids alone, of all files, without reading any; with --cases-of the cases of one scenario.
        """,
    flags: [
        Flag("--json", help: "one JSON object a line"),
        Flag("--ids", help: "ids alone, one a line"),
        Flag("--cases-of", "ID", help: "the names of the cases of one scenario, one a line"),
    ]
) { arguments, context in
    guard [arguments.has("--json"), arguments.has("--ids"), arguments["--cases-of"] != nil].count(where: \.self) <= 1
    else {
        throw UsageError("say one of --json, --ids and --cases-of")
    }
    // A shell's completion passes an empty word where no path is named.
    let named = arguments.operands.filter { !$0.isEmpty }
    let paths = try FixtureLocation(environment: context.environment).paths(named: named)
    if arguments.has("--ids") {
        for id in ScenarioLoader.ids(in: paths) { context.output.line(id) }
        return .success
    }
    if let id = arguments["--cases-of"] { return try listCases(of: id, in: paths, context.output) }
    guard let result = FixtureReport.load(paths, context.output) else { return .failure }
    let width = min(48, (result.scenarios.map(\.id.count).max() ?? 0) + 2)
    for scenario in result.scenarios {
        if arguments.has("--json") {
            context.output.line(json(scenario))
        } else {
            let gap = String(repeating: " ", count: max(2, width - scenario.id.count))
            context.output.line(scenario.id + gap + scenario.summary)
        }
    }
    return .success
}

private func listCases(of id: String, in paths: [String], _ output: Output) throws(UsageError) -> ExitCode {
    let (scenario, diagnostics) = ScenarioLoader.load(id, in: paths)
    for diagnostic in diagnostics { output.err("\(diagnostic)\n") }
    guard diagnostics.isEmpty else { return .failure }
    guard let scenario else {
        let hint = NearestName.hint(for: id, in: ScenarioLoader.ids(in: paths), else: "see 'proctor list'")
        throw UsageError("there is no scenario '\(id)'; \(hint)")
    }
    for item in scenario.sittings { output.line(item.name) }
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
    for item in scenario.sittings {
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
