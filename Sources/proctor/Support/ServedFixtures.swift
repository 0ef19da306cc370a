internal import ProctorDocument
internal import ProctorScenario

/// Everything that `proctor serve` serves: files, and the exchanges of its command line.
struct ServedFixtures: Sendable {
    /// Files and folders; empty where the command line says everything.
    let paths: [FixturePath]
    /// nil without `--inline`.
    let inline: Scenario?

    /// Finds the files as they are now, and reads none.
    func find() -> ScenarioFiles {
        let files = ScenarioLoader.find(paths)
        return inline.map(files.adding) ?? files
    }
}

/// The scenario of the flag `--inline`.
enum InlineScenario {
    /// nil without lines; throws the mistakes of all of them.
    static func read(_ lines: [String]) throws(UsageError) -> Scenario? {
        guard !lines.isEmpty else { return nil }
        var exchanges = InlineExchanges()
        for (index, line) in lines.enumerated() {
            exchanges.add(line, named: lines.count == 1 ? "--inline" : "--inline \(index + 1)")
        }
        let (scenario, diagnostics) = exchanges.scenario()
        guard let scenario else { throw UsageError(diagnostics.map(\.description).joined(separator: "\n")) }
        return scenario
    }
}
