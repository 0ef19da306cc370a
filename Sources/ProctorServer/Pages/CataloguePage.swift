internal import ProctorScenario

/// The catalogue for a browser: families, scenarios, what they come from, and where they stand.
struct CataloguePage: Sendable {
    let scenarios: [Scenario]
    let base: String

    var reply: BuiltInReply {
        BuiltInReply(status: 200, contentType: "text/html; charset=utf-8", body: html)
    }

    private var html: String {
        HTMLText.page(title: "Proctor") { html in
            html.element("h1", "Proctor")
            html.raw("<p>")
            html.escaped("\(scenarios.count) scenarios stand here, each at ")
            html.element("code", "\(base)/ID/")
            html.escaped(". Follow one to see what it does and which curl lines to try.")
            html.raw("</p>\n<nav>")
            for family in families {
                html.link(to: "#\(family.name)", "\(family.name) (\(family.scenarios.count))")
                html.raw(" ")
            }
            html.raw("</nav>\n")
            for family in families { section(family, &html) }
        }
    }

    private struct Family {
        let name: String
        var scenarios: [Scenario]
    }

    /// By the id without its last segment; scenarios are sorted already.
    private var families: [Family] {
        var families: [Family] = []
        for scenario in scenarios {
            let segments = scenario.id.split(separator: "/").dropLast()
            let name = segments.isEmpty ? "scenarios" : segments.joined(separator: "/")
            if families.last?.name == name {
                families[families.count - 1].scenarios.append(scenario)
            } else {
                families.append(Family(name: name, scenarios: [scenario]))
            }
        }
        return families
    }

    private func section(_ family: Family, _ html: inout HTMLText) {
        html.raw("<h2 id=\"")
        html.escaped(family.name)
        html.raw("\">")
        html.escaped(family.name)
        html.raw("</h2>\n<ul>\n")
        for scenario in family.scenarios {
            html.raw("<li><span class=\"id\">")
            html.link(to: "/\(scenario.id)", scenario.id)
            html.raw("</span>")
            for kind in Case.Kind.allCases where scenario.cases.contains(where: { $0.kind == kind }) {
                html.kind(kind)
            }
            html.element("p", scenario.summary)
            html.documents(scenario.spec)
            html.raw("</li>\n")
        }
        html.raw("</ul>\n")
    }
}

extension HTMLText {
    mutating func kind(_ kind: Case.Kind) {
        switch kind {
        case .must: element("span", class: "kind must", "must")
        case .should: element("span", class: "kind should", "should")
        case .observes: element("span", class: "kind observes", "observes")
        }
    }

    mutating func documents(_ documents: [String]) {
        guard !documents.isEmpty else { return }
        raw("<p class=\"soft\">")
        for (index, document) in documents.enumerated() {
            if index > 0 { raw(" · ") }
            if let address = SpecLink.address(of: document) {
                link(to: address, document)
            } else {
                escaped(document)
            }
        }
        raw("</p>")
    }
}
