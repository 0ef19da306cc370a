internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorGrading
internal import ProctorScenario

/// The flags of `proctor exam`, checked.
struct ExamOptions: Sendable {
    /// The kinds of cases whose failures fail the command; empty: none.
    let kinds: Set<Case.Kind>
    /// What fails the exam.
    let gate: ExamGate
    private(set) var jobs = 4
    private(set) var retries = 0
    private(set) var reslices = 0
    /// Chooses the cases in which small replies come in two segments; nil with `--reslice`, which compares with whole ones.
    let segmentSeed: UInt64?
    /// How often each case is run.
    private(set) var repeats = 1
    /// The value of `--json`.
    let recordFile: String?
    /// The value of `--shard`; nil: all cases are run.
    let shard: ExamShard?
    /// The file of `--write-ledger`; nil: none is written.
    let writtenLedger: LedgerFile?
    /// nil without `--baseline`.
    let baseline: Baseline?
    private let arguments: ParsedArguments
    /// What the flags of modules want at the end.
    let endings: [ExamEnding]

    private static let repeatRange = 2...1_000

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        writtenLedger = try arguments["--write-ledger"].map { try LedgerFile($0, context.output) }
        jobs = try arguments.number("--jobs", in: 1...64) ?? jobs
        retries = try arguments.number("--retries", in: 0...10) ?? retries
        reslices = try arguments.number("--reslice", in: Examiner.resliceRange) ?? reslices
        segmentSeed = reslices > 0 ? nil : try arguments.seed ?? 0
        repeats = try arguments.number("--repeat", in: Self.repeatRange) ?? repeats
        self.arguments = arguments
        recordFile = arguments["--json"]
        kinds = try arguments.failingKinds(else: "must")
        shard = try arguments["--shard"].map { text throws(UsageError) in
            try ExamShard(text, environment: context.environment)
        }
        baseline = try arguments["--baseline"].map { path in
            var reader = ExamRecordReader()
            try reader.read(try InputFile.bytes(of: path), file: InputFile.name(of: path))
            return Baseline(reader.exams, file: path)
        }
        wantedProtocol = try arguments.wantedProtocol
        gate = ExamGate(failingOn: kinds, baseline: baseline?.all)
        let isResumed = arguments.has("--resume")
        if repeats > 1, isResumed || arguments["--retries"] != nil {
            let other = isResumed ? "--resume" : "--retries"
            throw UsageError("--repeat compares all sittings of a case, so \(other) does not go with it")
        }
        if isResumed, arguments["--json"] == nil {
            throw UsageError("--resume goes on with the records of --json FILE; name them")
        }
        endings = Modules.present.flatMap(\.examEndings).filter { arguments.isGiven($0.flag) }
        for ending in endings { try ending.check(arguments) }
    }

    var keepsAdapter: Bool { !arguments.has("--fresh-adapter") }
    var isVerbose: Bool { arguments.has("--verbose") }
    var isResumed: Bool { arguments.has("--resume") }
    /// The protocol of origins without `protocols` of their own.
    let wantedProtocol: RunProtocol

    /// The clients to run.
    func clients(fixturePaths: [String], _ context: CommandContext) async throws -> [ExamClient] {
        let names = arguments.all("--client").flatMap { $0.split(separator: ",").map(String.init) }
        let adapter = try AdapterWords.split(arguments["--adapter"] ?? "", option: "--adapter")
        let line = arguments["--command"]
        let forms = Modules.present.flatMap(\.examClients).filter { !arguments.all($0.flag).isEmpty }
        let said =
            [adapter.isEmpty ? nil : "--adapter", names.isEmpty ? nil : "--client", line.map { _ in "--command" }]
            .compactMap(\.self) + forms.map(\.flag)
        guard said.count == 1 else {
            throw UsageError(
                said.isEmpty
                    ? "'exam' needs --command 'curl -s {url}', --adapter COMMAND or --client NAME; Docs/clients/adapters.md says "
                        + "what an adapter is"
                    : "say either \(said.joined(separator: " or ")), not \(said.count == 2 ? "both" : "all")")
        }
        if line == nil, let flag = ["--ability", "--errors"].first(where: { !arguments.all($0).isEmpty }) {
            throw UsageError("\(flag) is for --command; an adapter tells by itself")
        }
        guard writtenLedger == nil || names.count <= 1 else {
            throw UsageError("--write-ledger is for one client")
        }
        if let form = forms.first { return try await form.clients(arguments, fixturePaths, context) }
        let ledger = arguments["--ledger"] ?? writtenLedger.flatMap { $0.isOld ? $0.path : nil }
        let port = try AdapterPortOptions(arguments, adapter: adapter, environment: context.environment)
        if port != nil, let text = arguments["--jobs"], jobs != 1 {
            throw UsageError("an adapter over the network does one case after the other, so --jobs is 1, not \(text)")
        }
        if !adapter.isEmpty || line != nil {
            if let name = arguments["--name"], !AdapterName.isPermitted(name) {
                throw UsageError(
                    "--name takes \(AdapterName.permission), not '\(PrintableText.sanitize(name, limit: 60))'")
            }
            if let line {
                if !keepsAdapter {
                    throw UsageError(
                        "--fresh-adapter is for an adapter; a command of --command is run once for each case")
                }
                return [
                    try .ofCommandLine(line, ledger: ledger, fixturePaths: fixturePaths, arguments, context)
                ]
            }
            if let port {
                var client = ExamClient(name: arguments["--name"] ?? "remote", command: [port.address.description])
                (client.ledger, client.platform, client.port) = (ledger, arguments["--platform"], port)
                return [client]
            }
            return [try .ofAdapter(adapter, ledger: ledger, arguments, context)]
        }
        guard arguments["--name"] == nil else {
            throw UsageError("--name is for --adapter and --command; a shipped client has its own")
        }
        guard arguments["--ledger"] == nil || names.count == 1 else {
            throw UsageError("--ledger is for one client; the shipped ones have theirs in clients/")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw UsageError("--client \(twice) is given twice")
        }
        let table = ExamClients(
            fixturePaths: fixturePaths, environment: context.environment,
            programFolder: arguments["--client-programs"], releases: try ReleaseClients(arguments, context))
        var clients: [ExamClient] = []
        for name in names {
            var client = try await table.client(named: name)
            if client.commandLine != nil, wantedProtocol != .http11 {
                throw UsageError("\(name) is a command line, which is asked over HTTP/1.1 alone; leave out --protocol")
            }
            client.ledger = ledger ?? client.ledger
            client.platform = arguments["--platform"] ?? client.platform
            clients.append(client)
        }
        return clients
    }
}
