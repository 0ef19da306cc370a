extension ExamReport {
    /// A table with a line for every case that is not as it should be, and the counts below it.
    ///
    /// `isComplete` gives a line to every other case, too.
    public func summary(isComplete: Bool = false, width: Int = 120) -> String {
        let version = clientVersion.map { " \($0)" } ?? ""
        var lines = ["\(EventText.printable(client + version)) on \(EventText.printable(platform))"]
        let shown = verdicts.filter { isComplete || $0.outcome.isFailure }
        let wordWidth = shown.map(\.outcome.word.count).max() ?? 0
        let ids = shown.map { EventText.printable($0.id.description) }
        let idWidth = min(60, ids.map(\.count).max() ?? 0)
        for (verdict, id) in zip(shown, ids) {
            let head = "  \(Self.right(verdict.outcome.word, wordWidth))  \(Self.right(id, idWidth))"
            let reason = EventText.printable(verdict.reason, limit: 1_000)
            lines.append(Self.cut(Self.trimmed("\(head)  \(reason)"), to: max(40, width)))
        }
        for sentence in neverTold { lines.append("  known   \(EventText.printable(sentence, limit: 1_000))") }
        for sentence in ledgerMismatches {
            let text = EventText.printable(sentence, limit: 1_000)
            lines.append("  ledger  \(text): its entries may speak of something else")
        }
        for fault in ledgerFaults { lines.append("  ledger  \(EventText.printable(fault, limit: 1_000))") }
        if !askedAgain.isEmpty {
            let ids = askedAgain.map { EventText.printable($0.description) }
            lines.append("  asked more than once, since the first sitting failed: \(ids.joined(separator: ", "))")
        }
        lines.append(tally)
        return lines.joined(separator: "\n")
    }

    /// `120 cases: 100 pass, 2 fail, 18 known`.
    public var tally: String {
        let counts = counts
        let parts = CaseVerdict.Outcome.words.compactMap { word in counts[word].map { "\($0) \(word)" } }
        let total = WireText.count(verdicts.count, "case")
        let left = notAskedCount.map { "; \(WireText.count($0, "other")) not asked" } ?? ""
        return (parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))") + left
    }

    private static func right(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(width - 1) + "…" : text
    }
}
