import ProctorBase
internal import ProctorDocument
internal import ProctorScenario

let checkCommand = Command(
    name: "check", operands: "[PATH ...] [--certs FOLDER]",
    summary: "Loads fixtures and reports everything that is wrong with them",
    discussion: """
        A PATH is a scenario file or a folder of them. Without one: PROCTOR_FIXTURES, the nearest folder
        'fixtures' above the working directory, or the scenarios shipped with proctor.
        Certificate profiles and client identities are looked for in FOLDER, in PROCTOR_CERTS, in 'certs' beside the
        fixtures, and among those shipped with proctor; the first that has a name gives it its meaning.
        Where a folder '_demands' stands in the library, every must is held to it: it names who must do what.
        Exits 1 when anything is wrong; every error of every file is printed as file:line:column. A warning, which is
        about what can be served and is rarely meant, fails nothing.
        """,
    flags: [Flag("--certs", "FOLDER", help: "where certificate profiles of your own stand")]
) { arguments, context in
    let paths = try FixtureLocation(environment: context.environment).paths(named: arguments.operands)
    let folders = try CertificateLocation(environment: context.environment).folders(
        named: arguments["--certs"], fixturePaths: paths)
    guard let result = FixtureReport.load(paths, certificates: folders, context.output) else {
        return .failure
    }
    let faults = DemandCatalogues.diagnostics(of: result.scenarios)
    guard faults.isEmpty else {
        FixtureReport.say(faults, context.output)
        FixtureReport.sayCounts(
            of: faults, soundCount: result.scenarios.count - Set(faults.map(\.location.file)).count, context.output)
        return .failure
    }
    let warnings = result.scenarios.flatMap(\.warnings)
    FixtureReport.say(warnings, context.output)
    let cases = result.scenarios.reduce(0) { $0 + $1.cases.count }
    context.output.line(
        "\(Plural.count(result.scenarios.count, "scenario")) with \(Plural.count(cases, "case")), "
            + "no errors" + (warnings.isEmpty ? "" : ", \(Plural.count(warnings.count, "warning"))"))
    return .success
}
