public import ProctorGrading
internal import ProctorRecorder
internal import ProctorScenario
internal import ProctorServer
public import ProctorTrace
internal import Testing

/// Gives a scenario a run of its own in this process, lets `body` drive a client, and judges callbacks and wire.
///
/// `case` may be left out when the scenario has one only. The exam waits up to `patience` for tasks that `body` started.
/// What `ledger` lists is known, and no failure. In a swift-testing test a failed verdict becomes an issue with the
/// timeline, and trace, journal and timeline are attached; elsewhere, as in XCTest, it is thrown as an ``ExamFailure``.
/// Fixtures are looked for in `fixtures`, else in PROCTOR_FIXTURES, else in the nearest folder of that name above
/// `filePath` that has the scenario, else in the package's own.
@discardableResult
public func withScenario<Result>(
    _ id: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
    within patience: Duration = .seconds(30), fixtures: [String]? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (Exam) async throws -> Result
) async throws -> Result {
    let server = try await SharedServer.serving(fixtures ?? FixtureFolders.paths(of: id, for: filePath))
    let scenario = try ExamChoice.scenario(id, in: server.catalogue)
    let item = try ExamChoice.item(name, of: scenario)
    let run = try await server.run(id, bounds: RunBounds())
    let exam = Exam(scenario: scenario, item: item, run: run, patience: patience)
    let result: Result
    do {
        result = try await body(exam)
    } catch {
        await run.stop()
        throw error
    }
    let isFinished = await exam.finished()
    let events = exam.recorder.events
    // What comes of cleaning up is not the client's doing.
    exam.abandonSessions()
    // What the client had begun may end; then the journal is complete.
    await run.stop(grace: .milliseconds(200))
    let journal = run.journal.snapshot()
    let evidence = CaseEvidence(
        events: events, journal: journal.entries, droppedCount: journal.droppedCount,
        ending: isFinished ? .finished : .hung(afterMilliseconds: patience.wholeMilliseconds, lastErrorLine: nil))
    let verdict = CaseGrader(
        item, scenario: id, context: run.context, platform: platform, ledger: ledger
    ).grade(evidence)
    try ExamOutcome(verdict: verdict, evidence: evidence).report(
        at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
}
