public import ProctorEvents

/// A universal rule of callback order: its text for people, and its monitors.
public struct Rule: Sendable {
    /// The number that findings and ledgers use.
    public let number: RuleNumber
    /// The rule in a few words.
    public let title: String
    /// What must hold, in one or two sentences.
    public let statement: String
    /// The document or code that the rule comes from.
    public let source: String
    /// How strong the source is.
    public let confidence: Confidence
    /// The families that the rule applies to.
    public let families: [CallbackFamily]
    /// Why a trace cannot decide the rule, or what is needed besides a trace; nil when a trace alone decides.
    public let limits: String?
    /// A legal trace in the notation, as an example for people.
    public let legal: String
    /// An illegal trace in the notation, as an example for people.
    public let illegal: String
    let monitors: [Monitor]
    /// Whether the rule also breaks where an event is missing from the trace, or a sum leaves one out.
    ///
    /// In a trace with gaps such a hit is an observation; the grammars refuse wrong orders of its events too.
    let breaksByMissingEvents: Bool
    /// The kind of question whose answers the rule judges, which needs a trace with answers; nil where it judges none.
    let judgesAnswersTo: EventName?
    /// What a trace must have besides the events, so that the rule can be decided; see ``Evidence``.
    let needs: Set<Evidence>
    /// Rules that can break because this one did; then only this one is reported.
    let explains: [Consequence]

    /// How well a rule is supported.
    public enum Confidence: String, Sendable {
        /// Apple's documentation or a header comment says it.
        case documented
        /// Sample code shows it, or several loaders implement it alike.
        case sample
        /// Our own conclusion: an observation unless a platform makes it a failure.
        case inferred
    }

    enum Monitor: Sendable {
        /// For each load of some families; nil means all families of the rule.
        case load(any RuleMonitor.Type, in: Set<CallbackFamily>? = nil)
        case trace(any TraceMonitor.Type)
    }

    init(
        _ number: Int, title: String, statement: String, source: String, confidence: Confidence,
        families: [CallbackFamily], monitors: [Monitor], limits: String? = nil, legal: String, illegal: String,
        breaksByMissingEvents: Bool = false, judgesAnswersTo: EventName? = nil, needs: Set<Evidence> = [],
        explains: [Consequence] = []
    ) {
        self.number = RuleNumber(number)
        (self.title, self.statement, self.source, self.confidence) = (title, statement, source, confidence)
        (self.families, self.monitors, self.limits, self.legal) = (families, monitors, limits, legal)
        (self.illegal, self.breaksByMissingEvents) = (illegal, breaksByMissingEvents)
        (self.judgesAnswersTo, self.needs, self.explains) = (judgesAnswersTo, needs, explains)
    }
}

/// What a breach of a rule counts.
public enum RuleWeight: String, Sendable, CaseIterable {
    /// The client deviates.
    case failure
    /// Reported, without effect on the verdict.
    case observation
    /// The test's own code is wrong (R53), not the client.
    case harnessFault
}

/// A place where a trace breaks a rule.
public struct RuleHit: Sendable, Equatable {
    /// The rule that is broken.
    public let rule: RuleNumber
    /// The weight, with the platform's changes.
    public let weight: RuleWeight
    /// The lane of the breach.
    public let lane: LaneID
    /// The sequence of the event; nil at the end of the trace.
    public let sequence: Int?
    /// The event; nil at the end of the trace.
    public let event: TraceEventSymbol?
    /// What came and what the rule requires, in one sentence.
    public let sentence: String
}

/// The universal rules of callback order.
public enum Rules {
    /// All rules by number; each is declared with its monitors in a file of its own.
    public static let all: [Rule] = [
        // Phases and redirects.
        r1, r2, r3, r4, r5, r6, r7, r8, r9,
        // Authentication.
        r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20,
        // The request's body.
        r21, r22, r23, r24,
        // The response.
        r25, r26, r27, r28, r29, r30, r31, r32, r33,
        // Downloads.
        r34, r35, r36, r37, r38,
        // Ends.
        r39, r40, r41, r42, r43, r44, r45,
        // Threads, and objects of protocols.
        r46, r47, r48, r49, r50, r51, r52, r53,
        // Rules of one interface.
        r54, r55, r56, r57, r58,
        // Encoded files of downloads.
        r59,
        // Classes and objects of protocols, once more.
        r60, r61,
        // Requests whose result is all that is seen.
        r62, r63, r64,
        // The life of a delegate, and background sessions.
        r65, r66,
        // Event sources.
        r67, r68, r69, r70,
    ]

    package static let numbers = (all.map(\.number.value).min() ?? 0)...(all.map(\.number.value).max() ?? 0)

    /// As messages say it, like `R1 to R66`.
    package static let span = "R\(numbers.lowerBound) to R\(numbers.upperBound)"

    /// The rule of that number; nil where there is none.
    public static func rule(_ number: RuleNumber) -> Rule? { byNumber[number] }

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    static let loadMonitors: [LoadMonitor] = all.flatMap { rule in
        rule.monitors.compactMap { monitor in
            guard case .load(let type, let families) = monitor else { return nil }
            return LoadMonitor(rule: rule.number, type: type, families: families ?? Set(rule.families))
        }
    }
    static let traceMonitors: [any TraceMonitor.Type] = all.flatMap(\.monitors).compactMap { monitor in
        if case .trace(let type) = monitor { type } else { nil }
    }
}

struct LoadMonitor {
    let rule: RuleNumber
    let type: any RuleMonitor.Type
    let families: Set<CallbackFamily>
}

extension RuleNumber {
    /// `R12 a challenge instead of the response`; the number alone for an unknown rule.
    package var titled: String { Rules.rule(self).map { "\(self) \($0.title)" } ?? "\(self)" }
}
