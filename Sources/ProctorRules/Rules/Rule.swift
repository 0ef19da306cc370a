public import ProctorEvents

/// A universal rule of callback order: its text for people, and the monitors that watch for it.
public struct Rule: Sendable {
    /// The number by which findings and ledgers name it.
    public let number: RuleNumber
    /// A few words.
    public let title: String
    /// What must hold, in one or two sentences.
    public let statement: String
    /// Where it comes from.
    public let source: String
    /// How well it is founded.
    public let confidence: Confidence
    /// The families it holds for.
    public let families: [CallbackFamily]
    /// Why a trace cannot decide it, or what more than a trace it needs; nil when a trace alone decides.
    public let limits: String?
    /// A legal trace in the notation, for the person who asks.
    public let legal: String
    /// An illegal one.
    public let illegal: String
    let monitors: [Monitor]
    /// Whether it also breaks where an event is missing from the trace, or a sum leaves one out.
    ///
    /// In a trace with gaps such a hit is an observation; wrong orders of its events are refused by grammars too.
    let breaksByMissingEvents: Bool
    /// The kind of question between which and its answer it looks, which needs a trace with answers.
    let judgesAnswersTo: EventName?
    /// Rules that can break because this one did; then this one alone is told.
    let explains: [Consequence]

    /// The ground a rule stands on.
    public enum Confidence: String, Sendable {
        /// Said in Apple's documentation or a header comment.
        case documented
        /// Said by sample code or implemented alike by several loaders.
        case sample
        /// Our own conclusion: an observation until a platform turns it on.
        case inferred
    }

    /// The type of what watches for the rule.
    enum Monitor: Sendable {
        case load(any RuleMonitor.Type)
        case trace(any TraceMonitor.Type)
    }

    init(
        _ number: Int, title: String, statement: String, source: String, confidence: Confidence,
        families: [CallbackFamily], monitors: [Monitor], limits: String? = nil, legal: String, illegal: String,
        breaksByMissingEvents: Bool = false, judgesAnswersTo: EventName? = nil, explains: [Consequence] = []
    ) {
        self.number = RuleNumber(number)
        self.title = title
        self.statement = statement
        self.source = source
        self.confidence = confidence
        self.families = families
        self.monitors = monitors
        self.limits = limits
        self.legal = legal
        self.illegal = illegal
        self.breaksByMissingEvents = breaksByMissingEvents
        self.judgesAnswersTo = judgesAnswersTo
        self.explains = explains
    }
}

/// What breaking a rule counts.
public enum RuleWeight: String, Sendable, CaseIterable {
    /// The client deviates.
    case failure
    /// Worth telling; decides nothing.
    case observation
    /// The test's own code is wrong (R53); not the client's.
    case harnessFault
}

/// One place where a trace breaks a rule.
public struct RuleHit: Sendable, Equatable {
    /// The rule that is broken.
    public let rule: RuleNumber
    /// After the platform's weights.
    public let weight: RuleWeight
    /// The lane it shows in.
    public let lane: LaneID
    /// The event it shows at; nil at the end of the trace.
    public let sequence: Int?
    /// The event it shows at.
    public let event: TraceEventSymbol?
    /// What came and what the rule wants, in one sentence.
    public let sentence: String
}
