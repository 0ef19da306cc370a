internal import ProctorBase
import ProctorGrading
import ProctorHTML

/// The page of causes, each with the clients and cases that failed for it.
struct CausesPage {
    let report: Report

    var file: SiteFile {
        let page = SitePage(path: SitePath.causes, title: "What failures share")
        var html: HTML = "<h1>What failures share</h1>\n"
        if report.causes.isEmpty { html += "<p>No case failed.</p>" }
        let shownCount = min(Self.shownCount, report.causes.count)
        html += (0..<shownCount).joined { fold($0, page) }
        if shownCount < report.causes.count {
            let rest = Plural.count(report.causes.count - shownCount, "more cause")
            let most = Plural.count(report.causes[shownCount].places.count, "failure")
            let folds = (shownCount..<report.causes.count).joined { fold($0, page) }
            html += """
                <details class="cause"><summary>\(rest) of \(most) or fewer each</summary>
                \(folds)</details>

                """
        }
        return page.file(html + unreported)
    }

    /// The causes that ledgers call unreported, by client.
    private var unreported: HTML {
        var html: HTML = ""
        for (number, client) in report.clients.enumerated() {
            for (index, cause) in report.causes.enumerated() {
                guard let upstream = cause.upstream(of: number), upstream.state == .unreported else { continue }
                html += """
                    <li>\(HTML.link(client.name, to: SitePath.client(client))): \
                    \(HTML.link(cause.cause.sentence, to: "#cause-\(index)")): \(upstream.says)</li>
                    """
            }
        }
        guard !html.bytes.isEmpty else { return "" }
        return "<h2 id=\"unreported\">Known, without an upstream report</h2>\n<ul>\(html)</ul>\n"
    }

    /// The number of causes with most failures that are shown; the others are folded together.
    private static let shownCount = 25

    /// A fold for causes; a link to an element inside opens the fold.
    private func fold(_ index: Int, _ page: SitePage) -> HTML {
        let cause = report.causes[index]
        let clients = cause.places.grouped(by: \.client)
        let counts = "\(cause.counts) of \(Plural.count(clients.count, "client"))"
        let byClient = clients.joined { number, places in
            let client = report.clients[number]
            return """
                <dt>\(HTML.link(client.name, to: SitePath.client(client)))</dt>\
                <dd>\(HTML.links(places.map(\.case), at: "#\(client.slug)", way: page.way))\
                \(cause.upstream(of: number).map { HTML.upstream($0) } ?? "")</dd>
                """
        }
        return """
            <details class="cause"><summary>\(cause.cause.sentence) <span class="soft">\(counts)</span></summary>\
            <p class="soft"><code>\(cause.cause.key)</code>, such as \
            \(HTML.link(cause.example.description, to: page.way + SitePath.item(cause.example)))</p>\
            <dl class="by-client" id="cause-\(index)">\(byClient)</dl></details>

            """
    }
}

extension HTML {
    /// The report about a cause to a client's project.
    static func upstream(_ report: UpstreamReport) -> HTML {
        let words: HTML = report.issue.map { .link(report.state.words, to: $0) } ?? "\(report.state.words)"
        return "<p class=\"soft\">\(words) (\(report.date)): \(report.says)</p>"
    }

    /// Links to the pages of cases, separated by spaces.
    static func links(_ ids: [CaseID], at anchor: String, way: String) -> HTML {
        ids.joined { "\(HTML.link($0.description, to: way + SitePath.item($0) + anchor)) " }
    }
}
