internal import ProctorBase
package import ProctorScenario

/// The cases that patterns name, in the order of the catalogue.
package struct CaseSelection: Sendable {
    package let cases: [(scenario: Scenario, item: Case)]

    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Accepts `family/`, `family/scenario`, `family/scenario#case` and a `*` at the end of a scenario; no pattern:
    /// all cases.
    package init(_ patterns: [String], among scenarios: [Scenario]) throws(Failure) {
        let all = scenarios.flatMap { scenario in scenario.cases.map { (scenario: scenario, item: $0) } }
        guard !patterns.isEmpty else {
            cases = all
            return
        }
        let names = Set(all.map { "\($0.scenario.id)#\($0.item.name)" })
        var chosen: Set<String> = []
        for pattern in patterns {
            // A fast path for whole names, since a walk may have thousands.
            if names.contains(pattern) {
                chosen.insert(pattern)
                continue
            }
            let found = all.filter { Self.matches(pattern, $0.scenario.id, name: $0.item.name) }
            guard !found.isEmpty else { throw Self.failure(pattern, scenarios) }
            for entry in found { chosen.insert("\(entry.scenario.id)#\(entry.item.name)") }
        }
        cases = all.filter { chosen.contains("\($0.scenario.id)#\($0.item.name)") }
    }

    private static func matches(_ pattern: String, _ id: String, name: String) -> Bool {
        let parts = pattern.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[1] != name, parts[1] != "*" { return false }
        let scenario = parts[0]
        if scenario.last == "*" || scenario.last == "/" {
            return id.hasPrefix(scenario.last == "*" ? String(scenario.dropLast()) : String(scenario))
        }
        return id == scenario || parts.count == 1 && id.hasPrefix("\(scenario)/")
    }

    private static func failure(_ pattern: String, _ scenarios: [Scenario]) -> Failure {
        let id = String(pattern.prefix { $0 != "#" })
        if let scenario = scenarios.first(where: { $0.id == id }) {
            let names = scenario.cases.map(\.name).joined(separator: ", ")
            return Failure(description: "no case is named '\(pattern)'; \(id) has \(names.isEmpty ? "none" : names)")
        }
        let hint = NearestName.find(id, in: scenarios.map(\.id)).map { "did you mean '\($0)'?" }
        return Failure(
            description:
                "no case is named '\(pattern)'; \(hint ?? "write family/, family/scenario or family/scenario#case")")
    }
}
