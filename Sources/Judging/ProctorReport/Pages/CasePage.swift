internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// The page of one case: its summary, the outcomes of all clients, the events of each client, and the fixture.
struct CasePage {
    let report: Report
    let item: Report.Item
    let fixture: FixtureText?

    /// The ids of the page's own elements, which no client's section may use.
    static let ids: Set<String> = [
        "content", "marks", "curl-line", "clients", "fixture", "pair", "pair-a", "pair-b",
    ]

    var file: SiteFile {
        let family = Report.family(of: item.id.scenario)
        let scenario = item.id.scenario
        let short = scenario.split(separator: "/").last.map(String.init) ?? scenario
        let page = SitePage(
            path: SitePath.item(item.id), title: item.id.description,
            above: [(family, SitePath.family(family)), (short, "\(SitePath.family(family))#scenario-\(short)")],
            scripts: [SitePath.script])
        let first = item.first
        var html: HTML = "<h1>\(item.id.description)\(HTML.kind(first.kind.rawValue))</h1>\n"
        if let summary = item.summary { html += "<p>\(summary)</p>\n" }
        html += .references(first.spec, way: page.way)
        html += "<h2 id=\"marks\">Marks</h2>\n\(marks)"
        html += curl
        let sections = order.joined { index in
            item.records[index].map { record in
                ClientSection(
                    client: report.clients[index], record: record, fixture: fixture,
                    drawsTimeline: drawn.contains(index), way: page.way
                ).html
            } ?? ""
        }
        html += """
            <div id="clients">
            \(sections)</div>
            <h2 id="fixture">Fixture</h2>
            \(FixtureListing(fixture: fixture, item: item).html)
            """
        return page.file(html)
    }

    /// The clients: first those that failed, then those with failures in their ledgers, then the others, last those
    /// without the case.
    private var order: [Int] {
        func place(_ record: CaseRecord?) -> Int {
            guard let record else { return 3 }
            return record.isFailure ? 0 : record.outcome == "known" ? 1 : 2
        }
        return item.records.indices.sorted { (place(item.records[$0]), $0) < (place(item.records[$1]), $1) }
    }

    private var marks: HTML {
        let body = order.joined { index in
            let (client, record) = (report.clients[index], item.records[index])
            let name: HTML = record == nil ? "\(client.name)" : .link(client.name, to: "#\(client.slug)")
            return """
                <tr><th scope="row">\(name)</th><td>\(HTML.mark(.named(record?.outcome), showsWord: true))</td>\
                <td>\(record?.reason ?? "")</td></tr>

                """
        }
        return .table(
            caption: "Marks of all clients", classes: "marks", columns: ["client", "outcome", "reason"], body: body)
    }

    private var curl: HTML {
        guard let record = item.records.lazy.compactMap({ $0 }).first(where: { $0.curl != nil }), let line = record.curl
        else { return "" }
        let shortfall: HTML = record.curlShortfall.map { "<p class=\"soft\">Not quite: \($0).</p>" } ?? ""
        return """
            <h2 id="curl-line">The same with curl</h2>
            <pre class="copy" tabindex="0">\(line)</pre>\(shortfall)

            """
    }

    /// The clients whose timelines are drawn: every one that failed, and otherwise the first of each outcome.
    private var drawn: Set<Int> {
        var seen: Set<String> = []
        var drawn: Set<Int> = []
        for (index, record) in item.records.enumerated() {
            guard let record, !record.timeline.isEmpty else { continue }
            let isFirst = seen.insert(record.outcome).inserted
            if isFirst || record.cause != nil || record.isFailure { drawn.insert(index) }
        }
        return drawn
    }
}

/// The section about one client's run of the case.
private struct ClientSection {
    let client: Report.Client
    let record: CaseRecord
    let fixture: FixtureText?
    let drawsTimeline: Bool
    let way: String

    /// The section of a client that did not fail is folded; a link to it opens the fold.
    var html: HTML {
        let look = OutcomeLook.named(record.outcome)
        let head: HTML = """
            <h2 id="\(client.slug)--name">\(client.name) \(HTML.mark(look, showsWord: true))</h2>
            """
        let section: HTML = """
            <section class="client" id="\(client.slug)" data-client="\(client.name)" aria-labelledby="\(client.slug)--name">
            """
        return record.isFailure || record.outcome == "known"
            ? "\(section)\(head)\n\(content)</section>\n"
            : "<details class=\"client\"><summary>\(head)</summary>\(section)\n\(content)</section></details>\n"
    }

    private var content: HTML {
        var html: HTML = ""
        if !record.reason.isEmpty { html += "<p class=\"reason\">\(record.reason)</p>\n" }
        html += facts
        html += record.findings.joined(finding)
        html += record.notJudged.joined { "<p class=\"soft\">Not judged: \($0)</p>" }
        html += claims + ownWords
        if drawsTimeline {
            html += "<h3>Timeline</h3>\n\(HTML.timeline(record.timeline, of: client.name, prefix: "\(client.slug)-"))"
        }
        return html
    }

    private var facts: HTML {
        var pairs: [(String, String)] = []
        if let ability = record.ability { pairs.append(("lacks", ability)) }
        if let cause = record.cause {
            pairs.append(("cause", FailureCause(key: cause).sentence))
            pairs.append(("key of the cause", cause))
        }
        // The reason of a known failure is the ledger's, so it is not repeated.
        if let reason = record.ledgerReason, reason != record.reason { pairs.append(("ledger", reason)) }
        for note in record.ledgerNotes where note != record.ledgerReason { pairs.append(("ledger", note)) }
        if record.ending.how != "finished" {
            let words: [String?] = [
                record.ending.how, record.ending.code.map { "code \($0)" }, record.ending.signal,
                record.ending.milliseconds.map { "after \($0) ms" }, record.ending.reason,
            ]
            pairs.append(("ended", words.compactMap(\.self).joined(separator: ", ")))
        }
        if let milliseconds = record.milliseconds { pairs.append(("took", "\(milliseconds) ms")) }
        guard !pairs.isEmpty else { return "" }
        return "<dl>\(pairs.joined { HTML.pair($0, $1) })</dl>\n" + (record.upstream.map { HTML.upstream($0) } ?? "")
    }

    // MARK: Findings

    private func finding(_ finding: FindingRecord) -> HTML {
        let isFailure = finding.weight == "failure"
        let word = finding.known != nil ? "known" : isFailure ? "failure" : "observation"
        var html: HTML = """
            <div class="finding \(word)"><p><span class="weight">\(word)</span> \(finding.plain ?? finding.sentence)</p>
            """
        if let known = finding.known, known != record.ledgerReason { html += "<dl>\(HTML.pair("because", known))</dl>" }
        // Notation is folded after a sentence in plain words.
        html +=
            finding.plain == nil
            ? notation(finding)
            : "<details><summary>in notation</summary><p>\(finding.sentence)</p>\(notation(finding))</details>"
        html += .references(finding.spec, way: way)
        if let line = finding.line {
            let text = "line \(line) of the fixture"
            html += "<p class=\"soft\">asked by \(fixture == nil ? "\(text)" : HTML.link(text, to: "#L\(line)"))</p>"
        }
        if !finding.head.isEmpty {
            html += """
                <details><summary>the request\(finding.request.map { " (number \($0 &+ 1))" } ?? "")</summary>\
                <pre tabindex="0">\(finding.head.joined(separator: "\n"))</pre></details>
                """
        }
        return "\(html)</div>\n"
    }

    /// The wanted and the actual value, and the details.
    private func notation(_ finding: FindingRecord) -> HTML {
        var pairs: HTML = ""
        if let wanted = finding.wanted { pairs += .pair("wanted", wanted) }
        if let got = finding.got { pairs += .pair("got", got) }
        var html: HTML = pairs.bytes.isEmpty ? "" : "<dl>\(pairs)</dl>"
        if !finding.details.isEmpty { html += "<pre tabindex=\"0\">\(finding.details.joined(separator: "\n"))</pre>" }
        return html
    }

    private var claims: HTML {
        let open = record.claims.filter { $0.state == "not-judged" }
        guard !open.isEmpty, record.notJudged.isEmpty else { return "" }
        let lines = open.joined { "<li>not judged: \($0.claim)\($0.reason.map { ": \($0)" } ?? "")</li>" }
        return "<ul class=\"soft\">\(lines)</ul>\n"
    }

    // MARK: The client's own words

    private var ownWords: HTML {
        var html: HTML = ""
        if let error = record.clientError {
            html += "<h3>The client's error</h3>\n<pre tabindex=\"0\">\(error)</pre>\n"
        }
        if !record.errorLines.isEmpty {
            html += """
                <h3>Standard error</h3>
                <pre tabindex="0">\(record.errorLines.joined(separator: "\n"))</pre>

                """
        }
        return html
    }
}

extension FindingRecord {
    /// The line in the finding's location, `file:line:column`.
    var line: Int? {
        let words = (location ?? "").split(separator: ":")
        return words.count >= 3 ? Int(words[words.count - 2]) : nil
    }
}

extension HTML {
    static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }

    /// Sections as links to their documents, and rules as links to the page of rules.
    static func references(_ references: [SpecReference], way: String) -> HTML {
        guard !references.isEmpty else { return "" }
        var html: HTML = "<p class=\"soft spec\">"
        for (index, reference) in references.enumerated() {
            if index > 0 { html += " · " }
            let rule = reference.section.split(separator: " ").last.map(String.init) ?? ""
            if let link = reference.link {
                html += .link(reference.section, to: link)
            } else if reference.section.hasPrefix("callback rule ") {
                html += .link(reference.section, to: "\(way)\(SitePath.rules)#\(rule)")
            } else {
                html += "\(reference.section)"
            }
        }
        return "\(html)</p>\n"
    }
}
