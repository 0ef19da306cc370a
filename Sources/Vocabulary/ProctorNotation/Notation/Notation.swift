package import ProctorEvents

/// A parsed and checked expression for the events of a lane and their order.
///
/// From strongest to weakest binding: a count (`? * + {n} {n,} {n,m}`), a sequence (`a b`), then either alternatives
/// (`a | b`) or an interleaving (`a & b`). ``NotationMatcher`` matches traces.
package struct Notation: Sendable, Equatable, CustomStringConvertible {
    package let text: String
    package let lane: Lane
    let syntax: NotationSyntax

    package static let longestText = 65_536
    package static let deepestNesting = 64
    package static let largestCount = 1_000_000
    /// The most sides of one `&`.
    package static let widestInterleaving = 64

    /// Parses and checks `text`; every event must be one of the lane's.
    package init(parsing text: String, lane: Lane) throws(NotationError) {
        var parser = NotationParser(text: text, lane: lane)
        syntax = try parser.parse()
        (self.text, self.lane) = (text, lane)
    }

    /// Makes an expression whose tree differs from its text.
    init(text: String, lane: Lane, syntax: NotationSyntax) {
        (self.text, self.lane, self.syntax) = (text, lane, syntax)
    }

    /// The expression of a lane in which no event may come; it has no text.
    package static func nothing(in lane: Lane) -> Notation {
        var syntax = NotationSyntax()
        _ = syntax.add(.sequence([]), 0..<0)
        return Notation(text: "", lane: lane, syntax: syntax)
    }

    package var eventNames: Set<String> { Set(syntax.symbols.map(\.name)) }

    package var symbols: [NotationSymbol] { syntax.symbols }

    package var description: String { text }

    package static func == (left: Notation, right: Notation) -> Bool {
        left.lane == right.lane && left.text == right.text
    }
}

/// How often an event may or must occur in a lane that satisfies an expression.
extension Notation {
    /// nil if the expression sets no bound.
    package func mostOccurrences(of name: String) -> Int? {
        bounds(of: name).most
    }

    package func fewestOccurrences(of name: String) -> Int {
        bounds(of: name).fewest
    }

    private func bounds(of name: String) -> Bounds {
        let mayCome =
            syntax.symbols.contains { $0.name == name }
            || syntax.nodes.contains { node in
                if case .anything = node.kind { true } else { false }
            }
        guard mayCome else { return Bounds(fewest: 0, most: 0) }
        let bounds = syntax.values { (node, parts: [Bounds]) -> Bounds in
            switch node.kind {
            case .symbol(let index):
                let count = syntax.symbols[index].name == name ? 1 : 0
                return Bounds(fewest: count, most: count)
            case .anything: return Bounds(fewest: 0, most: nil)
            case .sequence, .shuffle: return parts.reduce(Bounds(fewest: 0, most: 0), +)
            case .choice:
                return Bounds(
                    fewest: parts.map(\.fewest).min() ?? 0,
                    most: parts.reduce(0) { most, side in most.flatMap { most in side.most.map { max(most, $0) } } })
            case .repeated(_, let minimum, let maximum): return parts[0].repeated(from: minimum, to: maximum)
            }
        }
        return bounds.last ?? Bounds(fewest: 0, most: 0)
    }

    private struct Bounds {
        var fewest: Int
        /// nil for no limit.
        var most: Int?

        /// Nested counts are multiplied; an overflow means no limit.
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
    /// Returns the expression in which every event that `mayBeMissing` is optional; text and carets stay the same.
    ///
    /// For families of APIs that cannot report all events of an expression.
    package func allowingAbsence(of mayBeMissing: (NotationSymbol) -> Bool) -> Notation {
        guard syntax.symbols.contains(where: mayBeMissing) else { return self }
        return Notation(text: text, lane: lane, syntax: syntax.rebuilt({ $0 }, mayBeMissing: mayBeMissing))
    }

    /// Returns the expression with each event replaced; its carets stay the same.
    package func replacing(_ replacement: (NotationSymbol) -> NotationSymbol) -> Notation {
        Notation(text: text, lane: lane, syntax: syntax.rebuilt(replacement, mayBeMissing: { _ in false }))
    }

    /// Whether any trace without events of these names satisfies the expression.
    package func isPossible(without names: Set<String>) -> Bool {
        names.isDisjoint(with: eventNames) || syntax.isPossible(without: names)
    }
}

extension NotationSyntax {
    fileprivate func rebuilt(
        _ replacement: (NotationSymbol) -> NotationSymbol, mayBeMissing: (NotationSymbol) -> Bool
    ) -> NotationSyntax {
        var result = NotationSyntax()
        // The index of each node in the result, where children also come before their parents.
        _ = values { (node, parts: [Int]) -> Int in
            guard case .symbol(let index) = node.kind else {
                return result.add(node.kind.replacingParts(parts), node.range)
            }
            let place = result.add(replacement(symbols[index]), node.range)
            return mayBeMissing(symbols[index])
                ? result.add(.repeated(place, minimum: 0, maximum: 1), node.range) : place
        }
        result.forgetIndexes()
        return result
    }

    fileprivate func isPossible(without names: Set<String>) -> Bool {
        let isPossible = values { (node, parts: [Bool]) -> Bool in
            switch node.kind {
            case .symbol(let index): !names.contains(symbols[index].name)
            case .anything: true
            case .sequence, .shuffle: parts.allSatisfy(\.self)
            case .choice: parts.contains(true)
            case .repeated(_, let minimum, _): minimum == 0 || parts[0]
            }
        }
        return isPossible.last ?? true
    }
}
