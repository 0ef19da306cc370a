internal import ProctorEvents
internal import ProctorGrading
internal import ProctorHarness
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorRules
internal import ProctorScenario
internal import ProctorServer

struct LocalRun: ServedRun {
    let scenario: Scenario
    let item: Case
    let run: Run
    let platform: Platform
    let ledger: Ledger?
    /// Who sits the exam that the run belongs to; nil: a client that reports what it does.
    var sitter: ExamSitter?
    var again: String?

    var scenarioID: String { scenario.id }
    var caseName: String { item.name }
    var base: String { run.base }
    var trust: String? { run.trust }
    var awaitedEvents: [String]? { scenario.awaitedEvents }

    func origin(_ name: String) -> String? { run.origin(name) }

    func expectReports() {
        if !run.expectsReports { run.expectsReports = true }
    }

    func reached(_ event: TraceEvent) {
        expectReports()
        run.reached(event: event.name, task: event.task)
    }

    func assignment() async throws -> Assignment {
        guard !scenario.cases.isEmpty else {
            throw ExamFailure("\(scenario.id) has no case, and so no program: drive a client of your own")
        }
        return try run.assignment(for: item)
    }

    func judge(_ events: [TraceEvent], at end: ExamEnd) async throws(ExamFailure) -> any ExamVerdict {
        // First lets the client's open connections end, so that the journal is complete.
        if !end.isCut { await run.stop(grace: .milliseconds(200)) }
        let journal = run.journal.snapshot()
        var evidence = CaseEvidence(
            events: events, journal: journal.entries, droppedCount: journal.droppedCount,
            ending: end.hungAfter.map { .hung(afterMilliseconds: $0, lastErrorLine: nil) } ?? .finished)
        sitter?.declare(in: &evidence)
        let verdict = CaseGrader(
            item, scenario: scenario.id, context: run.context, platform: platform, ledger: ledger
        ).grade(evidence).naming(
            UnaskedExchanges(of: scenario, in: journal.entries),
            elsewhere: scenario.cases.isEmpty ? .failure : .observation)
        sitter?.record(verdict)
        return LocalVerdict(
            report: VerdictReport(verdict, evidence), entries: journal.entries, scenarioID: scenario.id)
    }

    func stop() async -> String? {
        await run.stop()
        return nil
    }
}

private struct LocalVerdict: ExamVerdict {
    let report: VerdictReport
    let entries: [JournalEntry]
    let scenarioID: String

    var isFailure: Bool { report.isFailure }
    var isPartial: Bool { report.isPartial }
    var summary: String { report.summary }
    var timeline: String { report.timeline }
    var wideTimeline: String { report.wideTimeline }
    var journal: [UInt8] { JournalEncoder.header + JournalEncoder(scenario: scenarioID).lines(entries) }
    var requestCount: Int { report.requestCount }
    var isMonotonic: Bool { true }
}
