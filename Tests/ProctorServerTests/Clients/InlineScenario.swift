import ProctorFixtures
import ProctorScenario

/// A fixture written in the test that uses it.
enum InlineScenario {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func load(_ text: String, id: String) throws -> Scenario {
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: id, file: "\(id).yaml")
        guard let scenario else { throw Failure(description: diagnostics.map { "\($0)" }.joined(separator: "\n")) }
        return scenario
    }
}
