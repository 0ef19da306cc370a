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
        var head: HTML = "<tr><th scope=\"col\">case</th><th scope=\"col\">kind</th>"
        for client in report.clients {
            head += "<th scope=\"col\">\(HTML.link(client.name, to: page.way + SitePath.client(client)))</th>"
        }
        head += "</tr>"
        let cases = family.scenarios.reduce(0) { $0 + $1.cases.count }
        let html: HTML = """
            <h1>\(family.name)</h1>
            <p>\(Plural.count(family.scenarios.count, "scenario")), \(Plural.count(cases, "case")).</p>
            \(HTML.legend())
            \(HTML.table(caption: "Cases of \(family.name) and clients", classes: "matrix", head: head, body: rows(page.way)))
            """
        return page.file(html)
    }

    private func rows(_ way: String) -> HTML {
        var html: HTML = ""
        for scenario in family.scenarios {
            let short = scenario.id.split(separator: "/").last.map(String.init) ?? scenario.id
            // A summary that several cases share, or the only one, is written once.
            let summaries = scenario.cases.compactMap(\.summary)
            let shared = summaries.first { summary in summaries.count { $0 == summary } > 1 || summaries.count == 1 }
            let what: HTML = shared.map { " <span class=\"soft\">\($0)</span>" } ?? ""
            html += """
                <tr class="scenario" id="scenario-\(short)"><th scope="rowgroup" colspan="\(report.clients.count + 2)">\(short)\
                \(what)</th></tr>

                """
            for item in scenario.cases { html += row(item, way, sharing: shared) }
        }
        return html
    }

    private func row(_ item: Report.Item, _ way: String, sharing shared: String?) -> HTML {
        let path = way + SitePath.item(item.id)
        let own = item.summary == shared ? nil : item.summary
        let summary: HTML = own.map { "<br><span class=\"soft\">\($0)</span>" } ?? ""
        var html: HTML = """
            <tr><th scope="row">\(HTML.link(item.id.name, to: path))\(summary)</th>\
            <td>\(HTML.kind(item.first.kind.rawValue))</td>
            """
        for (client, record) in zip(report.clients, item.records) {
            let look = OutcomeLook.named(record?.outcome)
            html +=
                record == nil
                ? "<td>\(HTML.mark(look, showsWord: false))</td>"
                : "<td><a href=\"\(path)#\(client.slug)\">\(HTML.mark(look, showsWord: false))</a></td>"
        }
        return "\(html)</tr>\n"
    }
}
