package import ProctorEvents

/// An expression as an automaton whose states and transitions are computed on first use.
///
/// A state is the set of terms that the expression still permits. A known transition is a table lookup; an unknown one
/// is computed by derivatives. The numbers of states and event classes are bounded; beyond the bound nothing is stored
/// and every step is a derivative.
package struct NotationAutomaton: Sendable {
    let notation: Notation
    let ambient: Notation?
    let compiled: ResidualArena
    var arena: ResidualArena
    var classes: EventClasses
    private let first: [Int]
    private let mostStates: Int
    private(set) var states: [[Int]] = []
    private var numbers: [[Int]: Int32] = [:]
    /// A row of ``EventClasses/most`` entries for each state.
    ///
    /// 0 means unknown, 1 refused; other entries are twice the next state plus 2, plus 1 if the expression, not its
    /// ambient, took the event.
    private var table: [Int32] = []

    package static let start: Int32 = 0
    package static let mostStates = 1_024

    package enum Step {
        case taken(Int32, byExpression: Bool)
        case refused
        /// The table has no room for the next state, or there are too many continuations.
        case unknown
    }

    package init(
        _ notation: Notation, ambient: Notation?, terminals: some Sequence<String>,
        mostStates: Int = NotationAutomaton.mostStates
    ) {
        (self.notation, self.ambient, self.mostStates) = (notation, ambient, mostStates)
        var arena = ResidualArena()
        let expression = arena.compile(notation.syntax, source: 0)
        if let ambient {
            let interleaved = arena.compile(ambient.syntax, source: 1)
            first = [arena.open(expression, ambient: interleaved)]
        } else {
            first = [expression]
        }
        self.arena = arena
        compiled = arena
        classes = EventClasses(symbols: arena.symbols, terminals: Set(terminals))
        _ = number(of: first)
    }

    // MARK: States

    /// nil if there is no room for another state.
    mutating func number(of state: [Int]) -> Int32? {
        if let known = numbers[state] { return known }
        guard states.count < mostStates else { return nil }
        let number = Int32(truncatingIfNeeded: states.count)
        numbers[state] = number
        states.append(state)
        table.append(contentsOf: repeatElement(0, count: EventClasses.most))
        return number
    }

    func number(ofKnown state: [Int]) -> Int32? { numbers[state] }

    func terms(of state: Int32) -> [Int] {
        let index = Int(state)
        return states.indices.contains(index) ? states[index] : first
    }

    package func isAccepting(_ state: Int32) -> Bool { terms(of: state).contains { arena.nodes[$0].isNullable } }

    /// Removes all states: their terms are not those of the new arena.
    mutating func restart(with arena: ResidualArena) {
        self.arena = arena
        states.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        table.removeAll(keepingCapacity: true)
    }

    // MARK: Steps

    package mutating func step(from state: Int32, by name: EventName, _ argument: String?) -> Step {
        let eventClass = classes.classify(name, argument)
        if let known = known(from: state, by: eventClass) { return known }
        let event = TraceEventSymbol(name.rawValue, argument)
        let outcome = arena.step(
            terms(of: state), by: .event(event, isTerminal: classes.isTerminal(event.name)))
        return remember(outcome, from: state, by: eventClass)
    }

    func known(from state: Int32, by eventClass: Int) -> Step? {
        guard eventClass >= 0 else { return nil }
        switch table[Int(state) * EventClasses.most + eventClass] {
        case 0: return nil
        case 1: return .refused
        case let entry: return .taken((entry >> 1) - 1, byExpression: entry & 1 == 1)
        }
    }

    mutating func remember(_ outcome: ResidualArena.Outcome, from state: Int32, by eventClass: Int) -> Step {
        if outcome.isTooMuch { return .unknown }
        let entry: Int32
        let result: Step
        if outcome.state.isEmpty {
            (entry, result) = (1, .refused)
        } else if let next = number(of: outcome.state) {
            entry = (next + 1) << 1 | (outcome.tookExpression ? 1 : 0)
            result = .taken(next, byExpression: outcome.tookExpression)
        } else {
            return .unknown
        }
        if eventClass >= 0 { table[Int(state) * EventClasses.most + eventClass] = entry }
        return result
    }

    package func matcher(at state: Int32, matched: EventGroups, eventCount: Int) -> NotationMatcher {
        NotationMatcher(self, at: state, matched: matched, eventCount: eventCount)
    }
}
