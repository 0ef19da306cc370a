import ProctorBase
public import ProctorEvents
public import ProctorNotation

/// The findings of the rules and grammars in a trace.
public struct TraceReport: Sendable {
    /// The number of events of all lanes, returns included.
    package let eventCount: Int
    /// The hits in the order in which they were found, without consequences of other hits; at most 1,000 observations
    /// and 1,000 others.
    public internal(set) var hits: [RuleHit]
    /// The number of all hits, kept or not.
    public internal(set) var hitCount: Int
    /// Lanes that their family's grammar refuses; at most 1,000.
    public internal(set) var grammars: [GrammarRefusal]
    /// The number of all refused lanes.
    package let grammarCount: Int
    /// The loads that were remembered at the end, in the order of their first event.
    package let lanes: [LaneSummary]
    /// The number of loads that ended so early that only their findings are kept.
    package let forgottenLoadCount: Int
    /// Rules that could not be judged, with the reason; a sentence each.
    public let notJudged: [String]
    /// Why a part of the trace was not judged; nil when all of it was.
    package let bound: TraceBound?
}

/// A lane that the grammar of its family refuses.
public struct GrammarRefusal: Sendable {
    /// The refused lane.
    public let lane: LaneID
    /// The family whose grammar refuses the lane.
    public let family: CallbackFamily
    /// The place of the refusal, and the events that were wanted there.
    public let diagnosis: NotationDiagnosis
    /// The sequence of the refused event; nil when an event is missing at the end.
    public let sequence: Int?
    /// The rules that broke at or next to that event and so explain the refusal; empty means a gap in the rules.
    public internal(set) var explainedBy: [RuleNumber]
}

/// The course of one load in a trace.
package struct LaneSummary: Sendable {
    /// The lane of its task or its object.
    public let lane: LaneID
    /// The family that its events state, or the default family.
    public let family: CallbackFamily
    /// Callbacks of the lane; exits and other lanes are not counted.
    package let eventCount: Int
    /// The event that ended the lane; nil where none did.
    package let terminal: TraceEvent?
    /// Whether no more events were due: a terminal event, a called handler, a released object, or a cancelled legacy
    /// load.
    package let hasEnded: Bool
    /// Questions without an answer, oldest first; empty when the trace has no answers at all.
    package let openQuestions: [TraceEvent]
    /// The last callback of the lane.
    package let lastEvent: TraceEvent?

    init(_ load: LoadCheck) {
        let state = load.state
        lane = state.lane
        family = state.family
        eventCount = state.eventCount
        terminal = state.terminal?.event
        hasEnded = load.isOver
        openQuestions = state.seesAnswers ? state.openQuestions : []
        lastEvent = state.previous
    }
}

/// A bound that a trace exceeded, so that a part of it was not judged.
package struct TraceBound: Sendable, Equatable, CustomStringConvertible {
    /// The number of loads that may be open at once.
    package let mostOpenLoads: Int
    /// The lane of the first load beyond the bound.
    public let lane: LaneID
    /// The sequence of that load's first event.
    public let sequence: Int

    /// One sentence that names the bound and the part that was not judged.
    public var description: String {
        """
        more than \(mostOpenLoads) loads were open at once at event \(sequence); \(lane) and other new loads were not \
        judged until others had ended
        """
    }
}

extension TraceReport: CustomStringConvertible {
    /// The report for a person, as in ``text``.
    public var description: String { text }

    /// The report for a person: hits by rule with their counts, grammar refusals, and loads that did not end.
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

    /// Items of each kind that the text shows; further ones are only counted.
    private static let mostShown = 20

    private var headline: String {
        let loads = lanes.count + forgottenLoadCount
        let parts = [
            Plural.count(eventCount, "event"), Plural.count(loads, "load"), Plural.count(hitCount, "rule hit"),
            Plural.count(grammarCount, "lane") + " refused by a grammar",
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
            lines.append("\(number.titled) (\(hits.first?.weight.words ?? ""), \(Plural.count(hits.count, "time")))")
            lines += hits.prefix(Self.mostShown).map { "  \($0.line)" }
            if hits.count > Self.mostShown { lines.append("  … and \(hits.count - Self.mostShown) more") }
        }
        if hitCount > hits.count {
            lines.append("… and \(hitCount - hits.count) more rule hits that were only counted")
        }
        return lines
    }
}

extension RuleHit {
    /// `R12  task[1]  event 7  response(401): sentence`.
    public var line: String {
        var parts = [rule.description, lane.description]
        parts.append(sequence.map { "event \($0)" } ?? "at the end")
        if let event { parts.append(PrintableText.sanitize(event.description)) }
        return parts.joined(separator: "  ") + ": " + PrintableText.sanitize(sentence)
    }
}

extension RuleWeight {
    var words: String {
        switch self {
        case .failure: "failure"
        case .observation: "observation"
        case .harnessFault: "fault of the test"
        }
    }

    fileprivate var rank: Int {
        switch self {
        case .failure: 0
        case .harnessFault: 1
        case .observation: 2
        }
    }
}

extension GrammarRefusal {
    /// The lane, the diagnosis with its carets, and the rules that explain it.
    public var lines: [String] {
        let place = sequence.map { "event \($0)" } ?? "the end of the trace"
        return ["\(lane)  \(place)  is refused by the grammar of \(family.rawValue)"]
            + diagnosis.lines(rules: [explanation])
    }

    /// The rules that explain the refusal, or that there are none.
    package var explanation: String {
        guard !explainedBy.isEmpty else { return "none broke here, so this is a gap in the rules" }
        return explainedBy.map(\.titled).joined(separator: ", ")
    }
}

extension LaneSummary {
    /// `task[1]  sessionData  7 events, last data (event 12), did not end; redirect(302) (event 9) was never answered`.
    public var sentence: String {
        var text = "\(lane)  \(family.rawValue)  \(Plural.count(eventCount, "event"))"
        if let lastEvent { text += ", last \(lastEvent.placed)" }
        text += hasEnded ? ", ended" : ", did not end"
        for question in openQuestions { text += "; \(question.placed) was never answered" }
        return text
    }
}

extension TraceEvent {
    var placed: String { "\(PrintableText.sanitize(symbol.description)) (event \(sequence))" }
}
