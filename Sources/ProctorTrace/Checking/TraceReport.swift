/// What the rules and grammars say of a trace.
public struct TraceReport: Sendable {
    /// Of all lanes, exits included.
    public let eventCount: Int
    /// In the order in which they were found, without what only follows from another; at most 1,000 observations and
    /// 1,000 others.
    public let hits: [RuleHit]
    /// All there were.
    public let hitCount: Int
    /// Lanes that their family's grammar refuses; at most 1,000.
    public let grammars: [GrammarRefusal]
    /// All there were.
    public let grammarCount: Int
    /// The loads that were remembered at the end, in the order of their first event.
    public let lanes: [LaneSummary]
    /// Loads that ended so long before that only their findings are left.
    public let forgottenLoadCount: Int
    /// Rules that nothing could be said of, and why; a sentence each.
    public let notJudged: [String]
    /// Why a part of the trace was not judged; nil when all of it was.
    public let bound: TraceBound?
}

/// A lane that the grammar of its family refuses.
public struct GrammarRefusal: Sendable {
    /// Which lane.
    public let lane: LaneID
    /// Whose grammar.
    public let family: CallbackFamily
    /// Where, and what was wanted.
    public let diagnosis: NotationDiagnosis
    /// The refused event; nil when something is missing at the end.
    public let sequence: Int?
    /// The rules that broke at or next to that event and so explain the refusal; empty: a gap in the rules.
    public let explainedBy: [RuleNumber]

    func explained(by rules: [RuleNumber]) -> GrammarRefusal {
        GrammarRefusal(lane: lane, family: family, diagnosis: diagnosis, sequence: sequence, explainedBy: rules)
    }
}

/// How one load of a trace went.
public struct LaneSummary: Sendable {
    /// Of its task or its object.
    public let lane: LaneID
    /// As told by its events, or assumed.
    public let family: CallbackFamily
    /// Callbacks of the lane; exits and other lanes are not counted.
    public let eventCount: Int
    /// The event that ended the lane.
    public let terminal: TraceEvent?
    /// Whether nothing more was due: a terminal event, a called handler, an object that is gone, a cancelled old load.
    public let hasEnded: Bool
    /// Questions that nobody answered, oldest first; empty when the trace has no answers at all.
    public let openQuestions: [TraceEvent]
    /// The last callback of the lane.
    public let lastEvent: TraceEvent?

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

/// A bound that a trace passed, so that a part of it was not judged.
public struct TraceBound: Sendable, Equatable, CustomStringConvertible {
    /// Loads that may be open at once.
    public let mostOpenLoads: Int
    /// The first load beyond them.
    public let lane: LaneID
    /// Its first event.
    public let sequence: Int

    /// One sentence that names the bound and what was left out.
    public var description: String {
        """
        more than \(mostOpenLoads) loads were open at once at event \(sequence); \(lane) and other new loads were not \
        judged until others had ended
        """
    }
}
