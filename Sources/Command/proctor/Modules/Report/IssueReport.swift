internal import ProctorBase
internal import ProctorDemands
internal import ProctorEvents
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorNotation
internal import ProctorProgram
internal import ProctorReport
import ProctorRules
internal import ProctorScenario
internal import ProctorServer
internal import ProctorServing

/// `proctor report issue`: runs one case on one client, and writes a report with which its project can reproduce the
/// failure.
struct IssueReport {
    let arguments: ParsedArguments
    let context: CommandContext

    private var output: Output { context.output }

    /// The port of the first served origin, and of further ones the next; below the ports that systems assign
    /// themselves.
    private static let firstPort = 28_080
    private static let portDistance = 20
    private static let portTries = 50
    private static let lastPort = 60_000

    func write(_ operands: [String]) async throws -> ExitCode {
        guard operands.count == 1, case let parts = operands[0].split(separator: "#", maxSplits: 1), parts.count == 2
        else {
            throw UsageError("'report issue' takes one case: proctor report issue FAMILY/SCENARIO#CASE --client NAME")
        }
        let said = ["--client", "--adapter", "--command"].filter { arguments[$0] != nil }
        guard said.count == 1 else {
            throw UsageError(
                said.isEmpty
                    ? "'report issue' needs --client NAME, --adapter COMMAND or --command LINE"
                    : "say either \(said.joined(separator: " or ")), not \(said.count == 2 ? "both" : "all")")
        }
        let library = try FixtureLocation(environment: context.environment).library(of: arguments)
        let authority = try AuthorityOptions(arguments, fixturePaths: library.own, environment: context.environment)
        let scenario = try FixtureReport.scenario(
            String(parts[0]), in: library, certificates: authority.folders, output)
        guard let item = scenario.sittings.first(where: { $0.name == parts[1] }) else {
            let hint = NearestName.hint(
                for: String(parts[1]), in: scenario.sittings.map(\.name),
                else: "there are \(scenario.sittings.map(\.name).joined(separator: ", "))")
            throw UsageError("\(scenario.id) has no case '\(parts[1])'; \(hint)")
        }
        let client = try await client(fixturePaths: library.own)
        let name = client.name
        if let absence = client.absence { throw InputFailure("\(name) can't be asked: \(absence)") }
        let files = ClientFiles(fixturePaths: library.own, output: output)
        let judges = try files.judges(ledger: client.ledger, platform: client.platform)
        let firstPort = try arguments.number("--port", in: 1_024...Self.lastPort) ?? Self.firstPort
        var configuration = ServerConfiguration.ofProgram
        authority.apply(to: &configuration)
        let server = try await Server.start(Catalogue([scenario]), configuration: configuration)
        var adapter = Adapter(command: client.command, environment: context.environment)
        adapter.client = client.commandLine
        let examiner = Examiner(
            server: server, adapter: adapter, platform: judges.platform, ledger: judges.ledger,
            speaking: try arguments.wantedProtocol)
        let (sitting, recording) = await sit(item, of: scenario, examiner, from: firstPort)
        await server.stop(grace: .zero)
        guard let program = sitting.program else {
            throw InputFailure("\(name) was not asked: \(sitting.verdict.reason)")
        }
        guard sitting.verdict.findings.contains(where: { $0.weight == .failure }) else {
            throw InputFailure("nothing to report: \(name) did not fail it (\(sitting.verdict.headline))")
        }
        var header = ExamHeader(client: name, platform: judges.platform.name, proctor: CommandLine.version)
        header.clientName = sitting.header?.client
        header.clientVersion = sitting.header?.clientVersion ?? client.version
        if let version = arguments["--client-version"] {
            header.clientVersion = version
        } else if header.clientVersion == nil, client.commandLine != nil {
            header.clientVersion = await ProgramVersion.ask(client.command, environment: context.environment)
        }
        header.system = SystemFacts.name
        if header.clientVersion == nil {
            output.message("the version of \(name) is not known; say it with --client-version TEXT")
        }
        var catalogues = DemandCatalogues()
        let demands = catalogues.check(of: scenario)?.demands(of: item, in: scenario) ?? []
        let page = IssuePage(
            IssueSubject(
                scenario: scenario, verdict: sitting.verdict, evidence: sitting.evidence, record: sitting.record,
                program: program, tape: recording.tape.entries, client: header, demands: demands,
                others: try others(of: sitting.verdict.id, than: name),
                permitsNoRequest: item.wire.map { NotationMatcher($0).isAccepting } ?? false,
                moment: SystemFacts.unixSeconds, command: command(of: client, for: program)))
        return try write(page)
    }

    /// The client that the arguments name.
    private func client(fixturePaths: [String]) async throws -> ExamClient {
        if let name = arguments["--client"] {
            return try await ExamClients(
                fixturePaths: fixturePaths, environment: context.environment, programFolder: nil
            ).client(named: name)
        }
        if let line = arguments["--command"] {
            return try .ofCommandLine(
                line, ledger: arguments["--ledger"], fixturePaths: fixturePaths, arguments, context)
        }
        let command = try AdapterWords.split(arguments["--adapter"] ?? "", option: "--adapter")
        return try .ofAdapter(command, ledger: arguments["--ledger"], arguments, context)
    }

    /// What a script runs; nil for a shipped adapter, which stands nowhere but beside Proctor.
    private func command(of client: ExamClient, for program: Assignment) -> IssueCommand? {
        guard let line = client.commandLine else {
            return arguments["--adapter"] == nil ? nil : IssueCommand(adapter: client.command)
        }
        let authority = program.session.trust == nil ? nil : IssueCommand.File.authority.mark
        let files = CommandFiles(
            output: IssueCommand.File.output.mark, body: IssueCommand.File.body.mark, authority: authority)
        let call = line.call(for: program, files: files)
        return IssueCommand(
            line: line.template.text, words: call.words, environment: call.environment,
            harmlessCodes: line.harmlessCodes)
    }

    /// Runs the case with the first ports that are free.
    private func sit(
        _ item: Case, of scenario: Scenario, _ examiner: Examiner, from firstPort: Int
    ) async -> (Sitting, WireRecording) {
        var examiner = examiner
        var port = firstPort
        while true {
            let recording = WireRecording(firstPort: UInt16(port))
            examiner.recording = recording
            let sitting = await examiner.sit(item, of: scenario)
            port += Self.portDistance
            guard case .setupFailed(let reason) = sitting.verdict.outcome, reason.contains(text: "in use"),
                port < firstPort + Self.portTries * Self.portDistance
            else { return (sitting, recording) }
        }
    }

    private func write(_ page: IssuePage) throws -> ExitCode {
        guard let folder = arguments["--output"] else {
            output.out(page.markdown(hasFiles: false))
            return .success
        }
        let files = [("report.md", page.markdown(hasFiles: true))] + page.files
        for (name, text) in files {
            do throws(CallFailure) {
                try AtomicFile.remove("\(folder)/\(name)")
                try AtomicFile.create("\(folder)/\(name)", with: text)
            } catch {
                throw InputFailure("\(folder)/\(name) can't be written: \(error.text)")
            }
        }
        for obstacle in page.obstacles { output.message("the files do not do all of it: \(obstacle)") }
        output.message("\(folder) has \(files.map(\.0).joined(separator: ", "))")
        return .success
    }

    /// The records of the case for other clients; skips lines about other cases, of which there may be very many.
    private func others(of id: CaseID, than client: String) throws -> [IssueSubject.OtherClient] {
        let shipped = try ShippedFiles.folder("Docs/matrix").map { "\($0)/records.jsonl.zst" }
        guard let path = arguments["--records"] ?? shipped else { return [] }
        let bytes: [UInt8]
        do {
            bytes = try RecordBytes.read(path)
        } catch {
            guard arguments["--records"] != nil else { return [] }
            throw error is InputFailure ? error : InputFailure("\(path) can't be unpacked: \(error)")
        }
        var reader = ExamRecordReader()
        let sitting = try arguments.wantedProtocol.sitting
        try reader.read(RecordBytes.lines(of: bytes, about: id, in: sitting), file: path)
        return reader.exams.filter { $0.header.client != client && !$0.header.client.hasPrefix("reference-") }
            .compactMap { exam in
                exam.cases.first { $0.id == id }.map { record in
                    let version = exam.header.clientVersion.map { " \($0)" } ?? ""
                    return IssueSubject.OtherClient(title: exam.header.client + version, outcome: record.outcome)
                }
            }
    }
}
