internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// Finds what `control:` names and an exam would not find: a refusal behind it would rest on nothing.
struct NamedControls {
    /// Where a control may stand that is not among the scenarios.
    let library: FixtureLibrary

    /// One error for each scenario whose control is not there, at the place that names it.
    func diagnostics(of scenarios: [Scenario]) -> [Diagnostic] {
        let named = scenarios.compactMap { $0.cases.first?.control }
        guard !named.isEmpty else { return [] }
        let own = Dictionary(scenarios.map { ($0.id, $0) }) { first, _ in first }
        return named.compactMap { mention in
            let id = String(mention.name.prefix { $0 != "#" })
            let name = String(mention.name.dropFirst(id.count + 1))
            guard let scenario = own[id] ?? ScenarioLoader.find(id, in: library.paths).scenario(id) else {
                return Diagnostic(
                    location: mention.location,
                    sentence:
                        "there is no scenario \(quoted(id)), of which the control is to be the case \(quoted(name))",
                    hint: NearestName.hint(for: id, in: library.find().ids, else: "see 'proctor list'"))
            }
            guard !scenario.cases.contains(where: { $0.name == name }) else { return nil }
            return Diagnostic(
                location: mention.location, sentence: "the control \(quoted(mention.name)) is not there",
                hint: "\(id) has \(scenario.cases.map(\.name).joined(separator: ", "))")
        }
    }
}

extension ScenarioFiles {
    /// The scenario of that id; nil where no file has it, or the file has errors, which are told by themselves.
    fileprivate func scenario(_ id: String) -> Scenario? { ids.firstIndex(of: id).flatMap { read($0).scenario } }
}
