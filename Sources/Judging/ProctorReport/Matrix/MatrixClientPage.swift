internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The page of one client of a board: what it failed, by family and cause.
struct MatrixClientPage {
    let board: Board
    let client: Int

    var file: SiteFile {
        let header = board.report.clients[client].header
        let page = SitePage.ofMatrix(
            path: MatrixPath.client(client, of: board), title: "\(header.client) · \(board.name)")
        let records = board.report.items.compactMap { $0.records[client] }
        let facts: [(String, String?)] = [
            ("client", [header.clientName, header.clientVersion].compactMap(\.self).joined(separator: " ")),
            ("command", header.command), ("system", header.system), ("date", header.date.map { String($0.prefix(10)) }),
        ]
        let pairs = facts.joined { name, value in value.map { $0.isEmpty ? "" : .pair(name, $0) } ?? "" }
        let untold = records.count(where: ClientDeed.isUntold)
        let note: HTML =
            untold == 0
            ? ""
            : "<p>In \(Plural.count(untold, "case")) it did not end regularly: that is counted, and told to its authors.</p>"
        let families = board.children(of: "").joined { family($0, page.way) }
        return page.file(
            """
            <h1>\(header.client) <small>\(board.name)</small> <span class="share">\(MatrixTable.figures(records))</span></h1>
            <div class="choices">\(MatrixTable.kinds)</div>
            \(MatrixTable.legend)\(note)\(families)<h2>About the exam</h2>
            <dl>\(pairs)</dl>
            """)
    }

    private func family(_ name: String, _ way: String) -> HTML {
        let records = board.items(in: name).compactMap { $0.records[client] }
        guard Share(records).percent != nil else { return "" }
        let failed = records.filter { ClientDeed.hasFailed($0) && !ClientDeed.isUntold($0) }
        let causes = failed.grouped { $0.cause ?? "" }.sorted { $1.elements.count < $0.elements.count }
        let folds = causes.joined { key, members in
            let kinds = members.map(\.kind).unique.map { "of-\($0.rawValue)" }.joined(separator: " ")
            let sentence = key.isEmpty ? "other failures" : FailureCause(key: key).sentence
            return """
                <details class="cause \(kinds)"><summary>\(sentence) <span class="soft">\(Plural.count(members.count, "case"))\
                </span></summary><ul>\(members.joined { line($0, way) })</ul></details>

                """
        }
        let none: HTML = failed.isEmpty ? "<p class=\"soft\">No case failed.</p>" : ""
        return """
            <h2 id="\(PathSegments.path(name))"><a href="\(way)\(MatrixPath.family(name, of: board))">\(name)</a> \
            <span class="share">\(MatrixTable.figures(records))</span></h2>
            \(folds)\(none)
            """
    }

    private func line(_ record: CaseRecord, _ way: String) -> HTML {
        let family = MatrixPath.family(Report.family(of: record.id.scenario), of: board)
        let place = "\(way)\(family)#\(MatrixPath.anchor(of: record.id.scenario))"
        return """
            <li class="of-\(record.kind.rawValue)">\(HTML.link(record.id.description, to: place))\
            \(HTML.kind(record.kind.rawValue))<p class="soft">\(record.reason)</p></li>
            """
    }
}
