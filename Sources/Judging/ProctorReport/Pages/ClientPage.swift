internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The page of one client: its versions, its totals by kind and family, and its failures by cause.
struct ClientPage {
    let report: Report
    let index: Int

    private var client: Report.Client { report.clients[index] }

    var file: SiteFile {
        let page = SitePage(
            path: SitePath.client(client), title: client.name, above: [("clients", "\(SitePath.index)#clients")])
        var html: HTML = "<h1>\(client.name)</h1>\n<dl>"
        for (name, value) in facts { html += .pair(name, value) }
        html += "</dl>\n"
        if let absence = client.header.absence { return page.file("\(html)<p>It was not asked: \(absence)</p>") }
        html += "<h2>Totals</h2>\n\(totals)<h2>Failures by cause</h2>\n\(failures(page.way))"
        html += "<h2 id=\"families\">Families</h2>\n\(families(page.way))"
        return page.file(html)
    }

    private var facts: [(String, String)] {
        let header = client.header
        let all: [(String, String?)] = [
            ("client", [header.clientName, header.clientVersion].compactMap(\.self).joined(separator: " ")),
            ("adapter", [header.adapter, header.adapterVersion].compactMap(\.self).joined(separator: " ")),
            ("command", header.command), ("platform", header.platform), ("ledger", header.ledger),
            ("system", header.system), ("proctor", header.proctor), ("date", header.date),
            ("protocol", header.protocolName), ("part", header.shard),
        ]
        return all.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
    }

    private var totals: HTML {
        var counts: [Case.Kind: [String: Int]] = [:]
        for record in report.items.lazy.compactMap({ $0.records[index] }) {
            counts[record.kind, default: [:]][record.outcome, default: 0] += 1
        }
        let looks = OutcomeLook.all.filter { look in counts.values.contains { $0[look.word] != nil } }
        var head: HTML = "<tr><th scope=\"col\">outcome</th>"
        for kind in Case.Kind.allCases { head += "<th scope=\"col\">\(kind.rawValue)</th>" }
        head += "</tr>"
        var body: HTML = ""
        for look in looks {
            body += "<tr><th scope=\"row\">\(HTML.mark(look, showsWord: true))</th>"
            for kind in Case.Kind.allCases { body += "<td>\(counts[kind]?[look.word] ?? 0)</td>" }
            body += "</tr>\n"
        }
        return .table(caption: "Outcomes by kind", classes: "totals", head: head, body: body)
    }

    private func families(_ way: String) -> HTML {
        let head: HTML = """
            <tr><th scope="col">family</th><th scope="col">must</th><th scope="col">should</th></tr>
            """
        var body: HTML = ""
        for family in report.families {
            let must = IndexPage.figure(OutcomeCounts(ofClient: index, .must, family.cases))
            let should = IndexPage.figure(OutcomeCounts(ofClient: index, .should, family.cases))
            body += """
                <tr><th scope="row">\(HTML.link(family.name, to: way + SitePath.family(family.name)))</th>\
                <td>\(must)</td><td>\(should)</td></tr>

                """
        }
        return .table(caption: "Families", classes: "totals", head: head, body: body)
    }

    private func failures(_ way: String) -> HTML {
        var html: HTML = ""
        // The page of causes counts the failures of all clients.
        let causes = report.causes.enumerated().map { number, cause in
            (number: number, cause: cause, count: cause.places.count { $0.client == index })
        }
        let own = causes.filter { $0.count > 0 }.sorted { ($1.count, $0.number) < ($0.count, $1.number) }
        for (number, cause, _) in own {
            let cases = cause.places.filter { $0.client == index }.map(\.case)
            html += """
                <details class="cause"><summary>\(HTML.link(cause.cause.sentence, to: "\(way)\(SitePath.causes)#cause-\(number)")) <span class="soft">\
                \(Plural.count(cases.count, "case"))</span></summary>
                """
            if let upstream = cause.upstream(of: index) { html += .upstream(upstream) }
            html += "<ul class=\"cases\">"
            for id in cases { html += line(id, way) }
            html += "</ul></details>\n"
        }
        return html.bytes.isEmpty ? "<p>None.</p>" : html
    }

    private func line(_ id: CaseID, _ way: String) -> HTML {
        let record = report.record(of: id, client: index)
        let look = OutcomeLook.named(record?.outcome)
        let reason: HTML = record.map { "<p class=\"soft\">\($0.reason)</p>" } ?? ""
        return """
            <li>\(HTML.mark(look, showsWord: true)) \
            \(HTML.link(id.description, to: "\(way)\(SitePath.item(id))#\(client.slug)"))\
            \(record.map { HTML.kind($0.kind.rawValue) } ?? "")\(reason)</li>
            """
    }
}
