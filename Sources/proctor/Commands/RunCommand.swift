internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorServer

/// Runs a command against a scenario and judges what it put on the wire.
let runCommand = Command(
    name: "run", operands: "ID [--case NAME] [FLAGS] -- COMMAND [ARGUMENT ...]",
    summary: "Runs a command against a scenario, and exits by the verdict on its requests",
    discussion: """
        The scenario gets a run of its own. COMMAND finds its addresses in the environment, as PROCTOR_BASE and
        PROCTOR_ORIGIN_NAME for each origin, and in its arguments in place of {{base}} and {{origin.NAME}}; where it has
        https, the certificate to trust as PROCTOR_CA and {{ca}}. Where the case is about a proxy, or its hosts have names,
        http_proxy and https_proxy lead there; nothing else would find them.
        When it has ended, the requests are judged by the case: --case NAME, or the only one there is. Without a case the
        timeline is printed all the same, and requests that nothing expects or that can't be read fail.
        What COMMAND made of the reply is not known, unless its exit code says it: --errors curl, or a file, has the codes.
        A case that says more than could be judged is 'partly'.
        Exits 0 when what was judged passes (or nothing is asked) and COMMAND exited with 0; 1 when it fails, when nothing
        could be judged, and when COMMAND failed, was ended by a signal, or had to be ended. With --ignore-exit only the
        requests are judged; with --errors the case judges the exit code.
        """,
    flags: [
        Flag("--case", "NAME", "the case to judge by"),
        Flag("--errors", "NAME", "what exit codes mean: a name in clients/errors/, or a file"),
        Flag("--ignore-exit", nil, "judge the requests alone, whatever COMMAND exits with"),
        Flag("--timeout", "SECONDS", "end COMMAND and what it started after so long, 1 to 86400 (default: never)"),
        Flag("--junit", "FILE", "also write the verdict as JUnit XML"),
        Flag("--journal", "FILE", "also write what the server saw, as JSON lines"),
        Flag("--fixtures", "PATH", "where scenarios stand; see 'proctor help check' for the default"),
    ] + AuthorityOptions.flags
) { arguments, surroundings in
    guard arguments.operands.count >= 2, let id = arguments.operands.first else {
        throw UsageError("'run' takes an ID and a command: proctor run plain/get -- curl {{base}}/hello")
    }
    let timeout = try arguments.number("--timeout", in: 1...86_400).map { Duration.seconds($0) }
    let location = FixtureLocation(environment: surroundings.environment)
    let paths = try location.paths(named: arguments["--fixtures"].map { [$0] } ?? [])
    let authority = try AuthorityOptions(arguments, fixturePaths: paths, environment: surroundings.environment)
    guard let loaded = FixtureReport.load(paths, certificates: authority.folders, surroundings.output)?.loaded else {
        return .failure
    }
    let choice = try ScenarioChoice(id, in: loaded.scenarios)
    var run = CommandRun(
        choice: choice, item: try choice.itemIfAny(named: arguments["--case"]), authority: authority,
        ignoresExit: arguments.has("--ignore-exit"), timeout: timeout, surroundings: surroundings)
    if let name = arguments["--errors"] {
        guard let table = try ClientFiles(fixturePaths: paths, output: surroundings.output).errors(name) else {
            return .failure
        }
        run.errors = table
    }
    let command = Array(arguments.operands.dropFirst())
    try run.checkMarks(in: command)
    guard try run.open(report: arguments["--junit"], journal: arguments["--journal"]) else { return .failure }
    return try await run.perform(command)
}
