internal import ProctorBase
public import ProctorHarness
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorServer
public import Testing

/// The stubs of one test: what a client may ask, and what is replied.
///
///     let proctor = Stubs()
///     let items = proctor.on("GET /items").reply(200, json: [1, 2]).times(2)
///     try await proctor.serve { exam in
///         … exam.url("/items")
///         #expect(items.requests.first?.header("Accept") == "*/*")
///     }
///
/// The test fails by a request that no stub expects, and by one that never comes. Safe from any thread.
public final class Stubs: Sendable {
    private let state = Locked((stubs: [Stub](), origin: [(key: String, value: FixtureValue)](), run: Run?.none))

    /// No stubs yet.
    public init() {}

    /// Begins a stub by what is asked, as in `on("GET /items")`.
    ///
    /// All stubs of a test stand before ``serve(within:fileID:filePath:line:column:isolation:_:)``.
    @discardableResult
    public func on(_ request: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) -> Stub {
        let stub = Stub(request, at: sourceLocation)
        let isServed = state.withLock { state in
            state.stubs.append(stub)
            return state.run != nil
        }
        if isServed {
            TestIssue.record("the stub '\(request)' stands behind serve, which is too late", at: sourceLocation)
        }
        return stub
    }

    /// Says what the stubs' server is, by a key of Docs/format/origins.md, before it is served: `origin("scheme", "https")`.
    public func origin(_ key: String, _ value: FixtureValue) {
        state.withLock { $0.origin.append((key: key, value: value)) }
    }

    /// Opens the ports of the stubs, calls `body`, which uses a client, and judges what came, as ``withScenario`` does.
    ///
    /// Throws the mistakes of the stubs, each with its place in the test's source.
    @discardableResult
    public func serve<Result>(
        within patience: Duration = .seconds(30), fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column, isolation: isolated (any Actor)? = #isolation,
        _ body: (Exam) async throws -> Result
    ) async throws -> Result {
        let (stubs, origin) = state.withLock { ($0.stubs, $0.origin) }
        let scenario = try Scenario(
            "Exchanges of a test", origin: origin, filePath: filePath, line: line, column: column
        ) {
            for stub in stubs { stub.exchange }
        }
        return try await withScenario(
            scenario, within: patience, fileID: fileID, filePath: filePath, line: line, column: column,
            isolation: isolation
        ) { exam in
            state.withLock { $0.run = (exam.run as? LocalRun)?.run }
            for (position, stub) in stubs.enumerated() { stub.serve(in: self, as: position) }
            return try await body(exam)
        }
    }

    /// All requests that came so far, in order, also those that no stub expected.
    public var requests: [ReceivedRequest] {
        guard let run = state.withLock({ $0.run }) else { return [] }
        return ReceivedRequest.all(of: run.journal.snapshot().entries)
    }
}
