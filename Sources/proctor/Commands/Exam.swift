internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorGrading
import ProctorRules
internal import ProctorScenario
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A client with what judges it.
struct ExamCandidate: Sendable {
    let client: ExamClient
    let platform: Platform
    let ledger: Ledger?
    /// Whether the ledger speaks of the fixtures that come with the program, and other ones are asked: it need not fit them.
    let isLedgerForeign: Bool
}

/// An exam of several clients, one after the other, on one server.
struct Exam {
    let options: ExamOptions
    let selection: CaseSelection
    /// Whether every case of the library is asked, so that what a ledger lists must happen.
    let isWhole: Bool
    let server: Server
    let reports: ExamFiles
    let context: CommandContext

    private var output: Output { context.output }

    /// Asks all clients; whether their results fail the command, or nil where a signal has stopped them, which was said.
    func ask(_ candidates: [ExamCandidate]) async throws -> Bool? {
        let asking = Locked<Task<Bool, Never>?>(nil)
        let isStopped = Locked(false)
        let signals = try await SignalThread([], stops: [SIGINT, SIGTERM, SIGHUP]) {
            isStopped.withLock { $0 = true }
            asking.withLock { $0?.cancel() }
            // A client that is asked would go on alone.
            ProgramSpawn.endAll()
        }
        let task = Task {
            var isFailure = false
            for candidate in candidates where !Task.isCancelled { isFailure = await ask(candidate) || isFailure }
            return isFailure
        }
        asking.withLock { $0 = task }
        if isStopped.withLock({ $0 }) { task.cancel() }
        let isFailure = await task.value
        await signals.end()
        LeftProcesses.endAll()
        guard isStopped.withLock({ $0 }) else { return isFailure }
        let count = Plural.count(reports.exams.reduce(0) { $0 + $1.cases.count }, "case")
        output.note(
            options.recordFile.map { "stopped; \($0) has \(count): the same command with --resume goes on from there" }
                ?? "stopped after \(count); with --json FILE, an exam that was stopped goes on by --resume")
        return nil
    }

    /// Asks one client; whether its results fail the command.
    private func ask(_ candidate: ExamCandidate) async -> Bool {
        var header = header(of: candidate)
        let order = selection.cases.map { CaseID(scenario: $0.scenario.id, name: $0.item.name) }
        if let absence = candidate.client.absence {
            reports.begin(header, order: [])
            output.line("\(candidate.client.name) is not asked: \(absence)")
            return false
        }
        if let former = reports.header(of: header.client) {
            (header.clientName, header.clientVersion) = (former.clientName, former.clientVersion)
            (header.adapter, header.adapterVersion) = (former.adapter, former.adapterVersion)
        }
        if let baseline = options.baseline, let fault = baseline.fault(of: header.client) { output.note(fault) }
        let done = reports.begin(header, order: order)
        let left = selection.without(done)
        var program = Adapter(command: candidate.client.command, environment: context.environment)
        program.takesManyAssignments = options.keepsAdapter
        var examiner = Examiner(
            server: server, adapter: program, platform: candidate.platform, ledger: candidate.ledger,
            reslices: options.reslices, speaking: options.wantedProtocol)
        examiner.keepsOutlines = options.repeats > 1
        let printer = ExamPrinter(left, output: output, isVerbose: options.isVerbose)
        let isModeNoted = Locked(false)
        let progress = ExamProgress(
            client: header.client, caseCount: left.cases.count * options.repeats, output: output)
        let walk = ExamWalk(examiner, width: options.jobs, retries: options.retries, repeats: options.repeats)
        let report = await walk.run(left, isWhole: isWhole && done.isEmpty && !candidate.isLedgerForeign) {
            [reports, header, output, examiner] sitting in
            guard !sitting.isRepetition else { return progress.take(sitting.record) }
            reports.take(sitting, of: header)
            printer.take(sitting, beside: progress)
            if examiner.hasFoundOneAssignment, !isModeNoted.exchange(true) {
                progress.interrupt { output.note("\(KeptMode.fault); each case has a process of its own") }
            }
        }
        progress.end()
        guard !Task.isCancelled else { return true }
        let records = reports.records(of: header.client)
        printer.finish(report, records: records)
        if done.count > 0 { output.note("\(Plural.count(done.count, "case")) of \(header.client) were done before") }
        reports.note(report.ledgerFaults)
        noteOtherClient(header.client)
        let changed = reports.changedVersion(of: header.client)
        if let changed { output.note(changed) }
        return fails(report, records, client: header.client) || changed != nil
    }

    private func header(of candidate: ExamCandidate) -> ExamHeader {
        var header = ExamHeader(
            client: candidate.client.name, platform: candidate.platform.name, proctor: CommandLine.version)
        header.clientVersion = candidate.client.version
        header.command = candidate.client.command.isEmpty ? nil : candidate.client.command.joined(separator: " ")
        header.ledger = candidate.client.ledger
        header.system = SystemFacts.name
        header.date = SystemFacts.date
        header.caseCount = candidate.client.absence == nil ? selection.cases.count : 0
        header.protocolName = options.wantedProtocol == .http11 ? nil : options.wantedProtocol.rawValue
        header.shard = options.shard.map { "\($0.number)/\($0.count)" }
        header.absence = candidate.client.absence
        return header
    }

    private func fails(_ report: ExamReport, _ records: [CaseRecord], client: String) -> Bool {
        if report.notAskedCount != nil || !report.unsteady.isEmpty { return true }
        guard !options.kinds.isEmpty else { return false }
        let failed = records.filter { $0.isFailure(on: options.kinds) }
        guard let baseline = options.baseline else { return !report.ledgerFaults.isEmpty || !failed.isEmpty }
        let former = baseline.records(of: client)
        let worse = failed.filter { $0.isWorse(than: former[$0.id]) }
        for record in worse {
            output.line(
                "worse than the baseline: \(record.id): \(former[record.id]?.outcome ?? "new"), now \(record.outcome)")
        }
        if worse.isEmpty, !failed.isEmpty {
            output.line("\(Plural.count(failed.count, "failure")) of \(client), none worse than the baseline")
        }
        return !worse.isEmpty
    }

    /// That the baseline is of another client, once the trace has said which one this is.
    private func noteOtherClient(_ client: String) {
        guard let former = options.baseline?.header(of: client)?.clientName, let mine = reports.clientName(of: client),
            former != mine
        else { return }
        output.note(
            "the baseline is of \(former), and this client is \(mine): compare it with records of its own")
    }

    /// A line for each client, below all of them.
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

extension Locked<Bool> {
    /// Stores a value, and gives the one before.
    fileprivate func exchange(_ value: Bool) -> Bool {
        withLock { held in
            defer { held = value }
            return held
        }
    }
}
