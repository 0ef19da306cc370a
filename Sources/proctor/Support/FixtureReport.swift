internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario

/// Loads fixtures and prints everything that is wrong with them at once.
enum FixtureReport {
    /// nil when anything is wrong; then it has been said.
    static func load(_ paths: [String], _ output: Output) -> LoadResult? {
        let result = ScenarioLoader.load(paths: paths)
        guard !result.isClean else { return result }
        for diagnostic in result.diagnostics {
            let words = diagnostic.description
            guard let mark = words.firstRange(of: ": error: ") else { continue }
            output.err(
                "\(words[..<mark.lowerBound]): \(output.style.bad("error:")) \(words[mark.upperBound...])\n")
        }
        let files = Set(result.diagnostics.map(\.location.file)).count
        output.note(
            "\(count(result.diagnostics.count, "error")) in \(count(files, "file")); "
                + "\(count(result.scenarios.count, "scenario")) without")
        return nil
    }

    static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
