internal import ProctorBase
public import ProctorGrading
public import ProctorHarness
internal import ProctorJournal
internal import ProctorModules
public import ProctorRules
public import ProctorScenario
internal import ProctorServer
internal import Testing

/// Opens a run of a scenario in this process, calls `body`, which uses a client, and grades the callbacks and the
/// requests.
///
/// `case` may be omitted when the scenario has at most one case. Without a case the client passes when a request
/// arrived, every request matched an exchange, and no rule was broken. After `patience`, as an idle machine counts it,
/// the body's task and the exam's sessions are cancelled, the run ends, and the verdict is a hang. When the body ends
/// in time, the exam waits up to `patience` for the tasks that it started. An error of `body` is thrown after the verdict was reported.
///
/// Deviations that `ledger` lists are no failures. What is random follows from `seed`, or from one that is chosen. In
/// a swift-testing test a failed verdict becomes an issue, with trace, journal and timeline attached; elsewhere, as in
/// XCTest, it is thrown as an ``ExamFailure``, or written to standard error where `body` threw. PROCTOR_EVIDENCE names a
/// folder for those files. Fixtures are taken from `fixtures`, else from PROCTOR_FIXTURES, else from the nearest folder
/// of that name above `filePath` that has the scenario, else from the package, and last from its packs: `"llm"` is the
/// only scenario of the pack of that name.
@discardableResult
public func withScenario<Result>(
    _ id: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
    seed: UInt64? = nil, within patience: Duration = .seconds(30), fixtures: [String]? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (Exam) async throws -> Result
) async throws -> Result {
    try await withScenario(
        ExamChoice.scenario(id, in: fixtures, for: filePath), case: name, platform: platform, ledger: ledger,
        seed: seed, within: patience, fileID: fileID, filePath: filePath, line: line, column: column,
        isolation: isolation, body)
}

/// Does the same for a scenario that the test makes itself, in code or from YAML: ``ProctorScenario/Scenario``.
@discardableResult
public func withScenario<Result>(
    _ scenario: Scenario, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
    seed: UInt64? = nil, within patience: Duration = .seconds(30), fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Exam) async throws -> Result
) async throws -> Result {
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let item = try ExamChoice.item(name, of: scenario)
    let run = try await SharedServer.started().run(scenario, bounds: RunBounds(), seed: seed)
    let local = LocalRun(scenario: scenario, item: item, run: run, platform: platform, ledger: ledger)
    return try await Exam(local, patience: patience).run(at: place, isolation: isolation, body)
}

/// Does the same for a scenario that the test contains as YAML; its mistakes are thrown with their places in the test's
/// source.
@discardableResult
public func withScenario<Result>(
    yaml: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
    seed: UInt64? = nil, within patience: Duration = .seconds(30), fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Exam) async throws -> Result
) async throws -> Result {
    try await withScenario(
        Scenario(yaml: yaml, filePath: filePath, line: line), case: name, platform: platform, ledger: ledger,
        seed: seed, within: patience, fileID: fileID, filePath: filePath, line: line, column: column,
        isolation: isolation, body)
}

/// The one server of a test process; each test has its own run, so tests do not affect each other.
///
/// The server has no catalogue: runs are made from the scenarios that tests load.
enum SharedServer {
    private static let server = Locked<Task<Server, any Error>?>(nil)

    /// Starts the server at the first call; it ends with the process.
    static func started() async throws -> Server {
        let task = server.withLock { server in
            if let task = server { return task }
            ServerModules.register()
            let task = Task { try await Server.start(Catalogue([])) }
            server = task
            return task
        }
        return try await task.value
    }
}
