import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

let checkCommand = Command(
    name: "check", operands: "[PATH ...] [--certs FOLDER]",
    summary: "Loads fixtures and reports everything that is wrong with them",
    discussion: """
        A PATH is a scenario file or a folder of scenarios. Without one: PROCTOR_FIXTURES, or the nearest folder
        'fixtures' above the working directory, or else the scenarios that come with proctor. Certificate profiles and
        client identities are looked for in FOLDER, in PROCTOR_CERTS, in 'certs' beside the fixtures, and among those
        shipped with proctor; the first one with the name counts.
        In a library with a folder '_demands' every must has to name its demand: who must do what. Every departure
        that is tolerated (see 'proctor explain') must have a case about it, in a library that has the scenarios of
        the table. A scenario whose replies lead out of its path, as 'Location: /b' does, needs a port of its own, to
        which a 421 leads clients; a message says so, with the place, and it is no error.
        Exits with 1 when there is an error; every error of every file is printed as file:line:column. A warning is
        about something that can be served but is rarely intended, and fails nothing.
        """,
    flags: [Flag("--certs", "FOLDER", help: "where certificate profiles of your own stand")]
) { arguments, context in
    let library = try FixtureLocation(environment: context.environment).library(named: arguments.operands)
    let paths = library.nearest
    let folders = try CertificateLocation(environment: context.environment).folders(
        named: arguments["--certs"], fixturePaths: library.own)
    guard let result = FixtureReport.loadPaths(paths, certificates: folders, context.output) else {
        return .failure
    }
    let isWhole = paths.contains(where: DemandCatalogue.stands)
    let faults =
        DemandCatalogues.diagnostics(of: result.scenarios)
        + OwnerCheck.diagnostics(of: result.scenarios, isWholeLibrary: isWhole)
    guard faults.isEmpty else {
        FixtureReport.print(faults, context.output)
        FixtureReport.sayCounts(
            of: faults, soundCount: result.scenarios.count - Set(faults.map(\.location.file)).count, context.output)
        return .failure
    }
    if arguments.operands.isEmpty, let sentence = ReplacedScenarios.sentence(library.find().replaced) {
        context.output.message(sentence)
    }
    let warnings = result.scenarios.flatMap(\.warnings)
    FixtureReport.print(warnings, context.output)
    let cases = result.scenarios.reduce(0) { $0 + $1.cases.count }
    context.output.line(
        "\(Plural.count(result.scenarios.count, "scenario")) with \(Plural.count(cases, "case")), "
            + "no errors" + (warnings.isEmpty ? "" : ", \(Plural.count(warnings.count, "warning"))"))
    for line in PortRemarks.lines(of: result.scenarios) { context.output.message(line) }
    return .success
}

/// Finds scenarios that a shared port answers with 421 although their origins need no ports of their own.
private enum PortRemarks {
    private static let lineLimit = 5

    static func lines(of scenarios: [Scenario]) -> [String] {
        let moved = scenarios.compactMap { scenario in
            scenario.rootReason.flatMap { $0.needsPort ? nil : (scenario.id, $0) }
        }
        guard !moved.isEmpty else { return [] }
        guard moved.count <= lineLimit else {
            return [
                "\(moved.count) of them lead out of their path, as \(moved[0].0) does, and so have ports of their own: the "
                    + "shared port answers 421 with the address"
            ]
        }
        return moved.map { id, reason in
            "\(id) has a port of its own, and the shared port answers 421 with the address: \(reason.text) (\(reason.location))"
                + (reason.remedy.map { "; \($0)" } ?? "")
        }
    }
}
