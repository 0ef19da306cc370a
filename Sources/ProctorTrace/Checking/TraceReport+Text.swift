import ProctorBase

extension TraceReport: CustomStringConvertible {
    /// The ``text``.
    public var description: String { text }

    /// For a person: hits by rule with their counts, refusals of grammars, loads that did not end.
    public var text: String {
        var lines = [headline]
        if let bound { lines.append("not judged: \(bound)") }
        lines += notJudged.map { "not judged: \($0)" }
        lines += ruleLines
        for refusal in grammars.prefix(Self.mostShown) { lines += refusal.lines }
        if grammarCount > Self.mostShown {
            lines.append("… and \(grammarCount - min(grammarCount, Self.mostShown)) more lanes that a grammar refuses")
        }
        lines += lanes.filter { !$0.hasEnded || !$0.openQuestions.isEmpty }.prefix(Self.mostShown).map(\.sentence)
        return lines.joined(separator: "\n")
    }

    /// Of each kind; the rest is counted.
    private static let mostShown = 20

    private var headline: String {
        let loads = lanes.count + forgottenLoadCount
        let parts = [
            Self.counted(eventCount, "event"), Self.counted(loads, "load"), Self.counted(hitCount, "rule hit"),
            Self.counted(grammarCount, "lane") + " refused by a grammar",
        ]
        return parts.joined(separator: ", ")
    }

    /// Hits of one rule and weight stand together, failures first, each group with its count.
    private var ruleLines: [String] {
        var groups: [RuleNumber: [RuleHit]] = [:]
        for hit in hits { groups[hit.rule, default: []].append(hit) }
        let order = groups.keys.sorted { left, right in
            let (one, two) = (groups[left]?.first?.weight.rank ?? 0, groups[right]?.first?.weight.rank ?? 0)
            return (one, left) < (two, right)
        }
        var lines: [String] = []
        for number in order {
            let hits = groups[number] ?? []
            let title = Rules.rule(number).map { " \($0.title)" } ?? ""
            lines.append("\(number)\(title) (\(hits.first?.weight.words ?? ""), \(Self.counted(hits.count, "time")))")
            lines += hits.prefix(Self.mostShown).map { "  \($0.line)" }
            if hits.count > Self.mostShown { lines.append("  … and \(hits.count - Self.mostShown) more") }
        }
        if hitCount > hits.count {
            lines.append("… and \(hitCount - hits.count) more rule hits that were only counted")
        }
        return lines
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension RuleHit {
    /// `R12  task[1]  event 7  response(401): sentence`.
    public var line: String {
        var parts = [rule.description, lane.description]
        parts.append(sequence.map { "event \($0)" } ?? "at the end")
        if let event { parts.append(PrintableText.of(event.description)) }
        return parts.joined(separator: "  ") + ": " + PrintableText.of(sentence)
    }
}

extension RuleWeight {
    /// For a person.
    var words: String {
        switch self {
        case .failure: "failure"
        case .observation: "observation"
        case .harnessFault: "fault of the test"
        }
    }

    /// Failures first.
    fileprivate var rank: Int {
        switch self {
        case .failure: 0
        case .harnessFault: 1
        case .observation: 2
        }
    }
}

extension GrammarRefusal {
    /// The lane, the diagnosis with its carets, and what explains it.
    public var lines: [String] {
        let place = sequence.map { "event \($0)" } ?? "the end of the trace"
        return ["\(lane)  \(place)  is refused by the grammar of \(family.rawValue)"]
            + diagnosis.lines(rules: [explanation])
    }

    /// Which rules say the same, or that none does.
    public var explanation: String {
        guard !explainedBy.isEmpty else { return "none broke here, so this is a gap in the rules" }
        return explainedBy.map { number in
            Rules.rule(number).map { "\(number) \($0.title)" } ?? "\(number)"
        }.joined(separator: ", ")
    }
}

extension LaneSummary {
    /// `task[1]  US  7 events, last data (event 12), did not end; redirect(302) (event 9) was never answered`.
    public var sentence: String {
        var text = "\(lane)  \(family.rawValue)  \(TraceReport.counted(eventCount, "event"))"
        if let lastEvent { text += ", last \(lastEvent.placed)" }
        text += hasEnded ? ", ended" : ", did not end"
        for question in openQuestions { text += "; \(question.placed) was never answered" }
        return text
    }
}

extension TraceEvent {
    /// `redirect(302) (event 9)`.
    var placed: String { "\(PrintableText.of(symbol.description)) (event \(sequence))" }
}
