internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorRules
internal import ProctorScenario
internal import ProctorServer
internal import ProctorStorm

let stormCommand = Command(name: "storm") { arguments, context in
    let options = try StormOptions(arguments)
    if arguments.has("--list") {
        options.printSchedules(context.output)
        return .success
    }
    // Schedules are the fixtures; a folder of others says only which clients and which root belong to them.
    let paths = try FixtureLocation(environment: context.environment).libraryIfAny(of: arguments)?.own ?? []
    let authority = try AuthorityOptions(arguments, fixturePaths: paths, environment: context.environment)
    let client = try await stormClient(arguments, fixturePaths: paths, context)
    let files = ClientFiles(fixturePaths: paths, output: context.output)
    let (platform, ledger) = try files.judges(ledger: client.ledger, platform: client.platform)
    let known = try StormRun.known(in: ledger)
    var configuration = ServerConfiguration.ofProgram
    authority.apply(to: &configuration)
    let server = try await Server.start(Catalogue([]), configuration: configuration)
    var adapter = Adapter(command: client.command, environment: context.environment)
    adapter.takesManyAssignments = true
    var examiner = Examiner(server: server, adapter: adapter, platform: platform)
    examiner.deadlineLimit = StormOptions.deadline
    examiner.endTime = StormWalk.endTime
    examiner.gradesNothing = true
    let walk = StormWalk(
        examiner: examiner, seed: options.seed, atOnce: options.atOnce, versions: options.versions)
    let run = StormRun(
        walk: walk, options: options, client: client.name, known: known,
        jobs: options.jobs ?? StormOptions.jobs(of: client.command), output: context.output)
    let isClean = try await run.finish()
    await server.stop(grace: .zero)
    return isClean ? .success : .failure
}

private func stormClient(
    _ arguments: ParsedArguments, fixturePaths: [String], _ context: CommandContext
) async throws -> ExamClient {
    let command = try AdapterWords.split(arguments["--adapter"] ?? "", option: "--adapter")
    guard let name = arguments["--client"] else {
        guard !command.isEmpty else {
            throw UsageError(
                "'storm' needs --client NAME or --adapter COMMAND; 'proctor help exam' says what an adapter is")
        }
        return try .ofAdapter(command, ledger: arguments["--ledger"], arguments, context)
    }
    guard command.isEmpty else { throw UsageError("say either --client or --adapter, not both") }
    let table = ExamClients(
        fixturePaths: fixturePaths, environment: context.environment, programFolder: arguments["--client-programs"])
    var client = try await table.client(named: name)
    client.ledger = arguments["--ledger"] ?? client.ledger
    if let absence = client.absence { throw InputFailure("\(name) can't be asked: \(absence)") }
    guard client.commandLine == nil else {
        throw UsageError("\(name) is a command line, which makes one load at a time; a storm needs an adapter")
    }
    return client
}

/// What the command line says of a storm.
struct StormOptions: Sendable {
    let seed: UInt64
    let loads: Int
    let atOnce: Int
    /// Schedules under way at a time; nil: as many as fit the client.
    let jobs: Int?
    let time: Duration
    let versions: Set<StormProtocol>
    /// The schedules whose number leaves this remainder.
    let part: ExamShard
    let folder: String
    let isVerbose: Bool
    /// The invariant behind whose first break no schedule begins; nil: none.
    let last: StormInvariant?

    /// Milliseconds after which a client gives a schedule up, on an idle machine.
    static let deadline = 10_000

    init(_ arguments: ParsedArguments) throws(UsageError) {
        seed = try arguments.seed ?? UInt64.random(in: 0..<1 << 32)
        loads = try arguments.number("--loads", in: 1...100_000_000) ?? 200
        atOnce = try arguments.number("--at-once", in: 1...StormSchedule.mostLoads) ?? StormSchedule.mostLoads
        jobs = try arguments.number("--jobs", in: 1...64)
        time = .seconds(60 * (try arguments.number("--minutes", in: 1...1_440) ?? 10))
        folder = arguments["--into"] ?? "storms"
        isVerbose = arguments.has("--verbose")
        last = arguments["--until"].flatMap { StormInvariant(rawValue: $0) }
        versions =
            try arguments["--protocol"].map { text throws(UsageError) in try Self.version(text) }
            .map { [$0] } ?? Set(StormProtocol.allCases)
        let text = arguments["--part"] ?? "1/1"
        guard let part = ExamShard(text) else {
            throw UsageError("--part takes K/N with K from 1 to N, and N from 1 to 1000, not '\(text)'")
        }
        self.part = part
    }

    /// Most schedules wait for a fault, and each has a process of the client: those of Proctor itself are small.
    static func jobs(of command: [String]) -> Int {
        let isOwn = command.first?.split(separator: "/").last?.hasPrefix("proctor-client-") ?? false
        return isOwn ? 32 : 6
    }

    private static func version(_ text: String) throws(UsageError) -> StormProtocol {
        switch text {
        case "http/1.1": .h1
        case "h2": .h2
        case "h3": .h3
        default: throw UsageError("--protocol takes http/1.1, h2 or h3, not '\(text)'")
        }
    }

    /// The numbers of the schedules of this part, from the first on.
    func number(at index: Int) -> Int { part.number + index * part.count }

    func printSchedules(_ output: Output) {
        var (index, count) = (0, 0)
        while count < loads {
            let schedule = StormSchedule(seed: seed, number: number(at: index), over: versions)
            for line in schedule.lines { output.line(line) }
            count += schedule.names.count
            index += 1
        }
    }
}
