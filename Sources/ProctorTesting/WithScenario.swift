public import ProctorGrading
internal import ProctorRecorder
public import ProctorRules
internal import ProctorScenario
internal import ProctorServer
internal import Testing

/// Gives a scenario a run of its own in this process, lets `body` drive a client, and judges callbacks and wire.
///
/// `case` may be left out when the scenario has one only. `body` may take as long as `patience`; then its task and the exam's
/// sessions are cancelled, the run ends, and the verdict is a hang. After a body that ended by itself the exam waits up to
/// `patience` for the tasks it started. When `body` throws, the verdict is told all the same, and the error is thrown on.
///
/// What `ledger` lists is known, and no failure. In a swift-testing test a failed verdict becomes an issue with the
/// timeline, and trace, journal and timeline are attached; elsewhere, as in XCTest, it is thrown as an ``ExamFailure``, or
/// written to standard error where `body` threw. With PROCTOR_EVIDENCE those files are written into that folder too.
/// Fixtures are looked for in `fixtures`, else in PROCTOR_FIXTURES, else in the nearest folder of that name above
/// `filePath` that has the scenario, else in the package's own.
@discardableResult
public func withScenario<Result>(
    _ id: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
    within patience: Duration = .seconds(30), fixtures: [String]? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (Exam) async throws -> Result
) async throws -> Result {
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let scenario = try ExamChoice.scenario(id, in: fixtures, for: filePath)
    let item = try ExamChoice.item(name, of: scenario)
    let run = try await SharedServer.started().run(scenario, bounds: RunBounds())
    let exam = Exam(scenario: scenario, item: item, run: run, patience: patience)
    let ending = await withoutActuallyEscaping(body) { body in
        await BoundedBody.run(exam, at: place, isolation: isolation, body)
    }
    let cut = exam.cut
    // A test that is cancelled gets no verdict.
    if cut == nil, Task.isCancelled {
        await run.stop()
        return try ending.get()
    }
    var isFinished = false
    if cut == nil { isFinished = await exam.finished() }
    let events = cut?.events ?? exam.recorder.events
    // What comes of cleaning up is not the client's doing.
    exam.abandonSessions()
    // What the client had begun may end; then the journal is complete.
    await run.stop(grace: .milliseconds(200))
    let journal = cut?.journal ?? run.journal.snapshot()
    let evidence = CaseEvidence(
        events: events, journal: journal.entries, droppedCount: journal.droppedCount,
        ending: isFinished ? .finished : .hung(afterMilliseconds: patience.wholeMilliseconds, lastErrorLine: nil))
    let verdict = CaseGrader(
        item, scenario: id, context: run.context, platform: platform, ledger: ledger
    ).grade(evidence)
    let outcome = ExamOutcome(verdict: verdict, evidence: evidence, hint: exam.hint(on: evidence))
    switch ending {
    case .success(let result):
        try outcome.report(at: place)
        return result
    case .failure(let error):
        outcome.report(besides: error, at: place)
        guard cut != nil else { throw error }
        throw ExamFailure(
            "the body had not ended after \(patience.wholeMilliseconds) ms (within:), so it was cancelled; it threw \(error)"
        )
    }
}
