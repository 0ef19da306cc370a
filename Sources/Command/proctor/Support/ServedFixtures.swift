internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// The fixtures that `proctor serve` serves: files, and the exchanges of its command line.
struct ServedFixtures: Sendable {
    /// The files and folders; empty when all exchanges are in the command line.
    let paths: [FixturePath]
    /// nil without `--inline`.
    let inline: Scenario?

    /// Finds the files as they are now, without reading them.
    func find() -> ScenarioFiles {
        let files = ScenarioLoader.findFixtures(paths)
        return inline.map(files.adding) ?? files
    }
}

/// Makes the scenario of the flag `--inline`.
enum InlineScenario {
    /// nil without lines; throws the errors of all lines.
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
