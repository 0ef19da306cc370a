internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The page of one client: its failures by cause, its totals by kind and family, and its versions.
struct ClientPage {
    let report: Report
    let index: Int

    private var client: Report.Client { report.clients[index] }

    var file: SiteFile {
        let page = SitePage(
            path: SitePath.client(client), title: client.name, above: [("clients", "\(SitePath.index)#clients")])
        let about: HTML = "<h2>About the exam</h2>\n<dl>\(facts.joined { HTML.pair($0, $1) })</dl>\n"
        if let absence = client.header.absence {
            return page.file("<h1>\(client.name)</h1>\n<p>It was not asked: \(absence)</p>\n\(about)")
        }
        let figures = [Case.Kind.must, .should].joined { kind in
            " \(HTML.kind(kind.rawValue)) \(IndexPage.figure(OutcomeCounts(ofClient: index, kind, report.items)))"
        }
        return page.file(
            """
            <h1>\(client.name)</h1>
            <p class="lead">\(figures)</p>
            <h2>Failures by cause</h2>
            \(failures(page.way))\(unasked)<h2>Totals</h2>
            \(totals)<h2 id="families">Families</h2>
            \(families(page.way))\(about)
            """)
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

    private var unasked: HTML {
        let unasked = report.unasked(by: index)
        guard let headline = unasked.headline else { return "" }
        return "<h2>\(headline)</h2>\n<ul>\(unasked.lines.joined { "<li>\($0)</li>" })</ul>\n"
    }

    private var totals: HTML {
        var counts: [Case.Kind: [String: Int]] = [:]
        for record in report.items.lazy.compactMap({ $0.records[index] }) {
            counts[record.kind, default: [:]][record.outcome, default: 0] += 1
        }
        let looks = OutcomeLook.all.filter { look in counts.values.contains { $0[look.word] != nil } }
        let body = looks.joined { look in
            let cells = Case.Kind.allCases.joined { "<td>\(counts[$0]?[look.word] ?? 0)</td>" }
            return "<tr><th scope=\"row\">\(HTML.mark(look, showsWord: true))</th>\(cells)</tr>\n"
        }
        return .table(
            caption: "Outcomes by kind", classes: "totals",
            columns: ["outcome"] + Case.Kind.allCases.map { "\($0.rawValue)" }, body: body)
    }

    private func families(_ way: String) -> HTML {
        let body = report.families.joined { family in
            let figures = [Case.Kind.must, .should].joined { kind in
                "<td>\(IndexPage.figure(OutcomeCounts(ofClient: index, kind, family.cases)))</td>"
            }
            let name = HTML.link(family.name, to: way + SitePath.family(family.name))
            return "<tr><th scope=\"row\">\(name)</th>\(figures)</tr>\n"
        }
        return .table(caption: "Families", classes: "totals", columns: ["family", "must", "should"], body: body)
    }

    private func failures(_ way: String) -> HTML {
        // The page of causes counts the failures of all clients.
        let causes = report.causes.enumerated().map { number, cause in
            (number: number, cause: cause, count: cause.places.count { $0.client == index })
        }
        let own = causes.filter { $0.count > 0 }.sorted { ($1.count, $0.number) < ($0.count, $1.number) }
        guard !own.isEmpty else { return "<p>None.</p>" }
        return own.joined { number, cause, count in
            let cases = cause.places.filter { $0.client == index }.map(\.case)
            // A link within a summary could not be reached by everybody.
            let ofAll = HTML.link("all clients with this cause", to: "\(way)\(SitePath.causes)#cause-\(number)")
            return """
                <details class="cause"><summary>\(cause.cause.sentence) <span class="soft">\
                \(Plural.count(count, "case"))</span></summary><p class="soft">\(ofAll)</p>\
                \(cause.upstream(of: index).map { HTML.upstream($0) } ?? "")\
                <ul class="cases">\(cases.joined { line($0, way) })</ul></details>

                """
        }
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
