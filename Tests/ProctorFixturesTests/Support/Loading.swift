import ProctorBase
import ProctorDocument
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Loads a scenario from text; records an issue for every diagnostic.
func load(_ yaml: String, id: String = "test/scenario", folder: String? = nil) throws -> Scenario {
    let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: id, file: "a.yaml", folder: folder)
    for diagnostic in diagnostics { Issue.record("\(diagnostic)") }
    return try #require(scenario)
}

/// What is wrong with a scenario, as `line:column sentence`.
func messages(_ yaml: String, folder: String? = nil) -> [String] {
    let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "a", file: "a.yaml", folder: folder)
    #expect((scenario == nil) == !diagnostics.isEmpty)
    return diagnostics.map { $0.shortText }
}

extension Diagnostic {
    /// Without the file's name: `line:column sentence; hint`.
    var shortText: String {
        let place = location.line == 0 ? "" : "\(location.line):\(location.column) "
        return place + sentence + (hint.map { "; \($0)" } ?? "")
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension Reply {
    /// What is sent, when Proctor writes its head.
    var structured: StructuredReply {
        get throws {
            guard case .structured(let reply)? = message else { throw NotStructured() }
            return reply
        }
    }

    struct NotStructured: Error {}
}
