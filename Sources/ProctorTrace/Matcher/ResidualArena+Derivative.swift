extension ResidualArena {
    /// What a derivative is taken by.
    enum Step {
        case event(TraceEventSymbol, isTerminal: Bool)
        /// Whatever the symbol of that index stands for.
        case symbol(Int, isTerminal: Bool)

        var isTerminal: Bool {
            switch self {
            case .event(_, let isTerminal), .symbol(_, let isTerminal): isTerminal
            }
        }
    }

    struct Outcome {
        /// What may still come is one of these partial derivatives; empty when the step is refused.
        var state: [Int] = []
        /// Whether the expression itself took the step, not only its ambient.
        var tookExpression = false
        /// The bound on work or on continuations was passed; `state` means nothing.
        var isTooMuch = false
    }

    /// Continuations that are kept at once.
    static let largestState = 2_048
    /// Terms that are looked at for one event.
    static let largestWork = 100_000

    /// One event further, from every term of `state`.
    mutating func step(_ state: [Int], by step: Step) -> Outcome {
        work = 0
        var outcome = Outcome()
        var shapesSeen: Set<Int> = []
        var expanded: Set<Int> = []
        for term in state {
            var rest = term
            while expanded.insert(nodes[rest].shape).inserted, work <= Self.largestWork {
                if case .sequence(let first, let second) = nodes[rest].kind {
                    for derivative in derivatives(of: first, by: step) {
                        // Made before the call, which reads a value of self that is taken before its arguments.
                        let next = sequence(derivative, second)
                        add(next, to: &outcome.state, unless: &shapesSeen)
                        outcome.tookExpression = true
                    }
                    guard nodes[first].isNullable else { break }
                    rest = second
                } else {
                    let (derivatives, tookExpression) = topDerivatives(of: rest, by: step)
                    for derivative in derivatives { add(derivative, to: &outcome.state, unless: &shapesSeen) }
                    outcome.tookExpression = outcome.tookExpression || tookExpression
                    break
                }
            }
        }
        outcome.state = mergingCounters(of: outcome.state)
        outcome.isTooMuch = work > Self.largestWork || outcome.state.count > Self.largestState
        return outcome
    }

    private func add(_ term: Int, to state: inout [Int], unless seen: inout Set<Int>) {
        if seen.insert(nodes[term].shape).inserted { state.append(term) }
    }

    /// The pair of an expression and its ambient stands only outermost, so it is derived here.
    private mutating func topDerivatives(of term: Int, by step: Step) -> (terms: [Int], tookExpression: Bool) {
        guard case .open(let expression, let ambient) = nodes[term].kind else {
            let terms = derivatives(of: term, by: step)
            return (terms, !terms.isEmpty)
        }
        if step.isTerminal {
            // What is owed by the ambient is missing, and after the end nothing is interleaved any more.
            guard nodes[ambient].isNullable else { return ([], false) }
            let terms = derivatives(of: expression, by: step)
            return (terms, !terms.isEmpty)
        }
        let own = derivatives(of: expression, by: step)
        var terms = own.map { open($0, ambient: ambient) }
        for derivative in derivatives(of: ambient, by: step) { terms.append(open(expression, ambient: derivative)) }
        return (terms, !own.isEmpty)
    }

    /// Recursion goes only as deep as parentheses are nested; a sequence is walked.
    private mutating func derivatives(of term: Int, by step: Step) -> [Int] {
        var result: [Int] = []
        var rest = term
        while work <= Self.largestWork {
            work += 1
            guard case .sequence(let first, let second) = nodes[rest].kind else {
                result += partDerivatives(of: rest, by: step)
                break
            }
            for derivative in derivatives(of: first, by: step) { result.append(sequence(derivative, second)) }
            guard nodes[first].isNullable else { break }
            rest = second
        }
        work += result.count
        return result
    }

    private mutating func partDerivatives(of term: Int, by step: Step) -> [Int] {
        switch nodes[term].kind {
        case .empty, .sequence, .open: return []
        case .anything: return [term]
        case .symbol(let symbol, _):
            let isTaken =
                switch step {
                case .event(let event, _): symbols[symbol].matches(event)
                case .symbol(let wanted, _): symbol == wanted
                }
            return isTaken ? [Self.empty] : []
        case .choice(let sides, _):
            var result: [Int] = []
            for side in sides { result += derivatives(of: side, by: step) }
            return result
        case .repeated(let body, let minimum, let maximum, let place),
            .resumed(let body, let minimum, let maximum, let place):
            let derived = derivatives(of: body, by: step)
            guard !derived.isEmpty else { return [] }
            let rest = remainder(of: body, minimum: minimum, maximum: maximum, place: place)
            return derived.map { sequence($0, rest) }
        case .shuffle(let sides, let place):
            var result: [Int] = []
            for (index, side) in sides.enumerated() {
                for derivative in derivatives(of: side, by: step) {
                    var next = sides
                    next[index] = derivative
                    result.append(shuffle(next, place: place))
                }
            }
            return result
        }
    }
}
