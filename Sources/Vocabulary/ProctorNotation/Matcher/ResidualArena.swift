import ProctorEvents

/// What may still come, as terms that share their parts: equal terms are stored once, under one index.
///
/// A term that the expression contains has its place in the text. Two terms that differ only in places have the same
/// `shape`; two that also differ in the state of their counters have the same `skeleton`. States are compared by shape,
/// so that a repeated part of an expression needs no more states.
struct ResidualArena: Sendable {
    enum Kind: Hashable {
        case empty
        case symbol(Int, place: Int)
        /// `...`
        case anything(place: Int)
        /// Neither part is `empty`.
        case sequence(Int, Int)
        case choice([Int], place: Int)
        case shuffle([Int], place: Int)
        /// As the expression has it; `Int.max` means no limit.
        case repeated(Int, minimum: Int, maximum: Int, place: Int)
        /// The rest of a counted repetition that has begun.
        case resumed(Int, minimum: Int, maximum: Int, place: Int)
        /// An expression, and the ambient that may be interleaved with it up to the terminal event.
        case open(Int, ambient: Int)

        var parts: [Int] {
            switch self {
            case .empty, .symbol, .anything: []
            case .sequence(let first, let second), .open(let first, let second): [first, second]
            case .choice(let sides, _), .shuffle(let sides, _): sides
            case .repeated(let body, _, _, _), .resumed(let body, _, _, _): [body]
            }
        }
    }

    struct Node: Sendable {
        let kind: Kind
        let shape: Int
        let skeleton: Int
        let isNullable: Bool
        let isCounting: Bool
    }

    struct Place: Sendable {
        /// 0 for the expression, 1 for its ambient.
        let source: Int
        let range: Range<Int>
        let minimum: Int
    }

    private(set) var nodes: [Node] = []
    var places: [Place] = []
    var symbols: [NotationSymbol] = []
    private var byKind: [Kind: Int] = [:]
    private var shapes: [Kind: Int] = [:]
    /// The number of terms visited since the caller set it to 0.
    var work = 0

    static let empty = 0

    init() {
        _ = intern(.empty)
    }

    // MARK: Making terms

    mutating func intern(_ kind: Kind) -> Int {
        if let known = byKind[kind] { return known }
        let shape = shapeIndex(key(kind, \.shape))
        let isCounting = counts(kind)
        let node = Node(
            kind: kind, shape: shape,
            skeleton: isCounting ? shapeIndex(key(kind, \.skeleton, keepsCounters: false)) : shape,
            isNullable: nullable(kind), isCounting: isCounting)
        nodes.append(node)
        byKind[kind] = nodes.count - 1
        return nodes.count - 1
    }

    mutating func sequence(_ first: Int, _ second: Int) -> Int {
        if first == Self.empty { return second }
        if second == Self.empty { return first }
        if case .anything = nodes[first].kind, nodes[first].shape == nodes[second].shape { return second }
        return intern(.sequence(first, second))
    }

    mutating func shuffle(_ sides: [Int], place: Int) -> Int {
        let left = sides.filter { $0 != Self.empty }
        if left.isEmpty { return Self.empty }
        if left.count == 1 { return left[0] }
        let ordered = left.sorted {
            let (one, two) = (nodes[$0], nodes[$1])
            return (one.skeleton, one.shape, $0) < (two.skeleton, two.shape, $1)
        }
        return intern(.shuffle(ordered, place: place))
    }

    mutating func open(_ expression: Int, ambient: Int) -> Int {
        ambient == Self.empty ? expression : intern(.open(expression, ambient: ambient))
    }

    /// The rest of a repetition after one more iteration has begun.
    mutating func remainder(of body: Int, minimum: Int, maximum: Int, place: Int) -> Int {
        let least = max(minimum - 1, 0)
        if maximum == .max {
            return least == 0
                ? intern(.repeated(body, minimum: 0, maximum: .max, place: place))
                : intern(.resumed(body, minimum: least, maximum: .max, place: place))
        }
        return maximum <= 1
            ? Self.empty : intern(.resumed(body, minimum: least, maximum: maximum - 1, place: place))
    }

    mutating func rebuilt(_ kind: Kind, of parts: [Int]) -> Int {
        switch kind {
        case .empty, .symbol, .anything, .choice: intern(kind)
        case .sequence: sequence(parts[0], parts[1])
        case .shuffle(_, let place): shuffle(parts, place: place)
        case .repeated(_, let minimum, let maximum, let place):
            intern(.repeated(parts[0], minimum: minimum, maximum: maximum, place: place))
        case .resumed(_, let minimum, let maximum, let place):
            intern(.resumed(parts[0], minimum: minimum, maximum: maximum, place: place))
        case .open: open(parts[0], ambient: parts[1])
        }
    }

    // MARK: Properties of terms

    private func nullable(_ kind: Kind) -> Bool {
        switch kind {
        case .empty, .anything: true
        case .symbol: false
        case .sequence(let first, let second): nodes[first].isNullable && nodes[second].isNullable
        case .choice(let sides, _): sides.contains { nodes[$0].isNullable }
        case .shuffle(let sides, _): sides.allSatisfy { nodes[$0].isNullable }
        case .repeated(let body, let minimum, _, _), .resumed(let body, let minimum, _, _):
            minimum == 0 || nodes[body].isNullable
        case .open(let expression, let ambient): nodes[expression].isNullable && nodes[ambient].isNullable
        }
    }

    private func counts(_ kind: Kind) -> Bool {
        switch kind {
        case .empty, .symbol, .anything, .choice, .repeated: false
        case .resumed: true
        case .sequence, .shuffle, .open: kind.parts.contains { nodes[$0].isCounting }
        }
    }

    /// The term with its parts replaced by their shape or skeleton, and without places.
    private func key(_ kind: Kind, _ part: KeyPath<Node, Int>, keepsCounters: Bool = true) -> Kind {
        switch kind {
        case .empty: .empty
        case .symbol(let symbol, _): .symbol(symbol, place: 0)
        case .anything: .anything(place: 0)
        case .sequence(let first, let second): .sequence(nodes[first][keyPath: part], nodes[second][keyPath: part])
        case .choice(let sides, _): .choice(Set(sides.map { nodes[$0][keyPath: part] }).sorted(), place: 0)
        case .shuffle(let sides, _): .shuffle(sides.map { nodes[$0][keyPath: part] }.sorted(), place: 0)
        case .repeated(let body, let minimum, let maximum, _):
            .repeated(nodes[body].shape, minimum: minimum, maximum: maximum, place: 0)
        case .resumed(let body, let minimum, let maximum, _):
            .resumed(
                nodes[body].shape, minimum: keepsCounters ? minimum : 0, maximum: keepsCounters ? maximum : 0, place: 0)
        case .open(let expression, let ambient):
            .open(nodes[expression][keyPath: part], ambient: nodes[ambient][keyPath: part])
        }
    }

    private mutating func shapeIndex(_ key: Kind) -> Int {
        if let known = shapes[key] { return known }
        shapes[key] = shapes.count
        return shapes.count - 1
    }
}

extension ResidualArena {
    /// Adds a whole expression and returns its term; `source` is 0 for a case's expression, 1 for its ambient.
    mutating func compile(_ syntax: NotationSyntax, source: Int) -> Int {
        var symbolOf: [Int] = []
        let earlier = Dictionary(zip(symbols, symbols.indices)) { first, _ in first }
        for symbol in syntax.symbols {
            if let known = earlier[symbol] {
                symbolOf.append(known)
            } else {
                symbols.append(symbol)
                symbolOf.append(symbols.count - 1)
            }
        }
        // Children come before their parents, so one pass is enough.
        var terms: [Int] = []
        terms.reserveCapacity(syntax.nodes.count)
        for node in syntax.nodes {
            var minimum = 0
            if case .repeated(_, let least, _) = node.kind { minimum = least }
            places.append(Place(source: source, range: node.range, minimum: minimum))
            let place = places.count - 1
            switch node.kind {
            case .symbol(let symbol): terms.append(intern(.symbol(symbolOf[symbol], place: place)))
            case .anything: terms.append(intern(.anything(place: place)))
            case .sequence(let items):
                var term = Self.empty
                for item in items.reversed() { term = sequence(terms[item], term) }
                terms.append(term)
            case .choice(let sides): terms.append(intern(.choice(sides.map { terms[$0] }, place: place)))
            case .shuffle(let sides): terms.append(shuffle(sides.map { terms[$0] }, place: place))
            case .repeated(let body, let minimum, let maximum):
                terms.append(repetition(of: terms[body], from: minimum, to: maximum, place: place))
            }
        }
        return terms.last ?? Self.empty
    }

    private mutating func repetition(of body: Int, from minimum: Int, to maximum: Int?, place: Int) -> Int {
        // If the body may be empty, any number of iterations satisfies the minimum.
        let least = nodes[body].isNullable ? 0 : minimum
        if case .repeated(_, minimum: 0, maximum: .max, _) = nodes[body].kind { return body }
        return intern(.repeated(body, minimum: least, maximum: maximum ?? .max, place: place))
    }
}

extension ResidualArena {
    enum Step {
        case event(TraceEventSymbol, isTerminal: Bool)
        case symbol(Int, isTerminal: Bool)

        var isTerminal: Bool {
            switch self {
            case .event(_, let isTerminal), .symbol(_, let isTerminal): isTerminal
            }
        }
    }

    struct Outcome {
        /// The partial derivatives, one of which must be satisfied; empty if the step is refused.
        var state: [Int] = []
        /// Whether the expression itself accepted the step, not only its ambient.
        var tookExpression = false
        /// Whether the bound on work or on continuations was exceeded; then `state` is invalid.
        var isTooMuch = false
    }

    static let largestState = 2_048
    /// The most terms that are visited for one event.
    static let largestWork = 100_000

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
                        // Computed before the call, because the call reads a property of self before it evaluates its
                        // arguments.
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

    /// Derives the pair of an expression and its ambient, which is always the outermost term.
    private mutating func topDerivatives(of term: Int, by step: Step) -> (terms: [Int], tookExpression: Bool) {
        guard case .open(let expression, let ambient) = nodes[term].kind else {
            let terms = derivatives(of: term, by: step)
            return (terms, !terms.isEmpty)
        }
        if step.isTerminal {
            // Required ambient events are missing; after the terminal event nothing is interleaved.
            guard nodes[ambient].isNullable else { return ([], false) }
            let terms = derivatives(of: expression, by: step)
            return (terms, !terms.isEmpty)
        }
        let own = derivatives(of: expression, by: step)
        var terms = own.map { open($0, ambient: ambient) }
        for derivative in derivatives(of: ambient, by: step) { terms.append(open(expression, ambient: derivative)) }
        return (terms, !own.isEmpty)
    }

    /// The recursion depth is that of nested parentheses, since a sequence is a loop.
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
