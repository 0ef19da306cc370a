internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The page of one family: its scenarios, with a table of cases and clients.
struct FamilyPage {
    let report: Report
    let family: Report.Family

    var file: SiteFile {
        let page = SitePage(
            path: SitePath.family(family.name), title: family.name, above: [("families", "\(SitePath.index)#families")],
            isWide: true)
        let clients = report.clients.map { HTML.link($0.name, to: page.way + SitePath.client($0)) }
        let cases = family.scenarios.reduce(0) { $0 + $1.cases.count }
        let html: HTML = """
            <h1>\(family.name)</h1>
            <p>\(Plural.count(family.scenarios.count, "scenario")), \(Plural.count(cases, "case")).</p>
            \(HTML.legend())
            """
        let table = HTML.table(
            caption: "Cases of \(family.name) and clients", classes: "matrix", columns: ["case", "kind"] + clients,
            body: family.scenarios.joined { rows(of: $0, page.way) })
        return page.file("\(html)\n\(table)")
    }

    private func rows(of scenario: Report.Scenario, _ way: String) -> HTML {
        let short = scenario.id.split(separator: "/").last.map(String.init) ?? scenario.id
        // A summary that several cases share, or the only one, is written once.
        let summaries = scenario.cases.compactMap(\.summary)
        let shared = summaries.first { summary in summaries.count { $0 == summary } > 1 || summaries.count == 1 }
        let what: HTML = shared.map { " <span class=\"soft\">\($0)</span>" } ?? ""
        return """
            <tr class="scenario" id="scenario-\(short)"><th scope="rowgroup" colspan="\(report.clients.count + 2)">\(short)\
            \(what)</th></tr>
            \(scenario.cases.joined { row($0, way, sharing: shared) })
            """
    }

    private func row(_ item: Report.Item, _ way: String, sharing shared: String?) -> HTML {
        let path = way + SitePath.item(item.id)
        let own = item.summary == shared ? nil : item.summary
        let summary: HTML = own.map { "<br><span class=\"soft\">\($0)</span>" } ?? ""
        let marks = zip(report.clients, item.records).joined { client, record in
            let mark = HTML.mark(.named(record?.outcome), showsWord: false)
            return record == nil ? "<td>\(mark)</td>" : "<td><a href=\"\(path)#\(client.slug)\">\(mark)</a></td>"
        }
        return """
            <tr><th scope="row">\(HTML.link(item.id.name, to: path))\(summary)</th>\
            <td>\(HTML.kind(item.first.kind.rawValue))</td>\(marks)</tr>

            """
    }
}
