internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The page of a folder of scenarios: a table of its folders, and each scenario of its own with what every client did.
struct MatrixFamilyPage {
    let board: Board
    let folder: String

    var file: SiteFile {
        let segments = folder.split(separator: "/")
        let parents = (1..<max(1, segments.count)).map { segments.prefix($0).joined(separator: "/") }
        let page = SitePage.ofMatrix(
            path: MatrixPath.family(folder, of: board), title: "\(folder) · \(board.name)",
            above: parents.map { ($0, MatrixPath.family($0, of: board)) })
        let items = board.items(in: folder)
        var html: HTML = "<h1>\(folder) <small>\(board.name)</small></h1>\n"
        if let sentence = FamilySummary.sentence(of: folder) { html += "<p class=\"lead\">\(sentence)</p>" }
        html += "<div class=\"choices\">\(MatrixTable.kinds)\(clients)</div>"
        if !board.children(of: folder).isEmpty { html += MatrixTable(board: board, folder: folder, way: page.way).html }
        let own = board.report.families.first { $0.name == folder }
        html += "<p class=\"soft\">\(Plural.count(items.count, "case")).</p>"
        html += own.map { $0.scenarios.joined { scenario($0, page.way) } } ?? ""
        return page.file(html)
    }

    /// What the script makes a choice of: the scenarios that a client failed.
    private var clients: HTML {
        let options = board.order.joined { client in
            let one = board.report.clients[client]
            return "<option value=\"\(one.slug)\">\(one.name)</option>"
        }
        return """
            <label class="choice" id="of-client" hidden>failed by <select><option value="">anybody, or nobody</option>\(options)\
            </select></label>
            """
    }

    private func scenario(_ scenario: Report.Scenario, _ way: String) -> HTML {
        let records = scenario.cases.flatMap { $0.records.compactMap(\.self) }
        let failing = board.report.clients.indices.filter { client in
            scenario.cases.contains { $0.records[client].map(ClientDeed.hasFailed) ?? false }
        }
        let short = scenario.id.split(separator: "/").last.map(String.init) ?? scenario.id
        let summary = scenario.cases.lazy.compactMap(\.summary).first ?? ""
        let kinds = scenario.cases.map(\.first.kind).unique.map { "of-\($0.rawValue)" }.joined(separator: " ")
        return """
            <details class="scenario \(kinds)" data-failed="\
            \(failing.map { board.report.clients[$0].slug }.joined(separator: " "))"><summary>\
            <span class="share">\(MatrixTable.figures(records))</span> <span class="id">\(short)</span> \
            <span class="soft">\(summary)</span></summary>\
            <div id="\(MatrixPath.anchor(of: scenario.id))">\(scenario.cases.joined { part(about: $0, way) })</div></details>

            """
    }

    private func part(about item: Report.Item, _ way: String) -> HTML {
        let first = item.first
        let deeds = ClientDeed.all(of: item, in: board)
        let told = deeds.filter(\.isVerdict).joined(\.html)
        let others = deeds.filter { !$0.isVerdict }
        let count = others.reduce(0) { $0 + $1.clients.count }
        let unasked: HTML =
            count == 0
            ? ""
            : """
            <details><summary class="soft">\(Plural.count(count, "client")) not asked</summary>\
            <ul class="deeds">\(others.joined(\.html))</ul></details>
            """
        let untold = item.records.count { $0.map(ClientDeed.isUntold) ?? false }
        let note: HTML =
            untold == 0
            ? ""
            : "<li class=\"soft\">\(Plural.count(untold, "client")) did not end regularly, which their authors are told.</li>"
        let example = deeds.first.flatMap { $0.firstClient } ?? board.order.first
        let client = example.map { board.report.clients[$0].name } ?? "NAME"
        let shortfall: HTML = first.curlShortfall.map { "<p class=\"soft\">Not quite: \($0).</p>" } ?? ""
        let curl: HTML = first.curl.map { "\n\($0)" } ?? ""
        return """
            <div class="case of-\(first.kind.rawValue)"><h2>\(item.id.name)\(HTML.kind(first.kind.rawValue))</h2>\
            \(HTML.sections(first.spec))<ul class="deeds">\(told)\(note)</ul>\(unasked)\
            <pre tabindex="0">proctor exam '\(item.id.description)' --client \(client) --verbose\(curl)</pre>\(shortfall)</div>
            """
    }
}

/// What some clients did alike in one case.
struct ClientDeed {
    let look: OutcomeLook
    let clients: [String]
    let firstClient: Int?
    /// What was wrong, or what they lack; empty where there is nothing to say.
    let reason: String

    /// Whether the client did what the case asks, or failed to.
    var isVerdict: Bool { ["fail", "partly", "not-judged", "pass", "observed"].contains(look.word) }

    /// A line of a list.
    var html: HTML {
        let why: HTML = reason.isEmpty ? "" : "<span class=\"soft\">: \(reason)</span>"
        return "<li>\(HTML.mark(look, showsWord: true)) \(clients.joined(separator: ", "))\(why)</li>"
    }

    /// Different reasons of one case that are told.
    private static let limit = 40

    static func hasFailed(_ record: CaseRecord) -> Bool { record.isFailure || record.outcome == "known" }

    /// Whether the case itself would tell how to end a client.
    static func isUntold(_ record: CaseRecord) -> Bool { ["crash", "hang"].contains(record.outcome) }

    /// Failures first, by how many share them.
    static func all(of item: Report.Item, in board: Board) -> [ClientDeed] {
        var asked: [(client: Int, record: CaseRecord)] = []
        for client in board.order {
            if let record = item.records[client], !isUntold(record) { asked.append((client, record)) }
        }
        let groups = asked.grouped { one in
            let word = hasFailed(one.record) ? "fail" : one.record.outcome
            return "\(word)\n\(word == "pass" ? "" : one.record.ability ?? one.record.reason)"
        }
        let deeds = groups.map { key, members in
            let parts = key.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return ClientDeed(
                look: .named(String(parts[0])), clients: members.map { board.report.clients[$0.client].name },
                firstClient: members.first?.client, reason: String(parts[1]))
        }
        func place(_ deed: ClientDeed) -> Int {
            ["fail": 0, "partly": 1, "not-judged": 1, "pass": 2, "observed": 2][deed.look.word] ?? 3
        }
        let sorted = deeds.enumerated().sorted { left, right in
            (place(left.element), -left.element.clients.count, left.offset)
                < (place(right.element), -right.element.clients.count, right.offset)
        }
        return sorted.prefix(limit).map(\.element)
    }
}

extension HTML {
    /// Sections as links to their documents.
    static func sections(_ references: [SpecReference]) -> HTML {
        let parts = references.map { reference -> HTML in
            reference.link.map { .link(reference.section, to: $0) } ?? "\(reference.section)"
        }
        guard let first = parts.first else { return "" }
        return "<p class=\"soft spec\">\(first)\(parts.dropFirst().joined { " · \($0)" })</p>"
    }
}
