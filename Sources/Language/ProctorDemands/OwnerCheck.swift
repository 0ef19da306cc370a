internal import ProctorBase
package import ProctorDocument
package import ProctorHTTP
package import ProctorScenario

/// Checks that each departure of the table has its owner: a case that is about the departure and does not tolerate it.
package enum OwnerCheck {
    /// The cases that a departure fails, `SCENARIO#CASE`, in the order of the scenarios.
    package static func owners(of departure: Departure, in scenarios: [Scenario]) -> [String] {
        scenarios.flatMap { scenario in
            scenario.cases.filter { $0.untolerated.contains(departure) }.map { "\(scenario.id)#\($0.name)" }
        }
    }

    /// One error for each departure whose owner in the table tolerates it, or is missing.
    ///
    /// A missing scenario of the table is an error only when `scenarios` are a whole library that has other scenarios
    /// of the table; so other libraries need no owners.
    package static func diagnostics(of scenarios: [Scenario], isWholeLibrary: Bool) -> [Diagnostic] {
        let owners = Set(Departure.allCases.map(\.owner.scenario))
        let named = scenarios.filter { owners.contains($0.id) }
        guard let first = named.first else { return [] }
        return Departure.allCases.compactMap { departure in
            let (id, name) = departure.owner
            let scenario = named.first { $0.id == id }
            guard scenario != nil || isWholeLibrary else { return nil }
            let item = scenario?.cases.first { $0.name == name }
            if let item, item.untolerated.contains(departure) { return nil }
            return Diagnostic(
                location: item?.location ?? scenario?.location ?? first.location,
                sentence: "no case is about \(quoted(departure.rawValue)): \(departure.row.owner) is to be",
                hint: "write tolerates: { except: \(departure.rawValue) } there")
        }
    }
}
