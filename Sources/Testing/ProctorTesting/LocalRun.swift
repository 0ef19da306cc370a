internal import ProctorBase
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
    /// The control that the run is a sitting of; its verdict fails no test.
    var control: ExamControl?
    /// A pass that rests on controls, until these were asked.
    let held = Locked<HeldPass?>(nil)
    /// Whether the client is a function that tells its results, and no callbacks.
    let tellsResultsAlone = Locked(false)
    /// Why a case of the exam is skipped, half a sentence; nil where it is not.
    let skipped = Locked<String?>(nil)

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
        let assignment = sitter == nil || control != nil ? nil : try? run.assignment(for: item)
        // First lets the client's open connections end, so that the journal is complete.
        if !end.isCut { await run.stop(grace: CaseTimes.settling(of: item)) }
        let journal = run.journal.snapshot()
        var evidence = CaseEvidence(
            events: events, journal: journal.entries, droppedCount: journal.droppedCount,
            ending: end.hungAfter.map { .hung(afterMilliseconds: $0, lastErrorLine: nil) } ?? .finished)
        if let sitter {
            sitter.declare(in: &evidence)
        } else if tellsResultsAlone.withLock({ $0 }) {
            evidence.tellResultsAlone(ExamTerms(client: "client", version: nil))
        }
        let grader = CaseGrader(
            item, scenario: scenario.id, context: run.context, platform: platform, ledger: ledger)
        let verdict = grader.grade(evidence).naming(
            UnaskedExchanges(of: scenario, in: journal.entries))
        if let control { sitter?.record(verdict.outcome, of: control) } else { sitter?.record(verdict) }
        if let assignment {
            let controls = evidence.controls(of: item, by: assignment, after: verdict.outcome)
            if !controls.isEmpty { held.withLock { $0 = HeldPass(grader, evidence, controls: controls) } }
        }
        let reasonToSkip = sitter == nil || control != nil ? nil : verdict.reasonToSkip
        skipped.withLock { $0 = reasonToSkip }
        return LocalVerdict(
            report: VerdictReport(verdict, evidence), entries: journal.entries, scenarioID: scenario.id,
            failsNoTest: control != nil || reasonToSkip != nil)
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
    let failsNoTest: Bool

    var isFailure: Bool { report.isFailure && !failsNoTest }
    var isPartial: Bool { report.isPartial && !failsNoTest }
    var summary: String { report.summary }
    var timeline: String { report.timeline }
    var wideTimeline: String { report.wideTimeline }
    var journal: [UInt8] { JournalEncoder.header + JournalEncoder(scenario: scenarioID).lines(entries) }
    var requestCount: Int { report.requestCount }
    var isMonotonic: Bool { true }
}

/// A pass, or a known failure, that counts only where the client passes controls as well (Docs/judging/verdicts.md).
struct HeldPass: Sendable {
    private let grader: CaseGrader
    private let evidence: CaseEvidence
    let controls: [ExamControl]

    init(_ grader: CaseGrader, _ evidence: CaseEvidence, controls: [ExamControl]) {
        (self.grader, self.evidence, self.controls) = (grader, evidence, controls)
    }

    /// Why the case is not passed, half a sentence, by what the sitter's controls have shown, and whether that fails its test; nil
    /// where it is passed.
    func unjudged(_ sitter: ExamSitter) -> (reason: String, isFailure: Bool)? {
        var evidence = evidence
        for control in controls { evidence.setReason(sitter.reason(control) ?? control.failure, for: control) }
        guard let reason = evidence.failedControl else { return nil }
        let verdict = grader.grade(evidence)
        if [.pass, .known].contains(verdict.outcome) { return nil }
        return (reason, verdict.isFailure && verdict.reasonToSkip == nil)
    }
}
