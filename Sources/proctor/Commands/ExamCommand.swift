internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorServer
internal import ProctorTrace

/// Sets cases to a client through its adapter.
let examCommand = Command(
    name: "exam", operands: "[CASE ...] --adapter COMMAND [--ledger L] [--platform P]",
    summary: "Sets cases to a client through its adapter, and judges callbacks and wire",
    discussion: """
        COMMAND is an adapter: a program that reads an assignment on standard input, drives the client and writes its
        trace (Docs/adapters.md). It is run once for each case, under a watchdog. A CASE is family/, family/scenario or
        family/scenario#case; without one every case is asked. A ledger says what the client is known to do otherwise.
        With --reslice K the server sends its replies in slices that differ from sitting to sitting; the requests, the
        folded callbacks and the results must not.
        --junit and --json are tried at the start and written as the cases come. An adapter that ends without a trace in its
        first three cases is asked no other; what it said is printed once.
        Exits 0 when every case passes or is known, 1 when one fails, hangs, crashes, or is known no longer.
        """,
    flags: [
        Flag("--adapter", "COMMAND", "the adapter and its arguments, separated by spaces"),
        Flag("--ledger", "L", "a client's name in clients/, or a file"),
        Flag("--platform", "P", "a name in clients/platforms/, or a file; the ledger's, when left out"),
        Flag("--fixtures", "PATH", "where scenarios stand; see 'proctor help check' for the default"),
        Flag("--jobs", "N", "sittings side by side, 1 to 64 (default 4)"),
        Flag("--retries", "N", "ask a case that fails again, alone, up to N times, 0 to 10 (default 0)"),
        Flag(
            "--reslice", "K", "ask a case that passes K more times with replies cut elsewhere, 0 to 100 (default 0)"),
        Flag("--verbose", nil, "every case, with its findings and timeline"),
        Flag("--junit", "FILE", "also write JUnit XML"),
        Flag("--json", "FILE", "also write one JSON object a case"),
    ] + AuthorityOptions.flags
) { arguments, surroundings in
    guard let adapter = arguments["--adapter"]?.split(separator: " ").map(String.init), !adapter.isEmpty else {
        throw UsageError("'exam' needs --adapter COMMAND; Docs/adapters.md says what an adapter is")
    }
    if let reason = ProgramSearch.reasonNotToRun(adapter[0], environment: surroundings.environment) {
        surroundings.output.note("the adapter can't be run: \(reason)")
        return .failure
    }
    let jobs = try arguments.number("--jobs", in: 1...64) ?? 4
    let retries = try arguments.number("--retries", in: 0...10) ?? 0
    let reslices = try arguments.number("--reslice", in: Examiner.resliceRange) ?? 0
    let location = FixtureLocation(environment: surroundings.environment)
    let paths = try location.paths(named: arguments["--fixtures"].map { [$0] } ?? [])
    let authority = try AuthorityOptions(arguments, fixturePaths: paths, environment: surroundings.environment)
    guard let loaded = FixtureReport.load(paths, certificates: authority.folders, surroundings.output)?.loaded else {
        return .failure
    }
    let files = ClientFiles(fixturePaths: paths, output: surroundings.output)
    guard let judges = try files.judges(ledger: arguments["--ledger"], platform: arguments["--platform"]) else {
        return .failure
    }
    let selection: CaseSelection
    do throws(CaseSelection.Failure) {
        selection = try CaseSelection(arguments.operands, among: loaded.scenarios)
    } catch {
        throw UsageError(error.description)
    }
    let strangers = judges.ledger.map { LedgerStrangers.sentences(of: $0, among: loaded.scenarios) } ?? []
    guard strangers.isEmpty else {
        for sentence in strangers { surroundings.output.err("\(sentence)\n") }
        return .failure
    }
    let client = judges.ledger?.client ?? adapter[0]
    guard
        let reports = ExamFiles(
            arguments, selection, client: client, platform: judges.platform.name, surroundings.output)
    else { return .failure }
    var configuration = ServerConfiguration()
    authority.apply(to: &configuration)
    let server = try await Server.start(Catalogue(loaded.scenarios), configuration: configuration)
    let examiner = Examiner(
        server: server, adapter: Adapter(command: adapter, environment: surroundings.environment),
        platform: judges.platform, ledger: judges.ledger, reslices: reslices)
    let telling = ExamTelling(output: surroundings.output, isVerbose: arguments.has("--verbose"))
    let report = await ExamWalk(examiner, width: jobs, retries: retries).run(
        selection, isWhole: arguments.operands.isEmpty
    ) { sitting in
        reports.take(sitting.verdict)
        telling.take(sitting)
    }
    await server.stop(grace: .zero)
    telling.finish(report)
    let isWritten = reports.finish(report)
    return report.isFailure || !isWritten ? .failure : .success
}
