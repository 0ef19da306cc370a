internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorGrading
import ProctorRules
internal import ProctorScenario
internal import ProctorServer

/// A client, with its adapter, its ledger and its platform.
struct ExamCandidate: Sendable {
    let client: ExamClient
    let platform: Platform
    let ledger: Ledger?
    /// Whether the ledger is for the shipped fixtures, and other fixtures are used, so that its entries need not match.
    let isLedgerForeign: Bool
}

/// An exam of several clients, one after the other, with one server.
struct ClientsExam {
    let options: ExamOptions
    let selection: CaseSelection
    /// Whether all cases of the library are run, so that everything that a ledger lists must happen.
    let isWhole: Bool
    let server: Server
    let reports: ExamFiles
    /// The value of `--adapter`; nil: the clients are shipped ones, or a command line.
    let adapter: String?
    let context: CommandContext

    private var output: Output { context.output }

    /// Runs all clients; returns whether their results fail the command.
    ///
    /// nil: a signal stopped the exam, which was printed.
    func ask(_ candidates: [ExamCandidate]) async throws -> Bool? {
        let (result, isStopped) = try await StoppableWork.run {
            var isFailure = false
            for candidate in candidates where !Task.isCancelled { isFailure = try await ask(candidate) || isFailure }
            return isFailure
        }
        guard isStopped else { return try result.get() }
        let count = Plural.count(reports.exams.reduce(0) { $0 + $1.cases.count }, "case")
        output.message(
            options.recordFile.map { "stopped; \($0) has \(count): the same command with --resume goes on from there" }
                ?? "stopped after \(count); with --json FILE, an exam that was stopped goes on by --resume")
        return nil
    }

    /// Runs one client; returns whether its results fail the command.
    private func ask(_ candidate: ExamCandidate) async throws -> Bool {
        var header = header(of: candidate)
        let order = selection.cases.map { CaseID(scenario: $0.scenario.id, name: $0.item.name) }
        if let absence = candidate.client.absence {
            reports.startExam(header, order: [])
            output.line("\(candidate.client.name) is not asked: \(absence)")
            return false
        }
        if let former = reports.header(of: header.client) {
            (header.clientName, header.clientVersion) = (former.clientName, former.clientVersion)
            (header.adapter, header.adapterVersion) = (former.adapter, former.adapterVersion)
        }
        if let baseline = options.baseline, let fault = baseline.fault(of: header.client) { output.message(fault) }
        let done = reports.startExam(header, order: order)
        let left = selection.without(done)
        var program = Adapter(command: candidate.client.command, environment: context.environment)
        program.client = candidate.client.commandLine ?? candidate.client.runner
        program.takesManyAssignments = options.keepsAdapter && program.client == nil
        if let port = candidate.client.port {
            program.link = try await port.open(output)
            guard program.link != nil else { return true }
        }
        var examiner = Examiner(
            server: server, adapter: program, platform: candidate.platform, ledger: candidate.ledger,
            reslices: options.reslices, speaking: options.wantedProtocol)
        examiner.keepsOutlines = options.repeats > 1
        examiner.segmentSeed = options.segmentSeed
        let printer = ExamPrinter(left, output: output, isVerbose: options.isVerbose)
        let progress = ExamProgress(
            client: header.client, caseCount: left.cases.count * options.repeats, output: output)
        program.link?.onNote { [output] sentence in progress.interrupt { output.message(sentence) } }
        let walk = ExamWalk(
            examiner, width: program.link == nil && program.client?.runPort == nil ? options.jobs : 1,
            retries: options.retries, repeats: options.repeats)
        let report = await walk.run(left, isWhole: isWhole && done.isEmpty && !candidate.isLedgerForeign) {
            [reports, header] sitting in
            guard !sitting.isRepetition else { return progress.count(sitting.record) }
            reports.record(sitting, of: header)
            printer.print(sitting, beside: progress)
        }
        progress.clear()
        await program.link?.close()
        await program.client?.close()
        guard !Task.isCancelled else { return true }
        let exam = reports.exam(of: header.client) ?? ExamRecord(header: header)
        printer.finish(report, exam)
        if done.count > 0 { output.message("\(Plural.count(done.count, "case")) of \(header.client) were done before") }
        reports.recordFaults(faults(of: report))
        noteOtherClient(header.client)
        if let ledger = options.writtenLedger, try !ledger.write(report, output) { return true }
        suggestTrial(exam.cases)
        let changed = reports.changedVersion(of: header.client)
        if let changed {
            output.message(changed)
            reports.recordFaults([ExamFault(.records, changed)])
        }
        compareWithBaseline(exam)
        return false
    }

    /// What is wrong with the exam of a client beside its cases.
    private func faults(of report: ExamReport) -> [ExamFault] {
        var faults = report.ledgerFaults.map { ExamFault(.ledger, $0) }
        if let count = report.notAskedCount {
            faults.append(
                ExamFault(.adapter, "\(report.client) does not start: \(Plural.count(count, "case")) not asked"))
        }
        for item in report.unsteady where !item.isKnown {
            faults.append(ExamFault(.differs, "\(item.id) was not the same in each sitting"))
        }
        return faults
    }

    private func header(of candidate: ExamCandidate) -> ExamHeader {
        var header = ExamHeader(
            client: candidate.client.name, platform: candidate.platform.name, proctor: CommandLine.version)
        header.clientVersion = candidate.client.version
        let words = candidate.client.command
        header.command =
            candidate.client.commandLine?.template.text ?? (words.isEmpty ? nil : words.joined(separator: " "))
        if candidate.client.commandLine != nil { header.adapter = ExamHeader.commandLineAdapter }
        header.widerCommand = candidate.client.widerCommand
        header.ledger = candidate.client.ledger
        header.system = SystemFacts.name
        header.date = SystemFacts.date
        header.caseCount = candidate.client.absence == nil ? selection.cases.count : 0
        header.protocolName = options.wantedProtocol == .http11 ? nil : options.wantedProtocol.rawValue
        header.shard = options.shard.map { "\($0.number)/\($0.count)" }
        header.absence = candidate.client.absence
        return header
    }

    /// Prints which failures are worse than those of the baseline, where there is one.
    private func compareWithBaseline(_ exam: ExamRecord) {
        guard let baseline = options.baseline else { return }
        let client = exam.header.client
        let former = baseline.records(of: client)
        let withoutBaseline = ExamGate(failingOn: options.kinds)
        let failed = exam.cases.filter { withoutBaseline.isFailed(by: $0, of: exam.header) }
        let worse = failed.filter { options.gate.isFailed(by: $0, of: exam.header) }
        for record in worse {
            output.line(
                "worse than the baseline: \(record.id): \(former[record.id]?.outcome ?? "new"), now \(record.outcome)")
        }
        if worse.isEmpty, !failed.isEmpty {
            output.line("\(Plural.count(failed.count, "failure")) of \(client), none worse than the baseline")
        }
    }

    /// Names the command that shows the user of an own adapter what to mend, where the adapter kept cases from being judged.
    private func suggestTrial(_ records: [CaseRecord]) {
        let isBroken =
            records.contains { $0.outcome == "adapter-error" }
            || !records.isEmpty && records.allSatisfy { $0.outcome == "setup-failed" }
        guard let adapter, isBroken else { return }
        output.message(
            "to see what to mend, try the adapter on small cases: proctor adapter check \(adapter)")
    }

    /// Reports that the baseline is of another client, when a trace has shown which client runs.
    private func noteOtherClient(_ client: String) {
        guard let former = options.baseline?.header(of: client)?.clientName, let mine = reports.clientName(of: client),
            former != mine
        else { return }
        output.message(
            "the baseline is of \(former), and this client is \(mine): compare it with records of its own")
    }

    /// Prints what changed from each release of a client to the next one that was asked.
    func printChanges() {
        var former: [String: ExamRecord] = [:]
        for exam in reports.exams where exam.header.absence == nil {
            guard let parts = ReleaseClients.parts(of: exam.header.client) else { continue }
            defer { former[parts.client] = exam }
            guard let before = former[parts.client] else { continue }
            let difference = ExamDifference(from: before, to: exam)
            output.line("")
            output.line("\(before.header.title) -> \(exam.header.title)")
            for line in difference.lines(isComplete: options.isVerbose) { output.line(line) }
        }
    }

    /// Prints a line for each client, after all of them.
    func printTotals() {
        output.line("")
        for exam in reports.exams {
            let summary = RecordSummary(exam.cases)
            let failures = summary.failureHeadline.map { "\($0); " } ?? ""
            let text = exam.header.absence.map { "not asked: \($0)" } ?? failures + summary.tally
            output.line("\(exam.header.title): \(text)")
        }
    }
}
