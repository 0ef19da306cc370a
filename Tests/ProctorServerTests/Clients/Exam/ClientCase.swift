import ProctorGrading
import ProctorScenario
import Testing

/// One case of one fixture, as a row of a client's exam.
struct ClientCase: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let item: Case

    var id: CaseID { CaseID(scenario: scenario.id, name: item.name) }
    var testDescription: String { id.description }

    /// Every case of the families that this version serves.
    static let all: [ClientCase] = library.scenarios.flatMap { scenario in
        scenario.cases.map { ClientCase(scenario: scenario, item: $0) }
    }

    static let library = ScenarioLoader.load(paths: ["\(Tools.project)/fixtures"])
}
