import ProctorEvents
import ProctorNotation

/// Compares one lane with the grammar of its family and keeps the first refusal.
struct LaneFollower {
    /// The state in the shared automaton; nil when the lane has left the states that the automaton remembers.
    private var position: Int32? = NotationAutomaton.start
    private var alone: Alone?
    private var groups = EventGroups()
    private(set) var eventCount = 0
    private var refused: Refused?
    /// The rules that broke since the previous event of the lane, that event included.
    private var recentlyBroken = RuleNumberSet()

    /// Stored apart, because few lanes have one.
    private final class Alone {
        var matcher: NotationMatcher

        init(_ matcher: NotationMatcher) { self.matcher = matcher }
    }

    private final class Refused {
        private let atFirst: GrammarRefusal
        var explainedBy: RuleNumberSet
        /// Whether the next event of the lane may still explain the refusal.
        var isOpen = true

        init(_ refusal: GrammarRefusal, explainedBy: RuleNumberSet) {
            atFirst = refusal
            self.explainedBy = explainedBy
        }

        var refusal: GrammarRefusal {
            var refusal = atFirst
            refusal.explainedBy = explainedBy.numbers
            return refusal
        }
    }

    /// The first refusal with the rules that explain it; nil while there is none.
    var refusal: GrammarRefusal? { refused?.refusal }

    /// Records rules that broke at an event of the load in another lane.
    mutating func recordBroken(_ broken: RuleNumberSet) {
        guard !broken.isEmpty else { return }
        recentlyBroken.formUnion(broken)
        if refused?.isOpen == true { refused?.explainedBy.formUnion(broken) }
    }

    /// Follows the next event of the lane, at which `broken` rules were reported.
    mutating func follow(
        _ event: TraceEvent, in lane: LaneID, _ grammar: SharedGrammar?, broken: RuleNumberSet
    ) {
        eventCount += 1
        guard let grammar else { return }
        if refused != nil {
            recordBroken(broken)
            refused?.isOpen = false
            return
        }
        // An interim response is no response (R27); the event behind it is compared with the state before it.
        let isLeftOut = grammar.ignored.contains(event.name) || event.name == .response && event.isInterim
        if !isLeftOut, !step(event, grammar) {
            recentlyBroken.formUnion(broken)
            refuse(at: event, in: lane, grammar)
        } else {
            recentlyBroken = broken
        }
    }

    /// The trace is over; `isDue` says whether the lane had to end.
    mutating func finish(in lane: LaneID, _ grammar: SharedGrammar, isDue: Bool, broken: RuleNumberSet) {
        recordBroken(broken)
        guard refused == nil, isDue else { return }
        if let position, grammar.automaton.isAccepting(position) { return }
        refuse(at: nil, in: lane, grammar)
    }

    private mutating func step(_ event: TraceEvent, _ grammar: SharedGrammar) -> Bool {
        guard let position else { return alone?.matcher.accept(event) ?? true }
        switch grammar.automaton.step(from: position, by: event.name, event.argument) {
        case .taken(let next, let byExpression):
            self.position = next
            if byExpression { groups.append(event.name, event.argument) }
            return true
        case .refused: return false
        case .unknown:
            alone = Alone(grammar.automaton.matcher(at: position, matched: groups, eventCount: eventCount - 1))
            self.position = nil
            return alone?.matcher.accept(event) ?? true
        }
    }

    private mutating func refuse(at event: TraceEvent?, in lane: LaneID, _ grammar: SharedGrammar) {
        var matcher =
            alone?.matcher
            ?? grammar.automaton.matcher(
                at: position ?? NotationAutomaton.start, matched: groups,
                eventCount: eventCount - (event == nil ? 0 : 1))
        if let event, alone == nil { _ = matcher.accept(event) }
        guard let diagnosis = matcher.diagnosis else { return }
        refused = Refused(
            GrammarRefusal(
                lane: lane, family: grammar.family, diagnosis: diagnosis, sequence: event?.sequence, explainedBy: []),
            explainedBy: recentlyBroken)
    }
}
