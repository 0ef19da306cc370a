internal import ProctorBase
internal import ProctorDocument
public import ProctorFixtures
internal import ProctorModules
public import ProctorScenario

extension Scenario {
    /// Makes a scenario in code; throws the mistakes of all its parts, each with its place in the caller's source.
    ///
    /// The scenario has no cases: a test with it is graded by the rules for every client
    /// (``withScenario(_:case:platform:ledger:within:fileID:filePath:line:column:isolation:_:)-scenario``).
    /// Paths after `file:` are relative to the folder of the caller's source. `id` is the name in messages and reports.
    public init(
        _ summary: String, id: String? = nil, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        @ExchangeBuilder _ exchanges: () -> [On]
    ) throws(LoadFailure) {
        try self.init(summary, id: id, origin: [], filePath: filePath, line: line, column: column, exchanges)
    }

    /// `origin` has keys of the one origin (Docs/format/origins.md).
    init(
        _ summary: String, id: String? = nil, origin: [(key: String, value: FixtureValue)], filePath: String, line: Int,
        column: Int, @ExchangeBuilder _ exchanges: () -> [On]
    ) throws(LoadFailure) {
        ServerModules.register()
        let test = TestSource(path: filePath, line: line)
        let place = SourceFile(madeAt: SourceLocation(file: filePath, line: line, column: column))
        var entries = [
            Node.Entry("summary", FixtureValue.text(summary).node(at: place)),
            Node.Entry("exchanges", Node(.sequence(exchanges().map { $0.node() }), madeAt: place)),
        ]
        if !origin.isEmpty {
            let main = FixtureValue.mapping([(key: "main", value: .mapping(origin))])
            entries.append(Node.Entry("origins", main.node(at: place)))
        }
        let root = Node(.mapping(entries), madeAt: place)
        self = try Self.sound(ScenarioLoader.make(root, id: id ?? test.scenarioID, folder: test.folder))
    }

    /// Reads a scenario from text that the test contains, usually as a literal of several lines.
    ///
    /// Throws its mistakes, with their places in the test's source where that file can be read.
    public init(
        yaml: String, id: String? = nil, filePath: String = #filePath, line: Int = #line
    ) throws(LoadFailure) {
        ServerModules.register()
        let test = TestSource(path: filePath, line: line)
        self = try Self.sound(
            ScenarioLoader.parse(
                Array(yaml.utf8), id: id ?? test.scenarioID, file: filePath, folder: test.folder,
                at: test.place(of: yaml)))
    }

    private static func sound(
        _ found: (scenario: Scenario?, diagnostics: [Diagnostic])
    ) throws(LoadFailure) -> Scenario {
        guard let scenario = found.scenario else { throw LoadFailure(diagnostics: found.diagnostics) }
        return scenario
    }
}
