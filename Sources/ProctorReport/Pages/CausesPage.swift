internal import ProctorBase
import ProctorGrading
import ProctorHTML

/// Every cause with the clients and cases that fail by it.
struct CausesPage {
    let report: Report

    var file: SiteFile {
        let page = SitePage(path: SitePath.causes, title: "What failures share")
        var html: HTML = "<h1>What failures share</h1>\n"
        if report.causes.isEmpty { html += "<p>No case failed.</p>" }
        for (index, cause) in report.causes.enumerated() {
            let clients = cause.places.grouped(by: \.client)
            let counts = "\(Plural.count(cause.places.count, "failure")) of \(Plural.count(clients.count, "client"))"
            // A link to what stands inside opens the fold around it.
            html += """
                <details class="cause"><summary>\(CauseWords.sentence(cause.text)) <span class="soft">\(counts)</span></summary>\
                <dl class="by-client" id="cause-\(index)">
                """
            for (client, places) in clients {
                let client = report.clients[client]
                html += "<dt>\(HTML.link(client.name, to: SitePath.client(client)))</dt><dd>"
                html += .links(places.map(\.case), at: "#\(client.slug)", way: page.way)
                html += "</dd>"
            }
            html += "</dl></details>\n"
        }
        return page.file(html)
    }
}

extension HTML {
    /// The pages of cases, parted by blanks.
    static func links(_ ids: [CaseID], at anchor: String, way: String) -> HTML {
        ids.reduce(into: "") { html, id in
            html += "\(HTML.link(id.description, to: way + SitePath.item(id) + anchor)) "
        }
    }
}
