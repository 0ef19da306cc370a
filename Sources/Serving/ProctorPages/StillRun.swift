internal import ProctorGrading
import ProctorHTML
internal import ProctorJournal
internal import ProctorScenario
import ProctorServer

/// What a run has come to, as its page shows it without JavaScript.
///
/// Of several cases a client plays one, which the address names (`?case=NAME`); until then none of them is judged.
struct StillRun {
    let run: Run
    let journal: Journal.Snapshot
    /// The name of the chosen case; nil: none was named.
    let chosen: String?
    /// Whether outcomes lead to their chapter.
    let hasBook: Bool

    init(of run: Run, case chosen: String?, hasBook: Bool) {
        (self.run, self.hasBook, self.chosen) = (run, hasBook, chosen)
        journal = run.journal.snapshot()
    }

    /// Whether a request has come: before the first one there is nothing to hold against a client.
    var hasBegun: Bool {
        journal.entries.contains { if case .requestHead = $0.event { true } else { false } }
    }

    /// The only case, or the chosen one.
    private var item: Case? {
        let cases = run.scenario.cases
        return cases.count == 1 ? cases[0] : cases.first { $0.name == chosen }
    }

    var html: HTML {
        "<h2>Verdict so far</h2>\(verdicts)<h2>What happened</h2>\(timeline)"
    }

    private var verdicts: HTML {
        guard hasBegun else { return "<p>Nothing is judged before the first request.</p>" }
        let cases = run.scenario.cases
        var html: HTML = ""
        if cases.count > 1 {
            let links = cases.prefix(VerdictChanges.caseLimit).joined { item in
                "\(.link(item.name, to: "\(PageAddress.run(run.id))?case=\(item.name)")) "
            }
            html += "<p>This scenario has \(cases.count) cases. Choose the one that your client plays: \(links)</p>"
        }
        if let item {
            html += view(of: run.wireVerdict(of: item), named: item.name, kind: item.kind)
        } else if cases.isEmpty {
            html += view(of: run.wireVerdictWithoutCase(journal), named: "without a case", kind: nil)
        }
        return html
    }

    private func view(of verdict: WireVerdict, named name: String, kind: Case.Kind?) -> HTML {
        var html: HTML = "<ul><li>\(name)\(kind.map { .kind($0.rawValue) } ?? "") "
        let word = verdict.outcome.word
        html += hasBook ? .link(word, to: PageFrame.address(about: word)) : "\(word)"
        if let sentence = verdict.sentence { html += "<p class=\"sentence\">\(sentence)</p>" }
        let others = verdict.findings.map { $0.plain ?? $0.sentence }.filter { $0 != verdict.sentence }
        return "\(html)\(others.joined { "<p>\($0)</p>" })</li></ul>"
    }

    private var timeline: HTML {
        guard !journal.entries.isEmpty else { return "<p>Nothing has come yet.</p>" }
        let entries = Array(journal.entries.suffix(Self.entryLimit))
        let earlier = journal.entries.count - entries.count
        let shown = (item.map { ShownFields($0) } ?? ShownFields()).withReplies
        let lines = WireTimeline(entries, droppedCount: journal.droppedCount, shown: shown).lines
        let omitted: HTML = earlier > 0 ? "<p class=\"soft\">\(String(earlier)) earlier entries are left out.</p>" : ""
        return "\(omitted)<pre class=\"lines\" tabindex=\"0\">\(lines.joined(separator: "\n"))</pre>"
    }

    private static let entryLimit = 500
}
