internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
import ProctorRules
internal import ProctorScenario
internal import ProctorServer

let examCommand = Command(
    name: "exam", operands: "[CASE ...] --adapter COMMAND [--ledger L] [--platform P]",
    summary: "Sets cases to a client through its adapter, and judges callbacks and wire",
    discussion: """
        COMMAND is an adapter: a program that reads an assignment on standard input, drives the client and writes its
        trace (Docs/adapters.md). It is run once for each case, under a watchdog. A CASE is family/, family/scenario or
        family/scenario#case; without one every case is asked. A ledger says what the client is known to do otherwise.
        A case of data tasks that says what a download tells is asked twice: as it stands, and as CASE@download. '*#*@download'
        are all of the latter.
        With --reslice K the server sends its replies in slices that differ from sitting to sitting; the requests, the
        folded callbacks and the results must not.
        --junit and --json are tried at the start and written as the cases come. An adapter that ends without a trace in its
        first three cases is asked no other; what it said is printed once.
        Exits 0 when every case passes or is known, 1 when one fails, hangs, crashes, or is known no longer.
        """,
    flags: [
        Flag("--adapter", "COMMAND", help: "the adapter and its arguments, separated by spaces"),
        Flag("--ledger", "L", help: "a client's name in clients/, or a file"),
        Flag("--platform", "P", help: "a name in clients/platforms/, or a file; the ledger's, when left out"),
        .fixtures,
        Flag("--jobs", "N", help: "sittings side by side, 1 to 64 (default 4)"),
        Flag("--retries", "N", help: "ask a case that fails again, alone, up to N times, 0 to 10 (default 0)"),
        Flag(
            "--reslice", "K",
            help: "ask a case that passes K more times with replies cut elsewhere, 0 to 100 (default 0)"),
        .seed,
        Flag("--keep-adapter", help: "give one process of the adapter many cases; it must know how"),
        Flag("--verbose", help: "every case, with its findings and timeline"),
        Flag("--junit", "FILE", help: "also write JUnit XML"),
        Flag("--json", "FILE", help: "also write one JSON object a case"),
    ] + AuthorityOptions.flags
) { arguments, context in
    guard let adapter = arguments["--adapter"]?.split(separator: " ").map(String.init), !adapter.isEmpty else {
        throw UsageError("'exam' needs --adapter COMMAND; Docs/adapters.md says what an adapter is")
    }
    if let reason = ProgramSearch.reasonNotToRun(adapter[0], environment: context.environment) {
        context.output.note("the adapter can't be run: \(reason)")
        return .failure
    }
    let jobs = try arguments.number("--jobs", in: 1...64) ?? 4
    let retries = try arguments.number("--retries", in: 0...10) ?? 0
    let reslices = try arguments.number("--reslice", in: Examiner.resliceRange) ?? 0
    let paths = try FixtureLocation(environment: context.environment).paths(of: arguments)
    let authority = try AuthorityOptions(arguments, fixturePaths: paths, environment: context.environment)
    let found = ScenarioLoader.find(paths: paths)
    let wanted = wantedIDs(of: arguments.operands, among: found.ids)
    let loaded = FixtureReport.load(found, certificates: authority.folders, context.output) {
        wanted?.contains($0) ?? true
    }
    guard loaded.isClean else { return .failure }
    let files = ClientFiles(fixturePaths: paths, output: context.output)
    guard let judges = try files.judges(ledger: arguments["--ledger"], platform: arguments["--platform"]) else {
        return .failure
    }
    let selection: CaseSelection
    do throws(CaseSelection.Failure) {
        selection = try CaseSelection(arguments.operands, among: loaded.scenarios)
    } catch {
        throw UsageError(error.description)
    }
    let unknownEntries =
        judges.ledger.map { UnknownLedgerEntries.sentences(of: $0, among: loaded.scenarios, of: found.ids) } ?? []
    guard unknownEntries.isEmpty else {
        for sentence in unknownEntries { context.output.err("\(sentence)\n") }
        return .failure
    }
    let client = judges.ledger?.client ?? adapter[0]
    guard
        let reports = ExamFiles(
            arguments, selection, client: client, platform: judges.platform.name, output: context.output)
    else { return .failure }
    var configuration = ServerConfiguration()
    authority.apply(to: &configuration)
    configuration.seed = try arguments.seed
    let server = try await Server.start(Catalogue(loaded.scenarios), configuration: configuration)
    var program = Adapter(command: adapter, environment: context.environment)
    program.takesManyAssignments = arguments.has("--keep-adapter")
    let examiner = Examiner(
        server: server, adapter: program,
        platform: judges.platform, ledger: judges.ledger, reslices: reslices)
    let printer = ExamPrinter(output: context.output, isVerbose: arguments.has("--verbose"))
    let report = await ExamWalk(examiner, width: jobs, retries: retries).run(
        selection, isWhole: arguments.operands.isEmpty
    ) { sitting in
        reports.take(sitting.verdict)
        printer.take(sitting)
    }
    await server.stop(grace: .zero)
    printer.finish(report)
    let isWritten = reports.finish(report)
    return report.isFailure || !isWritten ? .failure : .success
}

/// The scenarios to read for these operands; nil: all, also where an operand names none, since its error needs them.
private func wantedIDs(of operands: [String], among ids: [String]) -> Set<String>? {
    guard !operands.isEmpty else { return nil }
    var named: Set<Int> = []
    var wanted: Set<String> = []
    for id in ids {
        let positions = CaseSelection.positions(naming: id, in: operands)
        guard !positions.isEmpty else { continue }
        named.formUnion(positions)
        wanted.insert(id)
    }
    return named.count == operands.count ? wanted : nil
}

/// Prints an exam's progress and result; safe from any thread.
///
/// Messages of an adapter that does not start are held until one starts or the walk ends, and are printed once.
final class ExamPrinter: Sendable {
    private let output: Output
    private let isVerbose: Bool
    private let state = Locked(State())

    private struct State {
        var hasStarted = false
        var failedStarts: [Sitting] = []
    }

    init(output: Output, isVerbose: Bool) {
        self.output = output
        self.isVerbose = isVerbose
    }

    func take(_ sitting: Sitting) {
        let told = state.withLock { state -> [Sitting] in
            if state.hasStarted { return [sitting] }
            if sitting.failedToStart {
                state.failedStarts.append(sitting)
                return []
            }
            guard sitting.wasAsked else { return [sitting] }
            state.hasStarted = true
            defer { state.failedStarts = [] }
            return state.failedStarts + [sitting]
        }
        for sitting in told { tell(sitting) }
    }

    func finish(_ report: ExamReport) {
        let failed = state.withLock { $0.failedStarts }
        if report.notAskedCount != nil, let first = failed.first {
            let count = Plural.count(failed.count, "case")
            output.line(
                "\(report.client) does not start: \(count) ended without a trace; the first, \(first.verdict.id), \(Self.end(of: first))"
            )
            output.out(first.errorLines)
            output.line(report.tally)
            return
        }
        for sitting in failed { tell(sitting) }
        output.line(report.summary(isComplete: isVerbose))
    }

    /// Without the adapter's own messages, which are printed below.
    private static func end(of sitting: Sitting) -> String {
        switch sitting.evidence.ending {
        case .exited(let code, _): "exited with \(code)"
        case .finished, .crashed, .hung, .couldNotStart: sitting.verdict.reason
        }
    }

    private func tell(_ sitting: Sitting) {
        guard isVerbose || sitting.verdict.outcome.isFailure else { return }
        output.out("\(sitting.timeline)\n\n\(sitting.verdict)\n\(sitting.errorLines)\n")
    }
}

/// The report files of an exam; safe from any thread.
///
/// JSON has a line for each sitting as it ends, and at the end each case once, in the catalogue's order. JUnit is
/// rewritten at most once a second.
final class ExamFiles: Sendable {
    private let junit: ReportFile?
    private let json: ReportFile?
    private let selection: CaseSelection
    private let client: String
    private let platform: String
    private let state = Locked(State())

    private struct State {
        var verdicts: [CaseID: CaseVerdict] = [:]
        var hasBegunJSON = false
        /// MonotonicClock nanoseconds of the last JUnit text.
        var lastJUnit: UInt64 = 0
    }

    private static let pause: UInt64 = 1_000_000_000

    /// nil when a file can't be written; the error was printed.
    init?(
        _ arguments: ParsedArguments, _ selection: CaseSelection, client: String, platform: String, output: Output
    ) {
        junit = arguments["--junit"].flatMap { ReportFile.tried($0, flag: "--junit", output) }
        json = arguments["--json"].flatMap { ReportFile.tried($0, flag: "--json", output) }
        self.selection = selection
        self.client = client
        self.platform = platform
        guard junit != nil || arguments["--junit"] == nil, json != nil || arguments["--json"] == nil else { return nil }
    }

    func take(_ verdict: CaseVerdict) {
        state.withLock { state in
            state.verdicts[verdict.id] = verdict
            if let json {
                // The first line replaces an earlier exam's file.
                json.add(String(decoding: verdict.json, as: UTF8.self), isFirst: !state.hasBegunJSON)
                state.hasBegunJSON = true
            }
            let now = MonotonicClock.nanoseconds
            guard let junit, now &- state.lastJUnit >= Self.pause else { return }
            state.lastJUnit = now
            let verdicts = selection.cases.compactMap {
                state.verdicts[CaseID(scenario: $0.scenario.id, name: $0.item.name)]
            }
            junit.update(with: ExamReport(client: client, platform: platform, verdicts: verdicts).junit)
        }
    }

    /// Writes the final reports; false when one can't be written; the error was printed.
    func finish(_ report: ExamReport) -> Bool {
        var isWritten = true
        if let junit { isWritten = junit.replace(with: report.junit) }
        if let json { isWritten = json.end(with: String(decoding: report.jsonLines, as: UTF8.self)) && isWritten }
        return isWritten
    }
}
