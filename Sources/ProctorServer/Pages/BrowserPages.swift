internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
import ProctorHTML
import ProctorNotation
internal import ProctorScenario

extension BuiltInReply {
    /// The catalogue page: families, scenarios, their specifications, and their addresses below `base`.
    ///
    /// With a report also the marks that clients got for each scenario.
    static func catalogue(_ scenarios: [Scenario], base: String, report: ServedReport? = nil) -> BuiltInReply {
        // Grouped by the id without its last segment; scenarios are sorted already.
        var families: [(name: String, scenarios: [Scenario])] = []
        for scenario in scenarios {
            let segments = scenario.id.split(separator: "/").dropLast()
            let name = segments.isEmpty ? "scenarios" : segments.joined(separator: "/")
            if families.last?.name == name {
                families[families.count - 1].scenarios.append(scenario)
            } else {
                families.append((name, [scenario]))
            }
        }
        var html: HTML = """
            <h1>Proctor</h1><p>\(scenarios.count) scenarios stand here, each at <code>\(base)/ID/</code>. Follow one to \
            see what it does and which curl lines to try.</p>
            \(report?.introduction ?? "")<nav>
            """
        for family in families {
            html += "\(.link("\(family.name) (\(family.scenarios.count))", to: "#\(family.name)")) "
        }
        html += "</nav>\n"
        for family in families {
            html += "<h2 id=\"\(family.name)\">\(family.name)</h2>\n<ul>\n"
            for scenario in family.scenarios {
                html += "<li><span class=\"id\">\(.link(scenario.id, to: "/\(scenario.id)"))</span>"
                for kind in Case.Kind.allCases where scenario.cases.contains(where: { $0.kind == kind }) {
                    html += .kind(kind.rawValue)
                }
                html += "<p>\(scenario.summary)</p>\(.documents(scenario.spec))"
                html += report?.marks(of: scenario.id) ?? ""
                html += "</li>\n"
            }
            html += "</ul>\n"
        }
        return html.page(title: "Proctor", style: report == nil ? "" : PageStyle.tones)
    }

    /// The page of one scenario: its exchanges, its cases, and command lines to copy.
    static func page(of scenario: Scenario, at place: PlaceOfScenario) -> BuiltInReply {
        var html: HTML = """
            <p>\(.link("all scenarios", to: "/"))</p>
            <h1>\(scenario.summary)</h1><dl>\(.pair("id", scenario.id))\(.pair("stands at", place.base + "/"))
            """
        if let proxy = place.namesProxy { html += .pair("by the proxy", "http://\(proxy)") }
        html += "\(.pair("file", scenario.location.file))</dl>\(.documents(scenario.spec))"
        if let reason = scenario.rootReason {
            html += "<p class=\"soft\">It has ports of its own: \(reason.text).</p>"
        }
        html += "<h2>Exchanges</h2>\n<ul>\n"
        for exchange in scenario.exchanges {
            let origin = scenario.origins.count > 1 ? "at \(scenario.origins[exchange.origin].name): " : ""
            let replies = exchange.turnTitles.joined(separator: ", then ")
            html += "<li><code>\(exchange.request.text)</code><p class=\"soft\">\(origin)\(replies)</p></li>\n"
        }
        html += "</ul>\n"
        if let remark = scenario.turnsRemark {
            html += "<p class=\"soft\">\(remark).</p>"
            html +=
                place.wantsToken
                ? "<pre class=\"copy\">\(place.resetLine(scenario))</pre>"
                : """
                <form method="post" action="\(PlaceOfScenario.resetPath(scenario))"><button>Begin again</button></form>

                """
        }
        html += "<h2>Cases</h2>\n"
        for item in scenario.cases { html += .section(item, of: scenario, at: place) }
        return html.page(title: "\(scenario.id) · Proctor")
    }
}

extension HTML {
    fileprivate func page(title: String, style: HTML = "") -> BuiltInReply {
        // Without an icon of its own a browser asks for one that is not there.
        let head: HTML = "<link rel=\"icon\" href=\"data:,\"><style>\(PageStyle.base)\(style)</style>"
        let main: HTML = "<main>\(self)</main>"
        return BuiltInReply(
            status: 200, contentType: "text/html; charset=utf-8", bytes: main.document(title: title, head: head).bytes)
    }

    fileprivate static func documents(_ documents: [String]) -> HTML {
        guard !documents.isEmpty else { return "" }
        var html: HTML = "<p class=\"soft\">"
        for (index, document) in documents.enumerated() {
            if index > 0 { html += " · " }
            html += SpecLink.address(of: document).map { .link(document, to: $0) } ?? "\(document)"
        }
        return "\(html)</p>"
    }

    fileprivate static func section(_ item: Case, of scenario: Scenario, at place: PlaceOfScenario) -> HTML {
        var html: HTML = "<h3>\(item.name)\(.kind(item.kind.rawValue))</h3>\n"
        if let summary = item.summary { html += "<p>\(summary)</p>" }
        let line = CurlLine(steps: item.client, scenario: scenario, place: place)
        html += "<pre class=\"copy\">\(line.text)</pre>"
        if let shortfall = line.shortfall { html += "<p class=\"soft\">Not quite: \(shortfall).</p>" }
        html += "<dl>\(.pair("about", item.subjectText))"
        for (name, abilities) in [("needs", item.needs), ("applies", item.applies)] where !abilities.isEmpty {
            let words = Ability.allCases.filter(abilities.contains).map(\.rawValue)
            html += .pair(name, words.joined(separator: ", "))
        }
        if let wire = item.wire { html += .pair("wire", wire.text.trimmedLines) }
        if let download = item.asDownload { html += .pair("as a download", download.name) }
        if let cookies = item.cookies { html += .pair("cookies", cookies.text) }
        for (lane, notation) in item.lanes.sorted(by: { $0.key < $1.key }) {
            html += .pair(lane, notation.text.trimmedLines)
        }
        return "\(html)</dl>\n"
    }
}

extension Exchange {
    /// By turn; replies of which one is chosen have "or" between them.
    fileprivate var turnTitles: [String] {
        guard !draws.isEmpty else { return replies.map(\.title) }
        return draws.map { draw in
            replies[draw.first..<draw.first + draw.weights.count].map(\.title).joined(separator: " or ")
        }
    }
}

extension Reply {
    /// `302 Found`, `raw bytes`, `effects alone`.
    fileprivate var title: String {
        switch message {
        case nil: "effects alone"
        case .raw: "raw bytes"
        case .forward: "handed on"
        case .script: "made by a script"
        case .structured(let reply): "\(reply.status)\(reply.reason.map { " \($0)" } ?? "")"
        }
    }
}
