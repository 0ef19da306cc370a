public import ProctorEvents

/// A checked expression of what a lane must bring, in which order.
///
/// From strongest to weakest binding: a count (`? * + {n} {n,} {n,m}`), a sequence (`a b`), then either alternatives
/// (`a | b`) or an interleaving (`a & b`). Matching is the business of ``NotationMatcher``.
public struct Notation: Sendable, Equatable, CustomStringConvertible {
    /// As it was written.
    public let text: String
    /// Whose events it speaks of.
    public let lane: Lane
    let syntax: NotationSyntax

    /// Bytes of text; a longer expression is refused.
    public static let longestText = 65_536
    /// Parentheses within parentheses.
    public static let deepestNesting = 64
    /// The largest number between braces.
    public static let largestCount = 1_000_000
    /// Sides of one `&`.
    public static let widestInterleaving = 64

    /// Parses and checks `text`; every event must be one of the lane's.
    public init(parsing text: String, lane: Lane) throws(NotationError) {
        var parser = NotationParser(text: text, lane: lane)
        syntax = try parser.parse()
        self.text = text
        self.lane = lane
    }

    /// With a tree that is not quite that of the text.
    init(text: String, lane: Lane, syntax: NotationSyntax) {
        self.text = text
        self.lane = lane
        self.syntax = syntax
    }

    /// The names that are written in it.
    public var eventNames: Set<String> { Set(syntax.symbols.map(\.name)) }

    /// The events that are written in it, each once.
    package var symbols: [NotationSymbol] { syntax.symbols }

    /// The text, as it was written.
    public var description: String { text }

    /// Two expressions are equal when they are written alike for the same lane.
    public static func == (left: Notation, right: Notation) -> Bool {
        left.lane == right.lane && left.text == right.text
    }
}

/// How often an event can, or must, come in a lane that satisfies an expression.
extension Notation {
    /// The most events of that name that the expression takes; nil where it sets no bound.
    public func mostOccurrences(of name: String) -> Int? {
        bounds(of: name).most
    }

    /// The fewest events of that name that the expression needs.
    public func fewestOccurrences(of name: String) -> Int {
        bounds(of: name).fewest
    }

    private func bounds(of name: String) -> Bounds {
        var found: [Bounds] = []
        for node in syntax.nodes {
            switch node.kind {
            case .symbol(let index):
                let count = syntax.symbols[index].name == name ? 1 : 0
                found.append(Bounds(fewest: count, most: count))
            case .anything: found.append(Bounds(fewest: 0, most: nil))
            case .sequence(let parts), .shuffle(let parts):
                found.append(parts.reduce(Bounds(fewest: 0, most: 0)) { $0 + found[$1] })
            case .choice(let sides):
                found.append(
                    Bounds(
                        fewest: sides.map { found[$0].fewest }.min() ?? 0,
                        most: sides.reduce(0) { most, side in
                            most.flatMap { most in found[side].most.map { max(most, $0) } }
                        }))
            case .repeated(let body, let minimum, let maximum):
                found.append(found[body].repeated(from: minimum, to: maximum))
            }
        }
        return found.last ?? Bounds(fewest: 0, most: 0)
    }

    private struct Bounds {
        var fewest: Int
        /// nil: without end.
        var most: Int?

        /// Counts in expressions are bounded, and nesting multiplies them: what overflows is without end.
        static func + (left: Bounds, right: Bounds) -> Bounds {
            let most = left.most.flatMap { left in right.most.flatMap { sum(left, $0) } }
            return Bounds(fewest: sum(left.fewest, right.fewest) ?? .max, most: most)
        }

        func repeated(from minimum: Int, to maximum: Int?) -> Bounds {
            let mostOfAll: Int? =
                most == 0 ? 0 : most.flatMap { most in maximum.flatMap { Self.product(most, $0) } }
            return Bounds(fewest: Self.product(fewest, minimum) ?? .max, most: mostOfAll)
        }

        private static func sum(_ left: Int, _ right: Int) -> Int? {
            let (sum, isOver) = left.addingReportingOverflow(right)
            return isOver ? nil : sum
        }

        private static func product(_ left: Int, _ right: Int) -> Int? {
            let (product, isOver) = left.multipliedReportingOverflow(by: right)
            return isOver ? nil : product
        }
    }
}

extension Notation {
    /// The same expression where every event that `mayBeMissing` is optional; it is written as before, carets included.
    ///
    /// For lanes of a family that cannot tell all that an expression for several families names.
    package func allowingAbsence(of mayBeMissing: (NotationSymbol) -> Bool) -> Notation {
        guard syntax.symbols.contains(where: mayBeMissing) else { return self }
        return Notation(text: text, lane: lane, syntax: syntax.rebuilt({ $0 }, mayBeMissing: mayBeMissing))
    }

    /// The same expression where each event is what `replacement` makes of it; carets stay where they were.
    package func replacing(_ replacement: (NotationSymbol) -> NotationSymbol) -> Notation {
        Notation(text: text, lane: lane, syntax: syntax.rebuilt(replacement, mayBeMissing: { _ in false }))
    }

    /// Whether any trace without events of these names satisfies it.
    package func isPossible(without names: Set<String>) -> Bool {
        names.isDisjoint(with: eventNames) || syntax.isPossible(without: names)
    }
}

extension NotationSyntax {
    fileprivate func rebuilt(
        _ replacement: (NotationSymbol) -> NotationSymbol, mayBeMissing: (NotationSymbol) -> Bool
    ) -> NotationSyntax {
        var result = NotationSyntax()
        // Where each node stands in the result; children stand before their parents there, too.
        var places: [Int] = []
        for node in nodes {
            switch node.kind {
            case .symbol(let index):
                let place = result.add(replacement(symbols[index]), node.range)
                places.append(
                    mayBeMissing(symbols[index])
                        ? result.add(.repeated(place, minimum: 0, maximum: 1), node.range) : place)
            case .anything: places.append(result.add(.anything, node.range))
            case .sequence(let items): places.append(result.add(.sequence(items.map { places[$0] }), node.range))
            case .choice(let sides): places.append(result.add(.choice(sides.map { places[$0] }), node.range))
            case .shuffle(let sides): places.append(result.add(.shuffle(sides.map { places[$0] }), node.range))
            case .repeated(let body, let minimum, let maximum):
                places.append(result.add(.repeated(places[body], minimum: minimum, maximum: maximum), node.range))
            }
        }
        result.forgetIndexes()
        return result
    }

    fileprivate func isPossible(without names: Set<String>) -> Bool {
        var isPossible: [Bool] = []
        for node in nodes {
            switch node.kind {
            case .symbol(let index): isPossible.append(!names.contains(symbols[index].name))
            case .anything: isPossible.append(true)
            case .sequence(let parts), .shuffle(let parts): isPossible.append(parts.allSatisfy { isPossible[$0] })
            case .choice(let sides): isPossible.append(sides.contains { isPossible[$0] })
            case .repeated(let body, let minimum, _): isPossible.append(minimum == 0 || isPossible[body])
            }
        }
        return isPossible.last ?? true
    }
}
