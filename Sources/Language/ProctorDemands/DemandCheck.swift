internal import ProctorBase
package import ProctorDocument
package import ProctorScenario

/// Checks the musts of a library with its catalogue: each must rest on a demand on clients.
package struct DemandCheck {
    package let catalogue: DemandCatalogue

    package init(_ catalogue: DemandCatalogue) {
        self.catalogue = catalogue
    }

    /// The demands on which the case rests.
    ///
    /// The demands that the case names; without names, the demand of each cited section that has exactly one binding a
    /// client.
    package func demands(of item: Case, in scenario: Scenario) -> [Demand] {
        guard item.demands.isEmpty else { return item.demands.compactMap { catalogue.demand($0.name) } }
        return sources(of: item, in: scenario).compactMap { section in
            let binding = catalogue.demands(of: section).filter { $0.binds(item) }
            return binding.count == 1 ? binding.first : nil
        }
    }

    /// The errors in the demands of the scenario's cases.
    package func diagnostics(of scenario: Scenario) -> [Diagnostic] {
        scenario.cases.flatMap { item in
            let named = item.demands.compactMap { diagnostic(of: $0, item, in: scenario) }
            guard named.isEmpty, item.kind == .must, demands(of: item, in: scenario).isEmpty else { return named }
            return [missing(item, in: scenario)]
        }
    }

    private func sources(of item: Case, in scenario: Scenario) -> [String] {
        item.spec.isEmpty ? scenario.spec : item.spec
    }

    private func diagnostic(of mention: Scenario.Mention, _ item: Case, in scenario: Scenario) -> Diagnostic? {
        func wrong(_ sentence: String, _ hint: String) -> Diagnostic {
            Diagnostic(location: mention.location, sentence: sentence, hint: hint)
        }
        guard let demand = catalogue.demand(mention.name) else {
            let cited = sources(of: item, in: scenario).flatMap(catalogue.demands).map(\.id)
            let hint = catalogue.nearest(to: mention.name).map { "did you mean \(quoted($0))?" }
            return wrong(
                "there is no demand \(quoted(mention.name))",
                hint ?? "the cited sections have: \(cited.isEmpty ? "none" : cited.joined(separator: ", "))")
        }
        guard sources(of: item, in: scenario).contains(demand.section) else {
            return wrong("\(quoted(demand.id)) is a demand of \(demand.section)", "cite that section in spec")
        }
        guard item.kind == .must else { return nil }
        guard demand.isOfSubject(of: item) else {
            let who = item.sendsBytes ? "an intermediary" : "a client"
            return wrong(
                "\(quoted(demand.id)) binds \(demand.subject.withArticle), which \(who) is not",
                "name a demand of \(who), or write another kind")
        }
        guard demand.keyword.binds else {
            return wrong(
                "\(quoted(demand.id)) says \(demand.keyword.rawValue), on which no must can rest",
                "write kind: \(demand.keyword == .may ? "observes" : "should")")
        }
        return nil
    }

    private func missing(_ item: Case, in scenario: Scenario) -> Diagnostic {
        let sources = sources(of: item, in: scenario)
        let words = sources.map { section in
            let all = catalogue.demands(of: section)
            let binding = all.filter { $0.binds(item) }
            if !binding.isEmpty { return "\(section) has \(binding.map(\.id).joined(separator: ", "))" }
            guard let first = all.first else { return "\(section) has none" }
            return "\(section) has only \(first.subject.rawValue), \(first.keyword.rawValue)"
        }
        let who = item.sendsBytes ? "an intermediary" : "a client"
        return Diagnostic(
            location: item.location,
            sentence: "the must \(quoted(item.name)) names no demand of \(who): "
                + (words.isEmpty ? "it has no spec" : words.joined(separator: "; ")),
            hint: "name one with demand:, cite the section that binds \(who), or write another kind")
    }
}

/// The catalogues of several libraries, each read once.
package struct DemandCatalogues {
    private var checks: [String: DemandCheck] = [:]
    /// The folder of demands for each folder of fixture files; nil when there is none.
    private var folders: [String: String?] = [:]
    /// The errors in the catalogues themselves.
    package private(set) var diagnostics: [Diagnostic] = []

    package init() {}

    /// The check for a scenario; nil when its library has no catalogue.
    package mutating func check(of scenario: Scenario) -> DemandCheck? {
        let file = scenario.location.file
        let own = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        let folder = folders[own] ?? DemandCatalogue.folder(above: file)
        folders[own] = .some(folder)
        guard let folder else { return nil }
        if let check = checks[folder] { return check }
        let read = DemandCatalogue.load(folder: folder)
        diagnostics += read.diagnostics
        let check = DemandCheck(read.catalogue)
        checks[folder] = check
        return check
    }

    /// The errors in the catalogues, and in the demands and controls of the musts that are checked with them.
    package static func diagnostics(of scenarios: [Scenario]) -> [Diagnostic] {
        var catalogues = DemandCatalogues()
        let ofScenarios = scenarios.flatMap { scenario in
            catalogues.check(of: scenario).map {
                $0.diagnostics(of: scenario) + ControlCheck.diagnostics(of: scenario)
                    + MistakeCheck.diagnostics(of: scenario)
            } ?? []
        }
        return (catalogues.diagnostics + ofScenarios).sorted()
    }
}
