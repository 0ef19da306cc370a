/// Follows a trace event by event and knows at each moment what may come next.
///
/// Its state is what the expression still allows (its derivative by the events so far), so that time and memory do not
/// grow with the trace. It never looks back or ahead and can be asked while a client hangs.
public struct NotationMatcher: Sendable {
    /// What the lane must bring.
    public let notation: Notation
    /// What may be interleaved up to the terminal event.
    public let ambient: Notation?
    /// Events counted by ``accept(_:)``, the refused one included.
    public private(set) var eventCount = 0
    /// The event that the expression has no place for; everything after it is refused too.
    public private(set) var refusal: TraceEventSymbol?
    /// Set when the expression has too many continuations to go on; then nothing was judged.
    public private(set) var overflow: NotationOverflow?

    private let terminals: Set<String>
    private let ignored: Set<String>
    /// The compiled expressions alone, to go back to.
    private let compiled: ResidualArena
    private var arena: ResidualArena
    private(set) var state: [Int]
    private var compactAbove = Self.leastCompaction
    private(set) var matched = EventGroups()

    private static let leastCompaction = 4_096

    /// `terminals` close the ambient; `ignoring` names events that are taken out unless an expression names them.
    public init(
        _ notation: Notation, ambient: Notation? = nil, terminals: [String] = EventVocabulary.terminalNames,
        ignoring: [String] = []
    ) {
        self.notation = notation
        self.ambient = ambient
        self.terminals = Set(terminals)
        ignored = Set(ignoring).subtracting(notation.eventNames).subtracting(ambient?.eventNames ?? [])
        var arena = ResidualArena()
        let expression = arena.compile(notation.syntax, source: 0)
        if let ambient {
            let interleaved = arena.compile(ambient.syntax, source: 1)
            state = [arena.open(expression, ambient: interleaved)]
        } else {
            state = [expression]
        }
        self.arena = arena
        compiled = arena
    }

    /// Takes the next event of the lane; false when it is refused, or was before.
    public mutating func accept(_ event: TraceEventSymbol) -> Bool {
        guard refusal == nil, overflow == nil else { return false }
        eventCount += 1
        if ignored.contains(event.name) { return true }
        let outcome = arena.step(state, by: .event(event, isTerminal: terminals.contains(event.name)))
        if outcome.isTooMuch {
            overflow = describeOverflow(after: outcome.state)
            return false
        }
        guard !outcome.state.isEmpty else {
            refusal = event
            return false
        }
        state = outcome.state
        if outcome.tookExpression { matched.append(event) }
        if arena.nodes.count > compactAbove { compact() }
        return true
    }

    /// Whether the trace may end here.
    public var isAccepting: Bool {
        refusal == nil && overflow == nil && state.contains { arena.nodes[$0].isNullable }
    }

    /// What the expression would take next, or would have taken in place of the refused event.
    public var wanted: [WantedEvent] {
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

    /// Whether the trace could have ended before the refused event, or may end now.
    var mayEnd: Bool { state.contains { arena.nodes[$0].isNullable } }

    /// What must come before the trace may end; empty when it may.
    public var missing: [MissingPart] {
        guard !mayEnd else { return [] }
        return arena.owed(by: state).map { owed in
            let place = arena.places[owed.place]
            return MissingPart(
                text: excerpt(place, withoutCount: owed.turns != nil), offset: place.range.lowerBound,
                isAmbient: place.source == 1, turns: owed.turns, total: owed.total)
        }
    }

    /// Terms made so far and not yet cleared away; bounded by the expression, not by the trace.
    var termCount: Int { arena.nodes.count }

    /// Wanted symbols that are tried for what would be accepted later.
    private static let mostTried = 64

    /// The wanted symbol after which `event` would be accepted; looks one event ahead.
    func acceptedLater(_ event: TraceEventSymbol) -> NotationSymbol? {
        var scratch = arena
        let isTerminal = terminals.contains(event.name)
        var tried: Set<Int> = []
        for first in arena.firsts(of: state) where tried.count < Self.mostTried {
            guard let symbol = first.symbol, tried.insert(symbol).inserted else { continue }
            let wanted = arena.symbols[symbol]
            let after = scratch.step(state, by: .symbol(symbol, isTerminal: terminals.contains(wanted.name)))
            guard !after.isTooMuch else { return nil }
            let then = scratch.step(after.state, by: .event(event, isTerminal: isTerminal))
            if !then.isTooMuch, !then.state.isEmpty { return wanted }
        }
        return nil
    }

    // MARK: Bounds

    /// Counters make new terms with each event; those that the state does not need go.
    private mutating func compact() {
        var fresh = compiled
        for index in state.indices {
            state[index] = fresh.adopt(state[index], from: arena, shared: compiled.nodes.count)
        }
        arena = fresh
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
