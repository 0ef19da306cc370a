import ProctorGrading
import ProctorScenario
import Testing

/// One case of one fixture, as a row of a client's exam.
struct ClientCase: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let item: Case

    var id: CaseID { CaseID(scenario: scenario.id, name: item.name) }
    var testDescription: String { id.description }

    /// Families whose cases are decided by the wire and by what a client without callbacks can say.
    private static let families = [
        "auth/", "body/", "cache/", "canonical/", "coding/", "fault/", "interim/", "multipart/", "plain/", "range/",
        "redirect/", "time/", "tls/", "upload/",
    ]

    /// Every case of those families.
    static let all: [ClientCase] = library.scenarios.filter { scenario in
        families.contains { scenario.id.hasPrefix($0) }
    }.flatMap { scenario in
        scenario.cases.map { ClientCase(scenario: scenario, item: $0) }
    }

    static let library = ScenarioLoader.load(paths: ["\(Tools.project)/fixtures"])
}
