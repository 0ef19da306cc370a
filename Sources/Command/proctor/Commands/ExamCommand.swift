internal import ProctorBase
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorFixtures
internal import ProctorGrading
import ProctorRules
internal import ProctorScenario
internal import ProctorServer

let examCommand = Command(
    name: "exam", fillings: { ["placeholders": CommandTemplate.placeholderList] }, operandNames: "ids"
) { arguments, context in
    let options = try ExamOptions(arguments, context)
    let (library, operands) = try FixtureLocation(environment: context.environment)
        .library(of: arguments, naming: arguments.operands)
    let clients = try await options.clients(fixturePaths: library.own, context)
    let authority = try AuthorityOptions(arguments, fixturePaths: library.own, environment: context.environment)
    let fixtures = library.find()
    let wanted = wantedIDs(of: operands, in: library, fixtures)
    if let sentence = ReplacedScenarios.sentence(fixtures.replaced.filter { wanted.contains($0.id) }) {
        context.output.message(sentence)
    }
    let loaded = FixtureReport.load(fixtures, certificates: authority.folders, context.output, where: wanted.contains)
    guard loaded.isClean else { return .failure }
    // A refusal rests on its control, whichever scenarios are asked.
    let controls = Set(
        loaded.scenarios.flatMap(\.cases).flatMap(\.namesOfControls).map { name in String(name.prefix { $0 != "#" }) }
    ).subtracting(wanted)
    let besides = FixtureReport.load(
        fixtures, certificates: authority.folders, context.output, where: controls.contains)
    guard besides.isClean else { return .failure }
    let files = ClientFiles(fixturePaths: library.own, output: context.output)
    var candidates: [ExamCandidate] = []
    for client in clients {
        let isRewritten = client.ledger != nil && client.ledger == options.writtenLedger?.path
        let judges = try files.judges(ledger: client.ledger, platform: client.platform, isRewritten: isRewritten)
        candidates.append(
            ExamCandidate(
                client: client, platform: judges.platform, ledger: judges.ledger,
                isLedgerForeign: try ClientFiles.isForeign(ledger: client.ledger, to: library)))
    }
    let whole: CaseSelection
    do throws(CaseSelection.Failure) {
        whole = try CaseSelection(operands, among: loaded.scenarios)
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
    let reports = try ExamFiles(arguments, options, output: context.output)
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
    let server = try await Server.start(Catalogue(loaded.scenarios + besides.scenarios), configuration: configuration)
    let exam = ClientsExam(
        options: options, selection: selection,
        // Over another protocol, cases in a ledger may be skipped.
        isWhole: arguments.operands.isEmpty && options.shard == nil && options.wantedProtocol == .http11,
        server: server, reports: reports, adapter: arguments["--adapter"], context: context)
    let asked = try await exam.ask(candidates)
    await server.stop(grace: .zero)
    guard var isFailure = asked else { return .failure }
    if candidates.count > 1 { exam.printTotals() }
    if arguments.has("--versions") { exam.printChanges() }
    guard reports.finish() else { return .failure }
    let end = EndedExam(files: reports, fixtures: fixtures, output: context.output)
    for ending in options.endings { isFailure = try !ending.finish(arguments, end) || isFailure }
    if candidates.allSatisfy({ $0.client.absence != nil }) {
        context.output.message("no client was asked, as none of them is installed")
        return .usage
    }
    return isFailure || reports.results.isFailure ? .failure : .success
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
