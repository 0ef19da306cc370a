import Foundation
import ProctorFixtures
import ProctorModules
import ProctorScenario
import Testing

/// Tests/Scenarios has what no fixture of the library shows.
enum OwnScenarios {
    /// The server of these scenarios; opened on first use, it stays open until the process ends.
    static let exam = Task {
        ServerModules.register()
        let loaded = ScenarioLoader.load(
            paths: [URL(filePath: #filePath).appending(path: "../../../Scenarios").standardized.path])
        try #require(loaded.isClean, "\(loaded.diagnostics)")
        return try await ExamServer(of: loaded.scenarios)
    }

    /// A case by its name, of these where it begins with `own/`, else of the library; the first one of a scenario where only that is named.
    static func entry(_ id: String) async throws -> (ExamServer, ExamEntry) {
        let exam = try await id.hasPrefix("own/") ? exam.value : ExamServer.shared.value
        let entries = exam.scenarios.flatMap { scenario in
            scenario.cases.map { ExamEntry(scenario: scenario, item: $0) }
        }
        let entry = entries.first { "\($0.id)" == id } ?? entries.first { $0.scenario.id == id }
        return (exam, try #require(entry, "there is no case \(id)"))
    }
}
