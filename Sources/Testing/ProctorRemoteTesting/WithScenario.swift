// A test imports this module alone; the exam is shared with ProctorTesting.
@_exported public import ProctorHarness
internal import ProctorRecorder
internal import Testing

/// Opens a run of a scenario on a server in another process or on another machine, and calls `body`, which uses a
/// client.
///
/// The server grades the callbacks and the requests.
///
/// `case` may be omitted when the scenario has at most one case. After `patience` the body's task and the exam's
/// sessions are cancelled, and the verdict is a hang. When the body ends in time, the exam waits up to `patience` for
/// the tasks that it started. An error of `body` is thrown after the verdict was reported. The run is deleted in every
/// case.
///
/// `ledger` and `platform` are texts as in files of `clients` (YAML); deviations that a ledger lists are no failures.
/// In a swift-testing test a failed verdict becomes an issue, with trace, journal and timeline attached; elsewhere, as
/// in XCTest, it is thrown as an ``ExamFailure``, or written to standard error when `body` has thrown. PROCTOR_EVIDENCE
/// names a folder for those files.
@discardableResult
public func withScenario<Result>(
    _ id: String, case name: String? = nil, on server: RemoteServer = .environment, platform: String? = nil,
    ledger: String? = nil, within patience: Duration = .seconds(30), fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (Exam) async throws -> Result
) async throws -> Result {
    let order = RemoteRun.Order(
        source: .id(id), caseName: name, platform: platform, ledger: ledger, patience: patience)
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return try await runExam(order, on: server, at: place, isolation: isolation, body)
}

/// Does the same for a scenario that the test contains as YAML; the server reports its mistakes with line and column.
///
/// Without cases the client passes when a request arrived, every request matched an exchange, and no rule was broken.
@discardableResult
public func withScenario<Result>(
    yaml: String, case name: String? = nil, on server: RemoteServer = .environment, platform: String? = nil,
    ledger: String? = nil, within patience: Duration = .seconds(30), fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (Exam) async throws -> Result
) async throws -> Result {
    let order = RemoteRun.Order(
        source: .yaml(yaml), caseName: name, platform: platform, ledger: ledger, patience: patience)
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return try await runExam(order, on: server, at: place, isolation: isolation, body)
}

private func runExam<Result>(
    _ order: RemoteRun.Order, on server: RemoteServer, at place: SourceLocation, isolation: isolated (any Actor)?,
    _ body: (Exam) async throws -> Result
) async throws -> Result {
    let run = try await RemoteRun.open(order, on: server.client())
    let exam = Exam(run, patience: order.patience, clock: server.recordingClock)
    return try await exam.run(at: place, isolation: isolation, body)
}
