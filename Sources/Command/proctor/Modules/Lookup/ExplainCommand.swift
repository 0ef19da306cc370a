internal import ProctorBase
internal import ProctorDemands
internal import ProctorEvents
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorRules
internal import ProctorScenario

let explainCommand = Command(
    name: "explain", fillings: { ["rules": Rules.span] }, words: { Rules.numbers.map { "R\($0)" } },
    operandNames: "ids"
) { arguments, context in
    if arguments.has("--all"), !arguments.operands.isEmpty { throw UsageError("say either --all or rules, not both") }
    if arguments.has("--all") {
        context.output.out(Rules.all.map(RulePage.text).joined(separator: "\n"))
        return .success
    }
    guard !arguments.operands.isEmpty else {
        for rule in Rules.all {
            let gap = String(repeating: " ", count: 5 - rule.number.description.count)
            context.output.line("\(rule.number)\(gap)\(rule.title)")
        }
        for departure in Departure.allCases {
            let gap = String(repeating: " ", count: 25 - departure.rawValue.count)
            context.output.line("\(departure.rawValue)\(gap)\(departure.row.departure)")
        }
        return .success
    }
    var pages: [String] = []
    for word in arguments.operands {
        if let departure = Departure(rawValue: word) {
            let library = try FixtureLocation(environment: context.environment).library(of: arguments)
            let owners = library.find().owners(of: departure, context.output)
            pages.append(TolerancePage.text(of: departure, owners: owners))
            continue
        }
        guard word.contains("/") || word.contains("#") else {
            pages.append(RulePage.text(of: try RulePage.rule(word)))
            continue
        }
        let library = try FixtureLocation(environment: context.environment).library(of: arguments)
        pages.append(try DemandPage.text(of: word, in: library, context.output))
    }
    context.output.out(pages.joined(separator: "\n"))
    return .success
}

/// The page about a departure that is tolerated.
enum TolerancePage {
    /// `owners` are the cases that the departure fails; nil: they were not looked for.
    static func text(of departure: Departure, owners: [String]?) -> String {
        let row = departure.row
        var lines = ["\(departure.rawValue)  \(row.section)", ""]
        lines += RulePage.field("Departure", row.departure)
        lines += RulePage.field("Read as", row.meaning)
        guard let owners else { return lines.joined(separator: "\n") + "\n" }
        lines += RulePage.field("Cases", owners.isEmpty ? "none in this library" : owners.joined(separator: " "))
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ScenarioFiles {
    /// The cases that the departure fails; errors of fixtures are printed, and their cases are missing.
    fileprivate func owners(of departure: Departure, _ output: Output) -> [String] {
        let loaded = load(where: { _ in true })
        FixtureReport.print(loaded.diagnostics, output)
        return OwnerCheck.owners(of: departure, in: loaded.scenarios)
    }
}

/// The page about the summaries and demands of a scenario's cases.
enum DemandPage {
    /// The page; `word` is an id, or an id with `#` and a case.
    static func text(of word: String, in library: FixtureLibrary, _ output: Output) throws -> String {
        let parts = word.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let scenario = try FixtureReport.scenario(parts[0], in: library, certificates: nil, output)
        var catalogues = DemandCatalogues()
        let check = catalogues.check(of: scenario)
        FixtureReport.print(catalogues.diagnostics, output)
        let items =
            parts.count < 2
            ? scenario.cases : [try CaseChoice(scenario: scenario).item(named: parts[1])]
        return items.map { page(of: $0, scenario, check) }.joined(separator: "\n")
    }

    private static func page(of item: Case, _ scenario: Scenario, _ check: DemandCheck?) -> String {
        var lines = ["\(scenario.id)#\(item.name)  \(item.kind.rawValue)", ""]
        lines += LineBreaking.wrapped(item.summary ?? scenario.summary, indentation: 2)
        lines.append("")
        let sources = item.spec.isEmpty ? scenario.spec : item.spec
        if !sources.isEmpty { lines += RulePage.field("Sources", sources.joined(separator: "; ")) }
        for demand in check?.demands(of: item, in: scenario) ?? [] {
            lines += RulePage.field("Demand", "\(demand.sentence) (\(demand.section), \(demand.id))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

enum RulePage {
    static func rule(_ word: String) throws(UsageError) -> Rule {
        if let number = RuleNumber(parsing: word) ?? RuleNumber(parsing: "R\(word)"), let rule = Rules.rule(number) {
            return rule
        }
        throw UsageError("there is no rule '\(word)'; rules are \(Rules.span), see 'proctor explain'")
    }

    static func text(of rule: Rule) -> String {
        var lines = ["\(rule.number)  \(rule.title)", ""]
        lines += LineBreaking.wrapped(rule.statement, indentation: 2)
        lines.append("")
        lines += field("Source", "\(rule.source) (\(confidence(rule.confidence)))")
        lines += field("Holds for", rule.families.map { "\($0.rawValue) (\($0.words))" }.joined(separator: ", "))
        if !rule.legal.isEmpty { lines += field("Legal", rule.legal) }
        if !rule.illegal.isEmpty { lines += field("Illegal", rule.illegal) }
        if let limits = rule.limits { lines += field("Limits", limits) }
        for chapter in Modules.present.compactMap({ $0.chapter(rule.number) }) { lines += field("Chapter", chapter) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func confidence(_ confidence: Rule.Confidence) -> String {
        switch confidence {
        case .documented: "documented"
        case .sample: "from sample code and existing loaders"
        case .inferred: "inferred: an observation, until a platform turns it on"
        }
    }

    static func field(_ name: String, _ text: String) -> [String] {
        let indentation = 13
        var lines = LineBreaking.wrapped(text, indentation: indentation)
        let label = "  \(name)"
        lines[0] =
            label + String(repeating: " ", count: max(1, indentation - label.count)) + lines[0].dropFirst(indentation)
        return lines
    }
}
