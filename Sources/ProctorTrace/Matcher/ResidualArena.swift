/// What may still come, as terms that share their parts: each term is made once and named by its index.
///
/// A term that was written in the expression knows its place in the text; two terms that differ only in places have
/// the same `shape`, and two that differ in addition only in how far their counters have come have the same
/// `skeleton`. States are kept apart by shape, so that an expression that says the same thing twice costs nothing.
struct ResidualArena: Sendable {
    enum Kind: Hashable {
        /// Nothing more.
        case empty
        case symbol(Int, place: Int)
        /// `...`
        case anything(place: Int)
        /// The first is not `empty`, nor is the second.
        case sequence(Int, Int)
        case choice([Int], place: Int)
        case shuffle([Int], place: Int)
        /// As written; `Int.max` is without end.
        case repeated(Int, minimum: Int, maximum: Int, place: Int)
        /// What is left of a counted repetition that has begun.
        case resumed(Int, minimum: Int, maximum: Int, place: Int)
        /// An expression and what may be interleaved with it up to the terminal event.
        case open(Int, ambient: Int)
    }

    struct Node: Sendable {
        let kind: Kind
        let shape: Int
        let skeleton: Int
        /// Whether the end of the trace satisfies it.
        let isNullable: Bool
        /// Whether a `resumed` term stands in it.
        let isCounting: Bool
    }

    /// Where a term was written.
    struct Place: Sendable {
        /// 0: the expression, 1: its ambient.
        let source: Int
        let range: Range<Int>
        /// Of a repetition as it was written.
        let minimum: Int
    }

    private(set) var nodes: [Node] = []
    var places: [Place] = []
    var symbols: [NotationSymbol] = []
    private var byKind: [Kind: Int] = [:]
    private var shapes: [Kind: Int] = [:]
    /// Terms looked at since it was last set to 0.
    var work = 0

    /// Always the first term.
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

    /// What is left of a repetition after one more turn has begun.
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
        case .sequence(let first, let second): nodes[first].isCounting || nodes[second].isCounting
        case .shuffle(let sides, _): sides.contains { nodes[$0].isCounting }
        case .open(let expression, let ambient): nodes[expression].isCounting || nodes[ambient].isCounting
        }
    }

    /// The term with its parts named by shape or skeleton and without its places.
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
