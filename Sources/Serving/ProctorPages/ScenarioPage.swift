internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
import ProctorHTML
import ProctorNotation
import ProctorScenario
import ProctorServer

/// The page of one scenario: its exchanges, its cases, and command lines to copy.
struct ScenarioPage {
    private let scenario: Scenario
    private let place: PlaceOfScenario

    init(_ scenario: Scenario, at place: PlaceOfScenario) { (self.scenario, self.place) = (scenario, place) }

    /// Blocks while the fixture is read, which is shown as it is on disk.
    var content: PageContent {
        let fixture = scenario.fileText.map { FixtureLines(text: $0) }
        var html: HTML = """
            <p>\(CataloguePage.parents(of: scenario.id))</p>
            <h1>\(scenario.summary)</h1><dl>\(.pair("id", scenario.id))\(.pair("stands at", place.base + "/"))
            """
        if let proxy = place.namesProxy { html += .pair("by the proxy", "http://\(proxy)") }
        html += "\(.pair("file", scenario.location.file))</dl>\(.documents(scenario.spec))"
        if let reason = scenario.rootReason {
            html += "<p class=\"soft\">It has ports of its own: \(reason.text).</p>"
        }
        let toFixture: HTML = fixture == nil ? "" : "<a href=\"#fixture\">Fixture</a>"
        html += """
            <form id="start" method="post" action="\(PageAddress.prefix)start?scenario=\(scenario.id)">\
            <button>Start a run and watch it</button></form><div id="state" role="status"></div>
            <nav aria-label="Parts of the page"><a href="#exchanges">Exchanges</a> <a href="#cases">Cases</a> \
            <a href="#try">In a test</a> \(toFixture)</nav>
            <h2 id="exchanges">Exchanges</h2>
            """
        html += ScenarioConversation(scenario: scenario, linksLines: fixture != nil).html
        if let remark = scenario.turnsRemark {
            html += "<p class=\"soft\">\(remark).</p>"
            html +=
                place.wantsToken
                ? "<pre class=\"copy\">\(place.resetLine(scenario))</pre>"
                : """
                <form method="post" action="\(PlaceOfScenario.resetPath(scenario))"><button>Begin again</button></form>

                """
        }
        html += "<h2 id=\"cases\">Cases</h2>\n"
        for item in scenario.cases { html += .section(item, of: scenario, at: place) }
        html += .inATest(scenario)
        if let fixture { html += "<h2 id=\"fixture\">Fixture</h2>\n\(fixture.html)" }
        return PageContent(html, title: "\(scenario.id) · Proctor", scripts: ["actions.js"])
    }
}

extension HTML {
    static func documents(_ documents: [String]) -> HTML {
        guard !documents.isEmpty else { return "" }
        var html: HTML = "<p class=\"soft\">"
        for (index, document) in documents.enumerated() {
            if index > 0 { html += " · " }
            html += SpecLink.address(of: document).map { .link(document, to: $0) } ?? "\(document)"
        }
        return "\(html)</p>"
    }

    /// Lines for a test in Swift, and for one in Python that drives this server.
    fileprivate static func inATest(_ scenario: Scenario) -> HTML {
        let name = scenario.cases.first.map { ", case: \"\($0.name)\"" } ?? ""
        let target = scenario.exchanges.first?.request.text.split(separator: " ").last.map(String.init) ?? "/"
        return """
            <h2 id="try">In a test</h2>
            <pre class="copy">// Swift: ProctorTesting, which has a server of its own
            try await withScenario("\(scenario.id)"\(name)) { exam in
                exam.session().dataTask(with: exam.url("\(target)")).resume()
            }</pre>
            <pre class="copy"># Python: a run of this server, by PROCTOR_SERVER
            import json, os, urllib.request
            call = urllib.request.Request(os.environ["PROCTOR_SERVER"] + "/__proctor/runs",
                json.dumps({"scenario": "\(scenario.id)"}).encode())
            run = json.load(urllib.request.urlopen(call))
            print(run["base"])</pre>
            """
    }

    fileprivate static func section(_ item: Case, of scenario: Scenario, at place: PlaceOfScenario) -> HTML {
        var html: HTML = "<h3>\(item.name)\(.kind(item.kind.rawValue))</h3>\n"
        if let summary = item.summary { html += "<p>\(summary)</p>" }
        let line = CurlLine(
            steps: item.client, scenario: scenario, place: place, speaksHTTP2: item.speaksHTTP2)
        html += "<pre class=\"copy\">\(line.text)</pre>"
        if let shortfall = line.shortfall { html += "<p class=\"soft\">Not quite: \(shortfall).</p>" }
        html += "<dl>\(.pair("about", item.subjectText))"
        for (name, abilities) in [("needs", item.needs), ("applies", item.applies)] where !abilities.isEmpty {
            let words = Ability.allCases.filter(abilities.contains).map(\.rawValue)
            html += .pair(name, words.joined(separator: ", "))
        }
        if let download = item.asDownload { html += .pair("as a download", download.name) }
        return "\(html)</dl>\(CaseWords(item: item, scenario: scenario).html)\n"
    }
}

extension Reply {
    /// `302 Found`, `raw bytes`, `effects alone`.
    var title: String {
        switch message {
        case nil: "effects alone"
        case .raw: "raw bytes"
        case .forward: "handed on"
        case .script: "made by a script"
        case .structured(let reply): "\(reply.status)\(reply.reason.map { " \($0)" } ?? "")"
        }
    }
}
