internal import ProctorBase
internal import ProctorEvents
import ProctorHTML
internal import ProctorScenario
import ProctorServer

/// The pages of many scenarios: families, a family, and what a search finds.
struct CataloguePage {
    let scenarios: [Scenario]
    /// URL of the shared port, without a trailing slash.
    let base: String
    /// The marks of an exam, where a module has some.
    let report: (any CatalogueMarks)?
    /// Whether a recording can be dropped on the first page, which needs the call `import`.
    let takesRecordings: Bool

    /// The first view: the families, or what `question` finds.
    func front(_ question: ScenarioSearch.Question, typed: String, in search: ScenarioSearch) -> PageContent {
        var html: HTML = """
            <h1>\(scenarios.count) scenarios</h1>
            <p>Each stands at <code>\(base)/ID/</code>. A page says what it does, which curl lines to try, and starts a \
            run of it.</p>
            \(report?.introduction ?? "")\(Self.form(question, typed: typed))<div id="found" aria-live="polite">
            """
        html += question.isEmpty ? families : hits(search.find(question), of: question, in: search)
        html += "</div>\(takesRecordings ? Self.recording : "")"
        return PageContent(html, title: "Proctor", scripts: ["catalogue.js"])
    }

    /// The scenarios below `family`, which is a folder of ids; nil where there are none.
    func family(_ family: String) -> PageContent? {
        let members = scenarios.filter { $0.id.hasPrefix("\(family)/") }
        guard !members.isEmpty else { return nil }
        var html: HTML = "<p>\(Self.parents(of: family))</p><h1>\(family)</h1>\n"
        html += "<p class=\"soft\">\(Plural.count(members.count, "scenario"))</p>"
        let groups = Self.groups(members)
        if groups.count > 1 {
            let links = groups.joined { "\(.link("\($0.name) (\($0.scenarios.count))", to: "#\($0.name)")) " }
            html += "<nav aria-label=\"Folders\">\(links)</nav>"
        }
        for group in groups {
            if groups.count > 1 { html += "<h2 id=\"\(group.name)\">\(group.name)</h2>\n" }
            html += list(group.scenarios)
        }
        return PageContent(html, title: "\(family) · Proctor")
    }

    // MARK: Parts

    /// Where a recording is dropped, and where its scenario is shown.
    private static var recording: HTML {
        """
        <div id="state" role="status"></div><p class="soft"><label>A recording that is dropped on this page becomes a \
        scenario: a HAR, a trace of curl, a journal or a cassette. <input type="file" id="recording"></label></p>\
        <div id="draft"></div>
        """
    }

    private static func form(_ question: ScenarioSearch.Question, typed: String) -> HTML {
        """
        <form id="search" class="bar" role="search" action="/" method="get">\
        <label class="grow">Search <input type="search" name="q" value="\(typed)" autocomplete="off" \
        placeholder="timeout, login, RFC 9112"></label><label>Kind <select name="kind">\
        \(options(Case.Kind.allCases.map(\.rawValue), chosen: question.kind?.rawValue))</select></label>\
        <label>Ability <select name="ability">\
        \(options(Ability.allCases.map(\.rawValue), chosen: question.ability?.rawValue))</select></label>\
        <button>Find</button></form>
        """
    }

    private static func options(_ values: [String], chosen: String?) -> HTML {
        let options = values.joined { "<option\($0 == chosen ? " selected" : "" as HTML)>\($0)</option>" }
        return "<option value=\"\">any</option>\(options)"
    }

    /// The reader's own scenarios, then the families of Proctor in the order of their table.
    private var families: HTML {
        var items: [(rank: Int, html: HTML)] = []
        var rest = scenarios[...]
        while let first = rest.first {
            let name = Self.topFolder(of: first)
            let members = rest.prefix { Self.topFolder(of: $0) == name }
            rest = rest.dropFirst(members.count)
            guard let name else {
                items += members.map { (-1, "<li>\(.link($0.id, to: "/\($0.id)"))</li>") }
                continue
            }
            let folders = Self.groups(Array(members)).map { $0.name.dropFirst(name.count + 1) }.filter { !$0.isEmpty }
            var html: HTML = "<li><span class=\"id\">\(.link(name, to: "/\(name)"))</span> "
            html += "<span class=\"count\">\(members.count)</span>"
            if let sentence = FamilySummary.sentence(of: name) { html += "<p>\(sentence)</p>" }
            html += "<p class=\"soft\">\(folders.prefix(12).joined(separator: " · "))</p></li>"
            items.append((FamilySummary.rank(of: name) ?? -1, html))
        }
        let ordered = items.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        return "<h2>Families</h2><ul class=\"families\">\(ordered.joined { $0.element.html })</ul>"
    }

    private func hits(_ scenarios: [Scenario], of question: ScenarioSearch.Question, in search: ScenarioSearch) -> HTML
    {
        guard !scenarios.isEmpty else {
            return nothing(search.advice(on: question))
        }
        let rest: HTML =
            scenarios.count > ScenarioSearch.shownLimit
            ? "<p class=\"soft\">These are the first \(ScenarioSearch.shownLimit); another word finds fewer.</p>" : ""
        return """
            <h2>Found \(Plural.count(scenarios.count, "scenario"))</h2>\
            \(rest)\(list(Array(scenarios.prefix(ScenarioSearch.shownLimit))))
            """
    }

    private func nothing(_ advice: ScenarioSearch.Advice) -> HTML {
        let counts = advice.countWords
        let told = counts.isEmpty ? "" : ": \(counts) of \(Plural.count(scenarios.count, "scenario"))"
        var html: HTML = """
            <h2>Found 0 scenarios</h2><p>No scenario has all of it\(told). Leave a word out, or look through \
            \(.link("all scenarios", to: "/")).</p>
            """
        if let meant = advice.meant {
            html += """
                <form action="/" method="get"><p>Did you mean <button name="q" value="\(meant)">\(meant)</button>?</p></form>
                """
        }
        guard let without = advice.without else { return html }
        let most = Set(advice.most)
        return "\(html)<h3>Without ‘\(without)’</h3>\(list(scenarios.filter { most.contains($0.id) }))"
    }

    private func list(_ scenarios: [Scenario]) -> HTML {
        let items = scenarios.joined { scenario in
            let kinds = Case.Kind.allCases.filter { kind in scenario.cases.contains { $0.kind == kind } }
            return """
                <li><span class="id">\(.link(scenario.id, to: "/\(scenario.id)"))</span>\
                \(kinds.joined { .kind($0.rawValue) })\
                <p>\(scenario.summary)</p>\(.documents(scenario.spec))\(report?.marks(of: scenario.id) ?? "")</li>

                """
        }
        return "<ul>\(items)</ul>\n"
    }

    /// The scenarios grouped by the id without its last segment; `scenarios` are sorted.
    private static func groups(_ scenarios: [Scenario]) -> [(name: String, scenarios: [Scenario])] {
        var groups: [(name: String, scenarios: [Scenario])] = []
        for scenario in scenarios {
            let name = scenario.id.split(separator: "/").dropLast().joined(separator: "/")
            if groups.last?.name == name {
                groups[groups.count - 1].scenarios.append(scenario)
            } else {
                groups.append((name, [scenario]))
            }
        }
        return groups
    }

    /// nil for an id without a folder.
    private static func topFolder(of scenario: Scenario) -> String? {
        let segments = scenario.id.split(separator: "/", maxSplits: 1)
        return segments.count > 1 ? String(segments[0]) : nil
    }

    /// Links to the folders that an id or a folder is in: `all scenarios / redirect`.
    static func parents(of id: String) -> HTML {
        var html: HTML = "\(.link("all scenarios", to: "/"))"
        var path = ""
        for segment in id.split(separator: "/").dropLast() {
            path += "/\(segment)"
            html += " / \(.link(String(segment), to: path))"
        }
        return html
    }
}
