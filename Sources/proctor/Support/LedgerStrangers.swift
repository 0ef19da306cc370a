internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario

/// Entries of a ledger that speak of no case there is; a misspelt one would go unnoticed for ever.
enum LedgerStrangers {
    /// One message each, with its place; families that are not loaded are none of its business.
    static func sentences(of ledger: Ledger, among scenarios: [Scenario]) -> [String] {
        let families = Set(scenarios.map { family(of: $0.id) })
        let ids = scenarios.flatMap { scenario in scenario.cases.map { CaseID(scenario: scenario.id, name: $0.name) } }
        return ledger.deviations.compactMap { deviation in
            guard families.contains(family(of: deviation.scenario)), !ids.contains(where: deviation.covers) else {
                return nil
            }
            let hint =
                NearestName.find(deviation.pattern, in: ids.map(\.description)).map { "; did you mean '\($0)'?" } ?? ""
            return "\(deviation.location): error: there is no case '\(deviation.pattern)'\(hint)"
        }
    }

    private static func family(of id: String) -> String { String(id.prefix { $0 != "/" }) }
}
