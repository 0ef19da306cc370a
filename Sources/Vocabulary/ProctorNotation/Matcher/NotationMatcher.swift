package import ProctorEvents

/// Compares a trace with an expression event by event, and knows after each event what may come next.
///
/// The state is what the expression still permits (its derivative by the events so far), so time and memory do not grow
/// with the trace. It uses neither earlier nor later events, so it can be asked while a client hangs.
package struct NotationMatcher: Sendable {
    /// The number of events passed to ``accept(_:)-(TraceEventSymbol)``, including the refused one.
    package private(set) var eventCount = 0
    /// The event that the expression refused; every later event is refused too.
    package private(set) var refusal: TraceEventSymbol?
    /// Set if the expression has too many continuations; then nothing was judged.
    package private(set) var overflow: NotationOverflow?

    private var automaton: NotationAutomaton
    /// The number of the state; nil if it is not stored.
    private var number: Int32?
    private var terms: [Int] = []
    private var ignored: EventNameSet = []
    /// Ignored names that are not in the vocabulary.
    private var ignoredUnknown: Set<String> = []
    private var compactAbove = Self.leastCompaction
    private(set) var matched = EventGroups()
    /// How many terms were visited for events without a known transition.
    private(set) var derivedTermCount = 0
    private var lastName = ""
    private var lastEvent: EventName?

    private static let leastCompaction = 4_096

    /// `terminals` end the ambient expression; `ignoring` names events that are skipped unless an expression names
    /// them.
    package init(
        _ notation: Notation, ambient: Notation? = nil, terminals: [String] = EventVocabulary.terminalNames,
        ignoring: [String] = []
    ) {
        self.init(
            NotationAutomaton(notation, ambient: ambient, terminals: terminals), at: NotationAutomaton.start,
            matched: EventGroups(), eventCount: 0)
        let names = Set(ignoring).subtracting(notation.eventNames).subtracting(ambient?.eventNames ?? [])
        ignored = EventNameSet(names.compactMap { EventName(rawValue: $0) })
        ignoredUnknown = names.filter { EventName(rawValue: $0) == nil }
    }

    init(_ automaton: NotationAutomaton, at state: Int32, matched: EventGroups, eventCount: Int) {
        self.automaton = automaton
        terms = automaton.terms(of: state)
        number = automaton.number(ofKnown: terms)
        (self.matched, self.eventCount) = (matched, eventCount)
    }

    package var notation: Notation { automaton.notation }
    /// The expression that may be interleaved up to the terminal event.
    package var ambient: Notation? { automaton.ambient }

    // MARK: Events

    /// Adds the next event of the lane; false if this one or an earlier one is refused.
    package mutating func accept(_ event: TraceEventSymbol) -> Bool {
        if event.name != lastName {
            lastName = event.name
            lastEvent = EventVocabulary.kind(named: event.name)?.event
        }
        if let name = lastEvent { return acceptKnown(name, event.argument) }
        guard refusal == nil, overflow == nil else { return false }
        eventCount += 1
        if ignoredUnknown.contains(event.name) { return true }
        return derive(automaton.classes.classifyUnknown(event.name), event)
    }

    /// Adds the next event of the lane; ignores returns of callbacks.
    package mutating func accept(_ event: TraceEvent) -> Bool {
        event.phase == .exit || acceptKnown(event.name, event.argument)
    }

    private mutating func acceptKnown(_ name: EventName, _ argument: String?) -> Bool {
        guard refusal == nil, overflow == nil else { return false }
        eventCount += 1
        if ignored.contains(name) { return true }
        let eventClass = automaton.classes.classify(name, argument)
        if let number, case .taken(let next, let byExpression)? = automaton.known(from: number, by: eventClass) {
            self.number = next
            if byExpression { matched.append(name, argument) }
            return true
        }
        return derive(eventClass, TraceEventSymbol(name.rawValue, argument))
    }

    /// Computes the step by derivatives, and stores it if there is room.
    private mutating func derive(_ eventClass: Int, _ event: TraceEventSymbol) -> Bool {
        let outcome = automaton.arena.step(
            state, by: .event(event, isTerminal: automaton.classes.isTerminal(event.name)))
        derivedTermCount &+= automaton.arena.work
        if outcome.isTooMuch {
            overflow = describeOverflow(after: outcome.state)
            return false
        }
        guard !outcome.state.isEmpty else {
            refusal = event
            return false
        }
        if let from = number, case .taken(let next, _) = automaton.remember(outcome, from: from, by: eventClass) {
            number = next
        } else {
            number = automaton.number(ofKnown: outcome.state)
            terms = outcome.state
        }
        if outcome.tookExpression { matched.append(event) }
        if automaton.arena.nodes.count > compactAbove { compact() }
        return true
    }

    var state: [Int] { number.map { automaton.terms(of: $0) } ?? terms }

    private var arena: ResidualArena { automaton.arena }

    package var isAccepting: Bool {
        refusal == nil && overflow == nil && state.contains { arena.nodes[$0].isNullable }
    }

    /// The events that the expression would accept next, or would have accepted in place of the refused event.
    package var wanted: [WantedEvent] {
        var result: [WantedEvent] = []
        var indexes: [Int?: Int] = [:]
        for first in arena.firsts(of: state) {
            let offset = arena.places[first.place].range.lowerBound
            if let known = indexes[first.symbol] {
                result[known].offsets.append(offset)
            } else {
                indexes[first.symbol] = result.count
                result.append(WantedEvent(symbol: first.symbol.map { arena.symbols[$0] }, offsets: [offset]))
            }
        }
        return result
    }

    var mayEnd: Bool { state.contains { arena.nodes[$0].isNullable } }

    /// The parts that must come before the trace may end; empty if it may.
    package var missing: [MissingElement] {
        guard !mayEnd else { return [] }
        return arena.owed(by: state).map { owed in
            let place = arena.places[owed.place]
            return MissingElement(
                text: excerpt(place, withoutCount: owed.turns != nil), offset: place.range.lowerBound,
                isAmbient: place.source == 1, turns: owed.turns, total: owed.total)
        }
    }

    /// The number of terms in memory, which the expression bounds, not the trace.
    var termCount: Int { automaton.arena.nodes.count }

    /// The most wanted symbols that ``acceptedLater(_:)`` tries.
    private static let mostTried = 64

    /// The wanted symbol after which `event` would be accepted; looks one event ahead.
    func acceptedLater(_ event: TraceEventSymbol) -> NotationSymbol? {
        var scratch = arena
        let isTerminal = automaton.classes.isTerminal(event.name)
        var tried: Set<Int> = []
        for first in arena.firsts(of: state) where tried.count < Self.mostTried {
            guard let symbol = first.symbol, tried.insert(symbol).inserted else { continue }
            let wanted = arena.symbols[symbol]
            let after = scratch.step(state, by: .symbol(symbol, isTerminal: automaton.classes.isTerminal(wanted.name)))
            guard !after.isTooMuch else { return nil }
            let then = scratch.step(after.state, by: .event(event, isTerminal: isTerminal))
            if !then.isTooMuch, !then.state.isEmpty { return wanted }
        }
        return nil
    }

    // MARK: Bounds

    /// Removes terms that the state does not use, because counters make new terms with each event.
    private mutating func compact() {
        var fresh = automaton.compiled
        var kept: [Int] = []
        for term in state { kept.append(fresh.adopt(term, from: arena, shared: automaton.compiled.nodes.count)) }
        automaton.restart(with: fresh)
        number = automaton.number(of: kept)
        terms = kept
        compactAbove = max(Self.leastCompaction, arena.nodes.count * 4)
    }

    private func describeOverflow(after state: [Int]) -> NotationOverflow {
        let place = arena.mostFrequentPart(of: state) ?? arena.mostFrequentPart(of: self.state)
        let isAmbient = place?.source == 1
        return NotationOverflow(
            subexpression: place.map { excerpt($0, withoutCount: false) }
                ?? Notation.excerpt(of: Array(notation.text.utf8)[...]),
            offset: place?.range.lowerBound ?? 0, isAmbient: isAmbient, eventCount: eventCount)
    }

    private func excerpt(_ place: ResidualArena.Place, withoutCount: Bool) -> String {
        guard let source = place.source == 0 ? notation : ambient else { return "" }
        var range = place.range
        if withoutCount, let body = source.syntax.body(ofRepetitionAt: place.range) { range = body }
        return Notation.excerpt(of: Array(source.text.utf8)[range])
    }
}
