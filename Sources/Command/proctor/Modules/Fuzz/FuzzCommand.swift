internal import ProctorBase
internal import ProctorExam
internal import ProctorFixtures
internal import ProctorFuzz
internal import ProctorRules
internal import ProctorScenario
internal import ProctorServer

let fuzzCommand = Command(name: "fuzz", operandNames: "ids") { arguments, context in
    let count = try arguments.number("--count", in: 1...100_000) ?? 100
    let minutes = try arguments.number("--minutes", in: 1...1_440) ?? 10
    let names = arguments.all("--client").flatMap { $0.split(separator: ",").map(String.init) }
    guard Set(names).count == names.count, names.count >= 2 else {
        throw UsageError("'fuzz' compares two clients or more, each named once: --client curl,wget")
    }
    guard arguments["--json"] != nil || !arguments.has("--resume") else {
        throw UsageError("--resume goes on with the lines of --json FILE; name it")
    }
    let library = try FixtureLocation(environment: context.environment).library(of: arguments)
    let authority = try AuthorityOptions(arguments, fixturePaths: library.own, environment: context.environment)
    let clients = try await fuzzClients(names, arguments, fixturePaths: library.own, context)
    let sources = try FuzzSources(arguments.operands, in: library, certificates: authority.folders, context.output)
    let header = { seed in FuzzRecord.Header(seed: seed, clients: names, sources: sources.list.map(\.id)) }
    let file = try FuzzFile(arguments, context.output, header: header)
    var configuration = ServerConfiguration.ofProgram
    authority.apply(to: &configuration)
    let server = try await Server.start(Catalogue([]), configuration: configuration)
    let examiners = clients.map { client in
        var adapter = Adapter(command: client.command, environment: context.environment)
        adapter.client = client.commandLine
        adapter.takesManyAssignments = client.commandLine == nil
        var examiner = Examiner(server: server, adapter: adapter, platform: .neutral)
        examiner.deadlineLimit = FuzzWalk.deadline
        return (name: client.name, examiner: examiner)
    }
    let walk = FuzzWalk(sources: sources.list, clients: examiners, seed: file.seed, known: file.former.keys)
    context.output.message(
        "\(Plural.count(sources.list.count, "scenario")) for \(names.joined(separator: ", ")), --seed \(file.seed)"
            + (file.former.count > 0 ? ", behind mutant \(file.former.count)" : ""))
    let run = FuzzRun(
        walk: walk, file: file, folder: arguments["--into"] ?? "mutants", isVerbose: arguments.has("--verbose"),
        output: context.output)
    let isClean = try await run.walk(to: count, within: .seconds(minutes * 60))
    await server.stop(grace: .zero)
    return isClean ? .success : .failure
}

private func fuzzClients(
    _ names: [String], _ arguments: ParsedArguments, fixturePaths: [String], _ context: CommandContext
) async throws -> [ExamClient] {
    let table = ExamClients(
        fixturePaths: fixturePaths, environment: context.environment, programFolder: arguments["--client-programs"])
    var clients: [ExamClient] = []
    for name in names {
        let client = try await table.client(named: name)
        if let absence = client.absence { throw InputFailure("\(name) can't be asked: \(absence)") }
        clients.append(client)
    }
    return clients
}

/// The scenarios that mutants are made of.
private struct FuzzSources {
    private(set) var list: [MutantSource] = []

    /// At least one.
    init(
        _ operands: [String], in library: FixtureLibrary, certificates folders: [String], _ output: Output
    ) throws {
        let files = library.find()
        let ids =
            operands.isEmpty
            ? Set(library.nearestIDs(files))
            : Set(
                files.ids.filter {
                    !CaseSelection.positions(naming: $0, in: operands).isEmpty
                })
        let loaded = FixtureReport.load(files, certificates: folders, output, where: ids.contains)
        guard loaded.isClean else { throw PrintedFailure() }
        let selection: CaseSelection
        do throws(CaseSelection.Failure) {
            selection = try CaseSelection(operands, among: loaded.scenarios)
        } catch {
            throw UsageError("\(error) (looked in \(library.places))")
        }
        var cases: [String: Set<String>] = [:]
        for (scenario, item) in selection.cases { cases[scenario.id, default: []].insert(item.name) }
        var reasons: [String: Int] = [:]
        for scenario in loaded.scenarios {
            guard let wanted = cases[scenario.id] else { continue }
            let path = scenario.location.file
            do throws(MutantSource.Refusal) {
                let bytes = (try? InputFile.bytes(of: path, limit: 4 << 20)) ?? []
                list.append(try MutantSource(bytes, id: scenario.id, file: path, where: wanted.contains))
            } catch {
                reasons[error.reason, default: 0] += 1
            }
        }
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) {
            output.message("\(Plural.count(count, "scenario")) passed over: \(reason)")
        }
        if list.isEmpty { throw InputFailure("no scenario is left to make mutants of") }
    }
}
