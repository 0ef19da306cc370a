internal import ProctorScenario
internal import ProctorServer

/// The scenario, and of it the case, that a command line names.
struct ScenarioChoice {
    let catalogue: Catalogue
    let scenario: Scenario

    init(_ id: String, in scenarios: [Scenario]) throws(UsageError) {
        catalogue = Catalogue(scenarios)
        guard let scenario = catalogue.scenario(id) else {
            let hint = catalogue.nearestID(to: id).map { "did you mean '\($0)'?" }
            throw UsageError("there is no scenario '\(id)'; \(hint ?? "see 'proctor list'")")
        }
        self.scenario = scenario
    }

    /// The case of that name, or the only one; one that is named must be there.
    ///
    /// nil where none is named and the scenario has another number of them than one.
    func itemIfAny(named name: String?) throws(UsageError) -> Case? {
        guard let name else { return scenario.cases.count == 1 ? scenario.cases.first : nil }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw UsageError(error.description)
        }
    }

    /// The case, for a command that can do nothing without one.
    func item(named name: String?) throws(UsageError) -> Case {
        if let item = try itemIfAny(named: name) { return item }
        throw UsageError("\(scenario.id) can't be judged without a case: \(hint)")
    }

    /// What to do where no case is named.
    var hint: String {
        let names = scenario.cases.map(\.name)
        return names.isEmpty ? "it has no cases" : "say --case with one of \(names.joined(separator: ", "))"
    }
}
