internal import ProctorBase
internal import ProctorExam
internal import ProctorFixtures
internal import ProctorGrading
import ProctorRules
internal import ProctorScenario
internal import ProctorServer

let examCommand = Command(
    name: "exam", operands: "[CASE ...] (--command LINE | --adapter COMMAND | --client NAME ...) [FLAGS]",
    summary: "Asks clients the cases, by a command line or through adapters, and judges requests and callbacks",
    fillings: ["placeholders": CommandTemplate.placeholderList],
    flags: [
        Flag(
            "--adapter", "COMMAND",
            help: "the adapter and its arguments, separated by spaces; or tcp://ADDRESS:PORT, at which it connects"),
        Flag(
            "--name", "NAME",
            help: "with --adapter and --command: what reports call the client (default: the program, or its script)"
        ),
        Flag("--command", "LINE", help: "a command line with {url} as the client, without an adapter"),
        Flag(
            "--ability", "NAME",
            help:
                "with --command: an ability of the client that no placeholder shows; may be given again, or as NAME,NAME",
            isRepeatable: true),
        Flag(
            "--errors", "NAME",
            help:
                "with --command: what exit codes mean, a name in clients/errors/ or a file (default: that of the program)"
        ),
        Flag("--client", "NAME", help: "a shipped client; may be given again, or as NAME,NAME", isRepeatable: true),
        Flag(
            "--versions",
            help: "with --client: NAME@RELEASE is that release of PyPI, installed once; what it changed is told"),
        Flag(
            "--versions-dir", "DIR", help: "with --versions: where releases are installed (default: the user's cache)"),
        Flag(
            "--client-programs", "DIR",
            help: "where proctor-client-reference and its like stand (default: beside proctor)"),
        Flag("--ledger", "L", help: "a client's name in clients/, or a file"),
        Flag(
            "--write-ledger", "FILE",
            help:
                "write a ledger of what the client fails; a FILE that is there is brought up to date, and is the ledger"
        ),
        Flag("--platform", "P", help: "a name in clients/platforms/, or a file; the ledger's, when left out"),
        .fixtures,
        Flag(
            "--fail-on", "KIND",
            help: "which failures decide the exit code: must, should (and must), or never (default must)"),
        Flag("--baseline", "FILE", help: "records of an earlier exam: only cases that are worse than there fail"),
        Flag(
            "--shard", "I/N",
            help: "the I-th of N parts of the cases, N up to 1000, each case in one part; auto: that of this node"),
        Flag("--jobs", "N", help: "sittings side by side, 1 to 64 (default 4)"),
        Flag("--retries", "N", help: "ask a case that fails again, alone, up to N times, 0 to 10 (default 0)"),
        Flag(
            "--reslice", "K",
            help: "ask a case that passes K more times with replies cut elsewhere, 0 to 100 (default 0)"),
        Flag(
            "--repeat", "N",
            help: "ask every case N times between other cases, 2 to 1000, and print the cases whose results differ"),
        .seed,
        .wantedProtocol,
        Flag("--fresh-adapter", help: "give each case a process of its own, also where the adapter can take many"),
        Flag("--verbose", help: "every case, and what was wanted and what came as expressions too"),
        Flag("--json", "FILE", help: "also write records as JSON lines"),
        Flag("--resume", help: "with --json: ask only the cases that FILE does not have"),
    ] + Modules.present.flatMap { $0.examForms.map(\.flag) + $0.examEndings.map(\.flag) } + AdapterPortOptions.flags
        + AuthorityOptions.flags, operandNames: "ids"
) { arguments, context in
    let options = try ExamOptions(arguments, context)
    guard options.writtenLedger != nil || arguments["--write-ledger"] == nil else { return .failure }
    let library = try FixtureLocation(environment: context.environment).library(of: arguments)
    guard let clients = try await options.clients(arguments, fixturePaths: library.own, context) else {
        return .failure
    }
    let authority = try AuthorityOptions(arguments, fixturePaths: library.own, environment: context.environment)
    let found = library.find()
    let wanted = wantedIDs(of: arguments.operands, in: library, found)
    if let sentence = ReplacedScenarios.sentence(found.replaced.filter { wanted.contains($0.id) }) {
        context.output.message(sentence)
    }
    let loaded = FixtureReport.load(found, certificates: authority.folders, context.output, where: wanted.contains)
    guard loaded.isClean else { return .failure }
    let files = ClientFiles(fixturePaths: library.own, output: context.output)
    var candidates: [ExamCandidate] = []
    for client in clients {
        let isRewritten = client.ledger != nil && client.ledger == options.writtenLedger?.path
        let judged = try files.judges(ledger: client.ledger, platform: client.platform, isRewritten: isRewritten)
        guard let judges = judged else { return .failure }
        candidates.append(
            ExamCandidate(
                client: client, platform: judges.platform, ledger: judges.ledger,
                isLedgerForeign: try ClientFiles.isForeign(ledger: client.ledger, to: library)))
    }
    let whole: CaseSelection
    do throws(CaseSelection.Failure) {
        whole = try CaseSelection(arguments.operands, among: loaded.scenarios)
    } catch {
        throw UsageError("\(error) (looked in \(library.places))")
    }
    let unknownEntries = candidates.filter { !$0.isLedgerForeign }.compactMap(\.ledger).flatMap { ledger in
        UnknownLedgerEntries.sentences(of: ledger, among: loaded.scenarios)
    }
    guard unknownEntries.isEmpty else {
        for sentence in unknownEntries { context.output.err("\(sentence)\n") }
        return .failure
    }
    let selection = options.shard.map { whole.shard($0.number, of: $0.count) } ?? whole
    guard let reports = try ExamFiles(arguments, options, output: context.output) else { return .failure }
    var configuration = ServerConfiguration.ofProgram
    authority.apply(to: &configuration)
    // When sittings of one case are compared, all of them must draw the same random values.
    configuration.seed = try arguments.seed ?? (options.repeats > 1 ? UInt64.random(in: 0..<1 << 32) : nil)
    if options.repeats > 1, let seed = configuration.seed {
        context.output.message("what is random comes from --seed \(seed)")
    }
    if let address = clients.first?.port?.serverAddress {
        configuration.address = address
        configuration.token = clients.first?.port?.token
    }
    let server = try await Server.start(Catalogue(loaded.scenarios), configuration: configuration)
    let exam = Exam(
        options: options, selection: selection,
        // Over another protocol, cases in a ledger may be skipped.
        isWhole: arguments.operands.isEmpty && options.shard == nil && options.wantedProtocol == .http11,
        server: server, reports: reports, adapter: arguments["--adapter"], context: context)
    let asked = try await exam.ask(candidates)
    await server.stop(grace: .zero)
    guard var isFailure = asked else { return .failure }
    if candidates.count > 1 { exam.printTotals() }
    if arguments.has("--versions") { exam.printChanges() }
    if candidates.allSatisfy({ $0.client.absence != nil }) {
        context.output.message("no client was asked, as none of them is installed")
        isFailure = true
    }
    guard reports.finish() else { return .failure }
    let end = ExamEnd(files: reports, fixtures: found, kinds: options.kinds, output: context.output)
    for ending in options.endings { isFailure = try !ending.finish(arguments, end) || isFailure }
    return isFailure ? .failure : .success
}

/// The ids of the scenarios to read for these operands; all ids also when an operand names none, since the error lists
/// similar names.
///
/// Without an operand, the user's own scenarios are read, if there are any.
private func wantedIDs(of operands: [String], in library: FixtureLibrary, _ files: ScenarioFiles) -> Set<String> {
    guard !operands.isEmpty else { return Set(library.nearestIDs(files)) }
    var named: Set<Int> = []
    var wanted: Set<String> = []
    for id in files.ids {
        let positions = CaseSelection.positions(naming: id, in: operands)
        guard !positions.isEmpty else { continue }
        named.formUnion(positions)
        wanted.insert(id)
    }
    return named.count == operands.count ? wanted : Set(files.ids)
}
