import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

let checkCommand = Command(name: "check") { arguments, context in
    let library = try FixtureLocation(environment: context.environment).library(named: arguments.operands)
    let paths = library.nearest
    let folders = try CertificateLocation(environment: context.environment).folders(
        named: arguments["--certs"], fixturePaths: library.own)
    let result = try FixtureReport.loadPaths(paths, certificates: folders, context.output)
    let faults =
        Modules.present.flatMap { $0.faults(result.scenarios, paths) }
        + NamedControls(library: library).diagnostics(of: result.scenarios)
    if let missing = Modules.all.first(where: { $0.rows == nil && $0.name == "demands" }) {
        context.output.message("\(missing.noun) is not in this program, so what the musts rest on was not checked")
    }
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
