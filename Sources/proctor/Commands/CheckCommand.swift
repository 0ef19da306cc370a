internal import ProctorScenario

/// Loads fixtures without serving them.
let checkCommand = Command(
    name: "check", operands: "[PATH ...]", summary: "Loads fixtures and reports everything that is wrong with them",
    discussion: """
        A PATH is a scenario file or a folder of them. Without one: PROCTOR_FIXTURES, the nearest folder
        'fixtures' above the working directory, or the scenarios shipped with proctor.
        Exits 1 when anything is wrong; every error of every file is printed as file:line:column.
        """,
    flags: []
) { arguments, surroundings in
    let paths = try FixtureLocation(environment: surroundings.environment).paths(named: arguments.operands)
    guard let result = FixtureReport.load(paths, surroundings.output) else { return .failure }
    let cases = result.scenarios.reduce(0) { $0 + $1.cases.count }
    surroundings.output.line(
        "\(FixtureReport.count(result.scenarios.count, "scenario")) with \(FixtureReport.count(cases, "case")), "
            + "no errors")
    return .success
}
