internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The first page: who failed how much, the causes of most failures, the clients, and a table of families and clients.
struct IndexPage {
    let report: Report
    /// The number of causes on the page.
    private static let causeCount = 10

    var file: SiteFile {
        let verdict = Self.verdict(of: report)
        let page = SitePage(path: SitePath.index, title: verdict, isWide: true)
        let clients = Plural.count(report.clients.count, "client")
        let cases = Plural.count(report.items.count, "case")
        var html: HTML = "<h1>\(verdict)</h1>\n"
        if report.clients.count == 1, let unasked = report.unasked(by: 0).headline {
            html += "<p>\(HTML.link(unasked, to: SitePath.client(report.clients[0])))</p>\n"
        }
        if !report.causes.isEmpty { html += "<h2 id=\"causes\">What failed</h2>\n\(causes(page))" }
        html += """
            <h2 id="clients">Clients</h2>
            <p>\(clients), \(cases). A <em>must</em> comes from a MUST of the cited section, a <em>should</em> from a \
            SHOULD; a case that <em>observes</em> asks for nothing, and is not in the table of families.</p>
            \(HTML.legend())\(clientTable)
            """
        html += "<h2 id=\"families\">Families</h2>\n\(columns)\(matrix)"
        return page.file(html)
    }

    /// `curl failed 12 of 259 cases`; of several clients how many failed a case.
    static func verdict(of report: Report) -> String {
        let items = report.items
        let counts = report.clients.indices.map { client in
            [Case.Kind.must, .should].map { OutcomeCounts(ofClient: client, $0, items) }
        }
        if let only = counts.first, counts.count == 1 {
            let failed = only.reduce(0) { $0 + $1.failed }
            let judged = only.reduce(0) { $0 + $1.judged }
            guard judged > 0 else { return "\(report.clients[0].name) was judged in no case" }
            return
                "\(report.clients[0].name) failed \(failed == 0 ? "none" : "\(failed)") of \(Plural.count(judged, "case"))"
        }
        let failing = counts.count { $0.contains { $0.failed > 0 } }
        let clients = Plural.count(counts.count, "client")
        return failing == 0 ? "None of \(clients) failed a case" : "\(failing) of \(clients) failed cases"
    }

    // MARK: Clients

    private var clientTable: HTML {
        var body: HTML = ""
        let items = report.items
        for (index, client) in report.clients.enumerated() {
            let must = OutcomeCounts(ofClient: index, .must, items)
            let should = OutcomeCounts(ofClient: index, .should, items)
            let observes = OutcomeCounts(ofClient: index, .observes, items)
            let header = client.header
            let version = [header.clientName == header.client ? nil : header.clientName, header.clientVersion]
            let adapter = [header.adapter, header.adapterVersion].compactMap(\.self).joined(separator: " ")
            let ofAdapter: HTML = adapter.isEmpty ? "" : "<br><span class=\"soft\">adapter \(adapter)</span>"
            body += """
                <tr><th scope="row">\(HTML.link(client.name, to: SitePath.client(client)))</th>\
                <td>\(version.compactMap(\.self).joined(separator: " "))\(ofAdapter)</td>
                """
            if let absence = header.absence {
                body += "<td colspan=\"5\">not asked: \(absence)</td>"
            } else {
                body += """
                    <td>\(Self.figure(must))</td><td>\(Self.figure(should))</td><td>\(causeCount(of: index))</td>\
                    <td>\(observes.observed)</td>\
                    <td>\(must.unasked + should.unasked + observes.unasked)</td>
                    """
            }
            body += "<td>\(String((header.date ?? "").prefix(10)))</td></tr>\n"
        }
        return .table(
            caption: "Clients and their totals", classes: "clients",
            columns: [
                "client", "version", "must", "should", "causes", "observed", "not judged, or not asked", "date",
            ], body: body)
    }

    /// `✗ 3 of 120, 1 new`: the failed cases, the judged cases, and the failures that no ledger lists, when ledgers
    /// list others.
    ///
    /// `✓ 5, 2 partly` where none failed.
    static func figure(_ counts: OutcomeCounts) -> HTML {
        guard counts.judged > 0 else {
            return
                "<span class=\"mark none\"><span aria-hidden=\"true\">–</span><span class=\"unseen\">none judged</span></span>"
        }
        if counts.failed == 0 {
            let partly: HTML = counts.partly == 0 ? "" : "<span class=\"soft\">, \(counts.partly) partly</span>"
            guard counts.passed > 0 else {
                return """
                    <span class="mark half"><span aria-hidden="true">◐</span> \(counts.partly)\
                    <span class="unseen"> partly, none failed</span></span>
                    """
            }
            return """
                <span class="mark good"><span aria-hidden="true">✓</span> \(counts.passed)\
                <span class="unseen"> passed, none failed</span></span>\(partly)
                """
        }
        return """
            <span class="mark bad"><span aria-hidden="true">✗</span> \(counts.failed)<span class="unseen"> failed</span>\
            </span> <span class="soft">of \(counts.judged)\(counts.known > 0 && counts.new > 0 ? ", \(counts.new) new" : "")</span>
            """
    }

    private func causeCount(of client: Int) -> Int {
        report.causes.count { cause in cause.places.contains { $0.client == client } }
    }

    // MARK: Families

    /// The column of each client; on a narrow screen, a client's column is on a page of its own.
    private var columns: HTML {
        let links = report.clients.joined { "<li>\(HTML.link($0.name, to: SitePath.client($0) + "#families"))</li>" }
        return "<nav class=\"narrow\" aria-label=\"Families by client\"><ul class=\"trail\">\(links)</ul></nav>\n"
    }

    private var matrix: HTML {
        let clients = report.clients.map { HTML.link($0.name, to: SitePath.client($0)) }
        var body: HTML = ""
        for family in report.families {
            let path = SitePath.family(family.name)
            for (place, kind) in [Case.Kind.must, .should].enumerated() {
                body +=
                    place == 0
                    ? """
                    <tr class="first"><th scope="rowgroup" rowspan="2">\(HTML.link(family.name, to: path))<br>\
                    <span class="soft">\(Plural.count(family.scenarios.count, "scenario"))</span></th>
                    """ : "<tr>"
                let figures = report.clients.indices.joined {
                    "<td>\(Self.figure(OutcomeCounts(ofClient: $0, kind, family.cases)))</td>"
                }
                body += "<th scope=\"row\">\(HTML.kind(kind.rawValue))</th>\(figures)</tr>\n"
            }
        }
        return .table(
            caption: "Families and clients: failed cases", classes: "matrix families",
            columns: ["family", "kind"] + clients, body: body)
    }

    // MARK: Causes

    private func causes(_ page: SitePage) -> HTML {
        var html: HTML = "<ol class=\"causes\">"
        for (index, cause) in report.causes.prefix(Self.causeCount).enumerated() {
            let clients = Plural.count(Set(cause.places.map(\.client)).count, "client")
            let count = report.clients.count == 1 ? cause.counts : "\(cause.counts) of \(clients)"
            html += """
                <li>\(HTML.link(cause.cause.sentence, to: "\(SitePath.causes)#cause-\(index)")) <span class="soft">\
                \(count)</span>, such as \
                \(HTML.link(cause.example.description, to: page.way + SitePath.item(cause.example)))</li>
                """
        }
        html += "</ol>\n"
        if report.causes.count > Self.causeCount {
            html += "<p>\(HTML.link("all \(report.causes.count) causes", to: SitePath.causes))</p>\n"
        }
        return html
    }
}
