internal import ProctorBase
package import ProctorGrading
package import ProctorScenario

/// The cases that patterns select, in the order of the catalogue, each followed by its sitting as a download.
package struct CaseSelection: Sendable {
    package let cases: [(scenario: Scenario, item: Case)]

    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
        /// The pattern that selects no case.
        package let pattern: String
    }

    /// Accepts `family/`, `family/scenario`, `family/scenario#case`, and `*` (any text) and `?` (any character)
    /// anywhere in them; no pattern: all cases.
    package init(_ patterns: [String], among scenarios: [Scenario]) throws(Failure) {
        let all = scenarios.flatMap { scenario in scenario.sittings.map { (scenario: scenario, item: $0) } }
        guard !patterns.isEmpty else {
            cases = all
            return
        }
        let names = Set(all.map { "\($0.scenario.id)#\($0.item.name)" })
        var chosen: Set<String> = []
        for pattern in patterns {
            // A fast path for complete names, since the command line may have thousands of them.
            if names.contains(pattern) {
                chosen.insert(pattern)
                continue
            }
            let matching = all.filter { Self.matches(pattern, $0.scenario.id, $0.item) }
            guard !matching.isEmpty else { throw Self.failure(pattern, scenarios) }
            for entry in matching { chosen.insert("\(entry.scenario.id)#\(entry.item.name)") }
        }
        cases = all.filter { chosen.contains("\($0.scenario.id)#\($0.item.name)") }
    }

    /// Every `count`-th of these cases, beginning with the `number`-th, counted from 1.
    ///
    /// The same fixtures give the same parts; each case is in exactly one part.
    package func shard(_ number: Int, of count: Int) -> CaseSelection {
        CaseSelection(cases: stride(from: number - 1, to: cases.count, by: count).map { cases[$0] })
    }

    private init(cases: [(scenario: Scenario, item: Case)]) { self.cases = cases }

    /// These cases without the cases of the given ids.
    package func without(_ ids: Set<CaseID>) -> CaseSelection {
        CaseSelection(
            cases: cases.filter { !ids.contains(CaseID(scenario: $0.scenario.id, name: $0.item.name)) })
    }

    /// The positions of the patterns that select a scenario or any case of it, also one that the scenario does not
    /// have.
    package static func positions(naming id: String, in patterns: [String]) -> [Int] {
        patterns.indices.filter { index in
            let parts = patterns[index].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            return matches(parts[0], id, isWhole: parts.count == 1)
        }
    }

    private static func matches(_ pattern: String, _ id: String, _ item: Case) -> Bool {
        let parts = pattern.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !Glob(parts[1]).matches(item.name) { return false }
        return matches(parts[0], id, isWhole: parts.count == 1)
    }

    /// The number of ids that a pattern selects.
    package static func idCount(naming pattern: String, among ids: [String]) -> Int {
        ids.count { !positions(naming: $0, in: [pattern]).isEmpty }
    }

    private static func matches(_ scenario: Substring, _ id: String, isWhole: Bool) -> Bool {
        if scenario.last == "/" { return Glob(scenario + "*").matches(id) }
        return Glob(scenario).matches(id) || isWhole && Glob(scenario + "/*").matches(id)
    }

    private static func failure(_ pattern: String, _ scenarios: [Scenario]) -> Failure {
        let id = String(pattern.prefix { $0 != "#" })
        if let scenario = scenarios.first(where: { $0.id == id }) {
            let names = scenario.sittings.map(\.name).joined(separator: ", ")
            return Failure(
                description: "no case is named '\(pattern)'; \(id) has \(names.isEmpty ? "none" : names)",
                pattern: pattern)
        }
        let families = Set(scenarios.flatMap { Self.families(of: $0.id) }).sorted()
        let hint = NearestName.find(id, in: id.last == "/" ? families : scenarios.map(\.id) + families).map {
            "did you mean '\($0)'?"
        }
        return Failure(
            description:
                "no case is named '\(pattern)'; \(hint ?? "write family/, family/scenario or family/scenario#case")",
            pattern: pattern)
    }

    /// The folders that an id stands in, as patterns: of `auth/basic/empty` these are `auth/` and `auth/basic/`.
    private static func families(of id: String) -> [String] {
        id.indices.filter { id[$0] == "/" }.map { String(id[...$0]) }
    }
}
