import ProctorEvents

/// Watches one load for one rule.
///
/// Events come in the order of the trace: those of the load's lane, and those of the lanes `harness`, `handler`,
/// `proto` and `wire` that belong to the load. The state is the one *before* the event. Memory must not grow with the
/// trace.
protocol RuleMonitor: Sendable {
    static var interests: EventNameSet { get }
    /// Whether the monitor also gets returns of callbacks.
    static var wantsExits: Bool { get }
    /// Whether every breach of a load is reported; otherwise only the first, and the monitor is not called again.
    static var reportsEach: Bool { get }

    init()

    /// Checks one event; nil when the load keeps the rule.
    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach?
    /// A box with a new monitor of the type; only the default implementation is used.
    static func boxed(for rule: RuleNumber) -> AnyMonitorBox
}

extension RuleMonitor {
    static var wantsExits: Bool { false }
    static var reportsEach: Bool { false }
}

/// A monitor that is also called when the load is over.
protocol EndRuleMonitor: RuleMonitor {
    /// Called when the trace is over, or the load is forgotten; `load` is the state after its last event.
    mutating func observeLoadEnd(_ load: LoadState) -> Breach?
}

/// Watches a whole trace for a rule that no single load decides.
protocol TraceMonitor: Sendable {
    static var interests: EventNameSet { get }
    static var wantsExits: Bool { get }

    init()

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList)
    mutating func observeTraceEnd(_ ending: TraceEnding, into hits: inout HitList)
}

extension TraceMonitor {
    static var wantsExits: Bool { false }
    mutating func observeTraceEnd(_ ending: TraceEnding, into hits: inout HitList) {}
}

struct Breach: Sendable {
    let sentence: String
    /// The event of the breach; nil for the current event, or the end of the load.
    let event: KeptEvent?
    /// Marks the part of a documented rule that is our own conclusion.
    let isInferred: Bool
    /// nil for the weight that the rule's confidence gives.
    let weight: RuleWeight?

    init(_ sentence: String, at event: KeptEvent? = nil, isInferred: Bool = false, weight: RuleWeight? = nil) {
        (self.sentence, self.event, self.isInferred, self.weight) = (sentence, event, isInferred, weight)
    }
}

/// An event that a monitor keeps for later, in an allocation of its own.
///
/// Most monitors that can keep an event keep none, and `nil` of a class is one word that costs nothing to copy.
@dynamicMemberLookup
final class KeptEvent: Sendable {
    let event: TraceEvent

    init(_ event: TraceEvent) { self.event = event }

    @inline(__always)
    subscript<Value>(dynamicMember member: KeyPath<TraceEvent, Value>) -> Value { event[keyPath: member] }
}

/// Whether the response of a load has come.
///
/// 1xx does not count (R27), nor does a 401 or 407 that gets a challenge (R12): each has a rule of its own, and later
/// events are judged as if the client had not reported it.
struct DefinitiveResponse {
    /// nil before the response; 0 for one without a status.
    private(set) var status: Int?

    /// Called after the checks of the event.
    mutating func see(_ event: TraceEvent) {
        switch event.name {
        case .response where !event.isInterim: status = event.status ?? 0
        case .challenge where isChallenge && !event.isOfTLS: status = nil
        default: break
        }
    }

    var isChallenge: Bool { status == 401 || status == 407 }
}

/// Checks the silence between a question and its answer (R8, R10, R28).
///
/// A breach counts once the trace has shown, before or after, that it reports answers; until then it is held.
protocol SilenceMonitor: EndRuleMonitor {
    static var question: EventName { get }
    /// The first breach, held until the trace shows an answer.
    var held: Breach? { get set }

    /// The breach by an event before the answer; nil for events that may come.
    mutating func breach(by event: TraceEvent, during question: TraceEvent, _ load: LoadState) -> Breach?
}

extension SilenceMonitor {
    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .answer { return held }
        // Later questions came too early themselves.
        guard held == nil, let question = load.openQuestions.first, question.name == Self.question,
            load.terminal == nil, load.cancellation == nil
        else { return nil }
        held = breach(by: event, during: question, load)
        return load.seesAnswers ? held : nil
    }

    mutating func observeLoadEnd(_ load: LoadState) -> Breach? { load.seesAnswers ? held : nil }
}
