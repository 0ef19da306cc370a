internal import ProctorBase
internal import ProctorScenario
internal import ProctorServer

/// Finds what a test asks for, or says what there is instead.
enum ExamChoice {
    static func scenario(_ id: String, in catalogue: Catalogue) throws(ExamFailure) -> Scenario {
        if let scenario = catalogue.scenario(id) { return scenario }
        let hint = catalogue.nearestID(to: id).map { "did you mean '\($0)'?" }
        throw ExamFailure("there is no scenario '\(id)'; \(hint ?? "there are \(catalogue.scenarios.count) others")")
    }

    static func item(_ name: String?, of scenario: Scenario) throws(ExamFailure) -> Case {
        let names = scenario.cases.map(\.name)
        guard let name else {
            if names.count == 1, let only = scenario.cases.first { return only }
            let choice = names.isEmpty ? "it has none" : "say case: with one of \(names.joined(separator: ", "))"
            throw ExamFailure("\(scenario.id) can't be judged without a case: \(choice)")
        }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw ExamFailure(error.description)
        }
    }
}

extension Duration {
    /// Rounded down; of what is longer than 292 years, those.
    var wholeMilliseconds: Int { Int(clamping: wholeNanoseconds / 1_000_000) }
}
