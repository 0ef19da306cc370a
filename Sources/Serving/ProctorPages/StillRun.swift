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

    /// Reads the journal once.
    var view: View {
        let verdict = verdict
        return View(
            heading: heading(verdict), told: told(verdict), title: "\(verdict?.outcome.word ?? "waiting") · \(name)",
            requests: "\(RequestFolds(journal.entries, verdict: verdict).html)\(timeline)")
    }

    /// nil before the first request, and where none of several cases is chosen.
    private var verdict: WireVerdict? {
        guard hasBegun else { return nil }
        if let item { return run.wireVerdict(of: item) }
        return run.scenario.cases.isEmpty ? run.wireVerdictWithoutCase(journal) : nil
    }

    /// The parts of the page that change as requests come.
    struct View {
        /// The scenario and the verdict.
        let heading: HTML
        /// What the verdict says.
        let told: HTML
        let title: String
        let requests: HTML
    }

    private var name: String { run.scenario.id + (item.map { "#\($0.name)" } ?? "") }

    private func heading(_ verdict: WireVerdict?) -> HTML {
        let look = verdict?.outcome.look ?? (tone: "none", text: hasBegun ? "– no case is chosen" : "– waiting")
        let mark: HTML = "<span class=\"mark \(look.tone)\">\(look.text)</span>"
        let played: HTML = item.map { "#\($0.name)\(HTML.kind($0.kind.rawValue))" } ?? ""
        return "\(.link(run.scenario.id, to: "/\(run.scenario.id)"))\(played) \(mark)"
    }

    private func told(_ verdict: WireVerdict?) -> HTML {
        var html: HTML = ""
        if let sentence = verdict?.sentence { html += "<p class=\"sentence\">\(sentence)</p>" }
        if let word = verdict?.outcome.word, hasBook {
            html += "<p>\(.link("What \(word) means", to: PageFrame.address(about: word)))</p>"
        }
        let cases = run.scenario.cases
        if cases.count > 1 {
            let links = cases.prefix(VerdictChanges.caseLimit).joined { item in
                "\(.link(item.name, to: "\(PageAddress.run(run.id))?case=\(item.name)")) "
            }
            html += "<p>This scenario has \(cases.count) cases. Choose the one that your client plays: \(links)</p>"
        }
        let others = (verdict?.findings ?? []).map { $0.plain ?? $0.sentence }.filter { $0 != verdict?.sentence }
        guard !others.isEmpty else { return html }
        let items = others.prefix(Self.findingLimit).joined { "<li>\($0)</li>" }
        return "\(html)<details><summary>\(others.count) more of the verdict</summary><ul>\(items)</ul></details>"
    }

    private var timeline: HTML {
        guard !journal.entries.isEmpty else { return "" }
        let entries = Array(journal.entries.suffix(Self.entryLimit))
        let earlier = journal.entries.count - entries.count
        var shown = (item.map { ShownFields($0) } ?? ShownFields()).withReplies
        if run.isOnSharedPort { shown = shown.ofSharedPort }
        let lines = WireTimeline(entries, droppedCount: journal.droppedCount, shown: shown).lines
        let omitted: HTML = earlier > 0 ? "<p class=\"soft\">\(earlier) earlier entries are left out.</p>" : ""
        let isOpen: HTML = entries.count <= Self.openEntryLimit ? " open" : ""
        return """
            <details\(isOpen)><summary><h2>Timeline</h2></summary>\(omitted)\
            <pre class="lines" tabindex="0">\(lines.joined(separator: "\n"))</pre></details>
            """
    }

    /// Entries of a timeline that is open from the start.
    private static let openEntryLimit = 40
    private static let entryLimit = 500
    private static let findingLimit = 100
}

extension WireVerdict.Outcome {
    /// A class of colours in the style sheet, and a sign with the word; the scripts of the pages have the same (`dom.js`).
    fileprivate var look: (tone: String, text: String) {
        switch self {
        case .pass: ("good", "✓ pass")
        case .fail: ("bad", "✗ fail")
        case .partly: ("half", "◐ partly")
        case .observed: ("listed", "○ observed")
        case .notJudged: ("none", "– not-judged")
        case .setupFailed: ("broken", "! setup-failed")
        }
    }
}
